import type { ListKind } from '../src/lists/exports/kinds.ts'

/** One filter of each list, and none. */
export const LIST_FILTERS: Readonly<Record<ListKind, readonly object[]>> = {
  licenses: [{}, { filter: 'active', environment: '0' }],
  users: [{}, { filter: 'paying' }, { search: 'a' }],
  payments: [{}, { filter: 'refunds' }, { environment: '0' }],
  subscriptions: [{}, { filter: 'cancelled' }],
  installs: [{}, { filter: 'active' }, { all: 'true' }, { search: 'example' }],
  trials: [{}, { filter: 'ended' }, { user_id: '1' }],
  coupons: [{}, { prefix: 's' }],
  carts: [{}, { filter: 'abandoned' }, { user_id: '1' }],
  events: [{}, { type: 'license.created' }, { type: 'license.*' }],
  products: [{}, { from: '2000-01-01' }, { to: '2000-01-01' }],
  stores: [{}, { from: '2000-01-01' }],
  reviews: [{}, { filter: 'hidden' }, { from: '2000-01-01' }],
  disputes: [{}, { filter: 'open' }, { environment: '0' }, { from: '2000-01-01' }],
  mails: [{}, { state: 'sent' }, { environment: '0', from: '2000-01-01' }, { user_id: '1' }],
  webhooks: [{}, { from: '2000-01-01' }],
  deliveries: [{}, { state: 'error' }, { type: 'license.created' }, { from: '2000-01-01' }],
  audit: [{}, { action: 'x' }],
}
