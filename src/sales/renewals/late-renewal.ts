import type { TxContext } from '../../context.ts'
import { systemScope } from '../../access/scope.ts'
import { periodHolding } from '../../lib/periods.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { NOTHING_OWED } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import { changeSubscription } from './queries.ts'
import type { AboutRenewal } from './renewal-rows.ts'
import { isFirstPayment } from './quote.ts'

/** A subscription that falls due. */
export interface Due {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
  /** On the clock of the subscription. */
  readonly now: UtcTime
}

/** The period that a subscription is due for, and how many were over before that; 0 where none is left out. */
export function lateBy(
  { row, about, now }: Due,
  end: UtcTime,
): { readonly start: UtcTime; readonly over: number } {
  const isOnce = row.billing_cycle === 0
  if (isOnce || about.charge_arrears) return { start: end, over: 0 }
  return periodHolding({ anchor: row.period_anchor, end, months: row.billing_cycle || 1 }, now)
}

/** When a license ends that is paid until `end` (`docs/decisions.md` 5.5). */
export const withGrace = ({ about }: Pick<Due, 'about'>, end: UtcTime): UtcTime =>
  toUtcTime(fromUtcTime(end) + about.renewal_grace_hours * HOUR)

/** What a subscription is due for once the periods before `start` are left out. */
export const dueFrom = (
  row: SubscriptionRow,
  start: UtcTime,
): Pick<SubscriptionRow, 'next_payment' | 'due_at'> & Partial<Pick<SubscriptionRow, 'trial_ends'>> => ({
  next_payment: start,
  due_at: start,
  ...(isFirstPayment(row) && { trial_ends: start }),
})

/**
 * Leaves out the periods of a subscription that were over before anybody charged them, and tells of it: it is due for
 * the one that holds today (`docs/decisions.md` 5.5). The caller holds it, and gets it as it is then.
 */
export async function leaveOutPast(tx: TxContext, due: Due): Promise<SubscriptionRow> {
  const { row, about } = due
  const { next_payment: from } = row
  if (from === null) return row
  const { start, over } = lateBy(due, from)
  if (over === 0) return row
  const change = {
    ...dueFrom(row, start),
    ...NOTHING_OWED,
    updated: tx.clock.now(),
  }
  await changeSubscription(tx.db, row.id, change)
  const license = row.license_id === null ? null : String(row.license_id)
  await recordEvent(tx, systemScope({ developerId: about.developer_id, productId: row.product_id }), {
    type: 'subscription.periods.skipped',
    environment: row.environment,
    userId: row.user_id,
    ...(row.install_id !== null && { installId: row.install_id }),
    data: { subscription_id: String(row.id), license_id: license, from, to: start, periods: over },
  })
  return { ...row, ...change }
}
