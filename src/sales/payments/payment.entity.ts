import { entity } from '../../http/entity.ts'
import { choice, flag, id, integer, money, text, time } from '../../http/entity-fields.ts'
import { Id, Optional } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { BOUGHT, CYCLES, paid } from './bought.entity.ts'

export const PAYMENT_TYPES = [
  'payment',
  'refund',
  'disputed',
  'won_dispute',
  'lost_dispute',
  'chargeback',
] as const

/**
 * Money that moved, in minor units; what undoes an earlier payment is bound to it and negative. Fields in the order of
 * the reply.
 */
export const PAYMENT = entity('payments', {
  ...BOUGHT,
  user_id: id({ filter: { name: 'search_user_id', schema: Optional(Id('Only of this user.')) } }),
  coupon_id: id({ null: true, filter: 'Only with this coupon.' }),
  currency: choice(CURRENCIES, { filter: 'Only in this currency.' }),
  /** When it was written down. */
  created: time({ hidden: true }),
  /** When it was paid, on the clock of its environment, also where that was long before it was written down. */
  processed_at: time({ wire: 'created' }),
  subscription_id: id({ null: true }),
  bound_payment_id: id({ null: true }),
  type: choice(PAYMENT_TYPES, {}),
  gross: money(paid('Without tax; negative where money was given back.')),
  tax: money({ wire: 'vat', ...paid('Tax of any kind.') }),
  gateway_fee: money(paid()),
  is_renewal: flag({}),
  refund_reason: text({ null: true }),
  billing_cycle: choice(CYCLES, { hidden: true, filter: 'Only of this cycle, in months; 0: lifetime.' }),
  /** Millionths. */
  tax_rate: integer({ hidden: true }),
  /** Which rule the tax rate comes from. */
  tax_rule: text({ null: true, hidden: true }),
  /** As of the subscription. */
  region: text({ null: true, hidden: true }),
  /**
   * Of a payment: what was given back of it or is about to be; of a lost dispute: what was lost; of a dispute: what was
   * not left of its payment, as that was given back, with tax.
   */
  refunded_gross: money({ hidden: true }),
  refunded_tax: money({ hidden: true }),
})
