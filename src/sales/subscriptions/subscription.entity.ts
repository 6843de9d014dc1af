import { Type } from '../../lib/type.ts'
import { entity } from '../../http/entity.ts'
import { choice, flag, id, integer, money, text, time } from '../../http/entity-fields.ts'
import { BOUGHT, CYCLES, paid } from '../payments/bought.entity.ts'
import { MILLION } from '../quotes/quote.ts'

/**
 * What is paid again and again for a license, until it is cancelled; at most one not cancelled per license. Money is
 * minor units. Fields in the order of the reply.
 */
export const SUBSCRIPTION = entity('subscriptions', {
  ...BOUGHT,
  plan_id: id({ filter: 'Only of this plan.' }),
  created: time({}),
  billing_cycle: choice(CYCLES, { filter: 'Only of this cycle, in months; 0: lifetime.' }),
  /** Millionths. */
  tax_rate: integer({
    shown: Type.Number({ description: 'A fraction.' }),
    present: ({ tax_rate: rate }: { readonly tax_rate: number }) => rate / MILLION,
  }),
  total_gross: money({ initial: 0, ...paid('Of all payments, with tax.') }),
  amount_per_cycle: money(paid('List price of a cycle, without tax.')),
  initial_amount: money(paid('First payment, without tax.')),
  renewal_amount: money(paid('Of a renewal, without tax.')),
  /** Hundredths: of a percent, or minor units. */
  renewals_discount: money(paid('As renewals_discount_type says.')),
  renewals_discount_type: choice(['percentage', 'dollar'], {}),
  outstanding_balance: money({ initial: 0, ...paid() }),
  failed_payments: integer({ initial: 0 }),
  trial_ends: time({ null: true }),
  /** End of the paid period; null: cancelled. */
  next_payment: time({ null: true }),
  canceled_at: time({ null: true, initial: null }),
  /** The `next_payment` that it had as it was cancelled, until which it may be resumed; null: it may not. */
  resumes_at: time({ null: true, hidden: true, initial: null }),
  /** Of countries that tax by region: its code without the country's. */
  region: text({ null: true, hidden: true }),
  /** Whose day and hour the periods keep (`docs/decisions.md` 5.4). */
  period_anchor: time({ hidden: true }),
  period_start: time({ hidden: true }),
  /** On the clock of its environment, as all but `created` and `updated`. */
  started_at: time({ hidden: true }),
  /** The `next_payment` of which its buyer was reminded. */
  reminded_for: time({ null: true, hidden: true }),
  /** When it is looked at next, on the clock of its environment. */
  due_at: time({ null: true, hidden: true }),
  /** How often the renewal of this period was tried. */
  attempt: integer({ hidden: true, initial: 0 }),
  /** Real time, milliseconds; with `fence`, who has it in hand. */
  lease_until: integer({ hidden: true, initial: 0 }),
  fence: integer({ hidden: true, initial: 0 }),
  /** Whether it was brought along and is paid where it came from: nothing is charged here, nor tried to be. */
  is_elsewhere: flag({ filled: true, hidden: true }),
  /**
   * The coupon in whose place `coupon_id` is; what is better of the two is off a renewal (`docs/decisions.md` 5.18).
   */
  replaced_coupon_id: id({ null: true, hidden: true }),
})
