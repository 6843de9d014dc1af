import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import { systemScope } from '../../access/scope.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import type { ChargeRow } from '../charges/charge-rows.ts'
import type { ReportedCharge } from '../charges/reported-charge-rows.ts'
import { aboutRenewals } from './renewal-rows.ts'
import type { RenewalQuote } from './quote.ts'
import type { Attempt } from './settle-renewal.ts'

/** What a renewal's charge was asked for with, so that it is asked for in the same words again. */
export interface RenewalDetails extends RenewalQuote {
  /** What the buyer reads on the statement; absent: the name of the product. */
  readonly description?: string
  /** Why its gateway has not made it; absent: it has, or nobody knows. */
  readonly unmade?: string
}

/** The attempt that a charge is, with its subscription as it is now, which is held; null when that is gone. */
export async function attemptOf(
  tx: TxContext,
  charge: ReportedCharge,
): Promise<(Attempt & { readonly charge: ChargeRow }) | null> {
  const { subscription_id: id, product_id: productId, developer_id: developerId, details } = charge
  const period = periodOf(charge)
  if (id === null || period === null || details === null) return null
  const row = await hold(tx.db, 'subscriptions', systemScope({ developerId, productId }), id)
  const [about] = await aboutRenewals(tx.db, [id])
  if (!row || !about) return null
  const now = toUtcTime(tx.clock.of(productId, row.environment))
  const priced = JSON.parse(details) as Omit<RenewalQuote, 'couponId'> & Partial<RenewalQuote>
  return { row, about, now, period, couponId: row.coupon_id, ...priced, charge }
}

/** The end of the period that was paid before, out of the name of a renewal (`keyOf` of `renew.ts`). */
function periodOf({ key }: ChargeRow): UtcTime | null {
  const [, y, m, d, h, min, s] =
    /^\w+:\d+:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:-\d+)?:\d+$/.exec(key) ?? []
  return y === undefined ? null : parseTimeText(`${y}-${m}-${d} ${h}:${min}:${s}`, 'first second')
}
