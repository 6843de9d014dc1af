import type { TxContext } from '../../context.ts'
import { DAY, fromUtcTime, HOUR, toUtcTime } from '../../lib/time.ts'
import { decideCharge, setDetails, type ChargeRow } from '../charges/charge-rows.ts'
import { lookLater, type NotMade } from '../charges/known-charge.ts'
import type { RenewalDetails } from './attempt.ts'
import { isDueStill } from './fate.ts'
import { changeSubscription } from './queries.ts'
import { attemptBefore, scopeOf, type Attempt } from './settle-renewal.ts'

/**
 * Closes the charge of a renewal that its gateway has not made and never will under its key: nobody has declined it, so
 * it is no failed attempt, and what is due still is charged under another key (`docs/decisions.md` 5.15). What the
 * gateway refused rests first, as it may refuse the next. Does nothing when the charge was decided before.
 */
export async function closeUnmade(
  tx: TxContext,
  attempt: Attempt & { readonly charge: ChargeRow },
  { reason, isRefused }: NotMade,
): Promise<void> {
  const { row, charge, period } = attempt
  const { id, external_id: externalId } = charge
  const scope = scopeOf(attempt)
  const now = tx.clock.real()
  const updated = toUtcTime(now)
  if (!(await decideCharge(tx.db, scope, { id, state: 'unmade', externalId, at: updated }))) return
  tx.log.error({ charge: id, subscription: row.id, reason }, 'a renewal was not made by its gateway')
  await lookLater(tx, charge)
  const details = { ...(JSON.parse(charge.details ?? '{}') as RenewalDetails), unmade: reason }
  await setDetails(tx.db, scope, id, JSON.stringify(details))
  if (!(await isDueStill(tx, scope, { id: row.id, period, attempt: attemptBefore(attempt) }))) return
  const leaseUntil = isRefused ? now + restOf(attempt) : 0
  await changeSubscription(tx.db, row.id, { lease_until: leaseUntil, updated })
}

/** A quarter of how long it is due: an hour at least, a day at most. */
const restOf = ({ row, now }: Attempt): number =>
  Math.min(DAY, Math.max(HOUR, Math.floor((fromUtcTime(now) - fromUtcTime(row.due_at ?? now)) / 4)))
