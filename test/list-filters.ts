import type { ExportKind } from '../src/lists/exports/kinds.ts'

/** One filter of each list, and none. */
export const LIST_FILTERS: Readonly<Record<ExportKind, readonly object[]>> = {
  licenses: [{}, { filter: 'active', environment: '0' }],
  users: [{}, { filter: 'paying' }, { search: 'a' }],
  payments: [{}, { filter: 'refunds' }, { environment: '0' }],
  subscriptions: [{}, { filter: 'cancelled' }],
  installs: [{}, { filter: 'active' }, { all: 'true' }, { search: 'example' }],
  trials: [{}, { filter: 'ended' }, { user_id: '1' }],
  coupons: [{}, { prefix: 's' }],
  carts: [{}, { filter: 'abandoned' }, { user_id: '1' }],
  events: [{}, { type: 'license.created' }, { type: 'license.*' }],
  audit: [{}, { action: 'x' }],
}
