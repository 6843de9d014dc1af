import { transaction, type Context, type ReadContext } from '../context.ts'
import type { Reader, Writer } from '../db/database.ts'
import { DAY, timeOrNull, toUtcTime, type UtcTime } from '../lib/time.ts'
import { auditCommand } from '../access/audit-command.ts'
import {
  beatRenewals,
  countDueRenewals,
  releaseRenewals,
  type RenewalWatch,
} from './renewal-watch-queries.ts'
import { findRenewalWatch } from './renewal-watch-rows.ts'

/** After so long without a sign of life nobody is charged before the operator says so (`docs/decisions.md` 5.5). */
const AWAY_MS = 3 * DAY

/** Whether renewals of production wait, and why. */
export interface RenewalState {
  /** Since when they wait; null: they do not. */
  readonly heldAt: UtcTime | null
  /** The last sign of life; null: there was none yet. */
  readonly lastBeat: UtcTime | null
  /** Subscriptions of production that are due. */
  readonly due: number
}

/**
 * Notes a sign of life of the jobs, in the transaction of its caller; whether renewals of production may be charged.
 * More than three days after the last one they wait from then on, as when a clock has jumped.
 */
export async function mayRenew(ctx: Pick<ReadContext, 'clock' | 'log'>, db: Writer): Promise<boolean> {
  const now = ctx.clock.real()
  const { held_at: heldAt, beat_at: beatAt } = await beatRenewals(db, { now, awayMs: AWAY_MS })
  if (heldAt === now)
    ctx.log.error({ last: timeOrNull(beatAt) }, 'renewals wait for a word: keywright renewals resume')
  return heldAt === null
}

/** Whether renewals of production wait, also when nobody has noted it yet. */
export const isHeld = (watch: RenewalWatch | undefined, now: number): boolean =>
  watch !== undefined && (watch.held_at !== null || watch.beat_at < now - AWAY_MS)

/**
 * The moment by which is judged what is old enough to be deleted, real time in milliseconds: now, or the last sign of
 * life where renewals wait, as the clock may be wrong (`docs/decisions.md` 5.23).
 */
export async function knownNow({ clock }: Pick<ReadContext, 'clock'>, db: Reader): Promise<number> {
  const now = clock.real()
  const watch = await findRenewalWatch(db)
  return watch && isHeld(watch, now) ? Math.min(now, watch.beat_at) : now
}

export async function renewalState(db: Reader, now: number): Promise<RenewalState> {
  const watch = await findRenewalWatch(db)
  const heldAt = isHeld(watch, now) ? (watch?.held_at ?? now) : null
  const due = await countDueRenewals(db, toUtcTime(now))
  return { heldAt: timeOrNull(heldAt), lastBeat: timeOrNull(watch?.beat_at ?? null), due }
}

/** Lets renewals go on that wait, as the operator says; false when they did not wait. */
export const resumeRenewals = (ctx: Context): Promise<boolean> =>
  transaction(ctx, async (tx) => {
    const now = tx.clock.real()
    await mayRenew(tx, tx.db)
    if (!(await releaseRenewals(tx.db, now))) return false
    await auditCommand(tx, { command: 'renewals resume', productId: null, details: {} })
    return true
  })
