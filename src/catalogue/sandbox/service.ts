import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { addDuration, parseDuration } from '../../lib/duration.ts'
import { ApiError, invalid } from '../../lib/errors.ts'
import { addMonths } from '../../lib/periods.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { findClock, insertClock, listFirings, startAdvance } from './queries.ts'
import {
  presentClock,
  presentFiring,
  timeOf,
  UNMOVED,
  type ClockMove,
  type Firing,
  type SandboxClock,
  type SandboxToken,
} from './schema.ts'

/** So far a clock moves at once. */
const MOST_MONTHS = 24

/** How the clock of the product's sandbox stands. */
export async function getClock(ctx: ReadContext, scope: Scope): Promise<SandboxClock> {
  return presentClock((await findClock(ctx.db, scope)) ?? UNMOVED, ctx.clock.real())
}

/** What happened of itself in the product's sandbox, the newest first. */
export async function getTimeline(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  page: Paged,
): Promise<Firing[]> {
  return (await listFirings(pageReader(ctx, page), scope, page)).map(presentFiring)
}

/** One of target and duration is needed, and only one; what is given must be one. */
export async function checkMove({ target, duration }: ClockMove, problems: Problems): Promise<void> {
  const add = (field: string, message: string) => problems.malformed.push({ field, message })
  if (target !== undefined && parseTimeText(target, 'first second') === null) {
    add('target', 'must be a time, YYYY-MM-DD HH:MM:SS')
  }
  if (duration !== undefined && parseDuration(duration) === null) {
    add('duration', 'must be a duration of ISO 8601 in whole numbers, such as P1M')
  }
  if (target !== undefined && duration !== undefined) add('duration', 'cannot be given beside target')
  if (
    target === undefined &&
    duration === undefined &&
    !problems.has('target') &&
    !problems.has('duration')
  ) {
    problems.missing.push({ field: 'target', message: 'is required, or duration' })
  }
}

/**
 * Begins to move the clock of the product's sandbox forward; a job moves it from one due moment to the next. 400
 * `clock_not_forward`, `clock_too_far` past two years; 409 `clock_advancing` while it is moved already.
 */
export async function advanceClock(ctx: TxContext, scope: Scope, move: ClockMove): Promise<SandboxClock> {
  await insertClock(ctx.db, scope.productId)
  const row = await findClock(ctx.db, scope)
  const real = ctx.clock.real()
  if (!row || row.state !== 'ready') throw advancing()
  const atMs = timeOf(row, real)
  const targetMs = targetOf(toUtcTime(atMs), move)
  if (targetMs <= atMs) throw invalid('clock_not_forward', 'The clock of a sandbox only moves forward.')
  if (targetMs > fromUtcTime(addMonths(toUtcTime(atMs), MOST_MONTHS))) {
    throw invalid('clock_too_far', 'The clock of a sandbox moves two years at once at most.')
  }
  const started = await startAdvance(ctx.db, scope, { aheadMs: row.ahead_ms, atMs, targetMs, real })
  if (!started) throw advancing()
  return presentClock(started, real)
}

const advancing = () =>
  new ApiError(409, 'clock_advancing', 'The clock of this sandbox is being moved; wait until it is ready.')

/** Checked before (`checkMove`). */
function targetOf(now: UtcTime, { target, duration }: ClockMove): number {
  const time = target === undefined ? null : parseTimeText(target, 'first second')
  if (time !== null) return fromUtcTime(time)
  return addDuration(now, parseDuration(duration ?? '') ?? { months: 0, seconds: 0 })
}

/** A token by which checkouts of the product are opened in its sandbox for so many days (`docs/decisions.md` 3.16). */
export function issueSandboxToken(ctx: ReadContext, scope: Scope, days: number): SandboxToken {
  const now = ctx.clock.real()
  const claims = { plugin_id: String(scope.productId) }
  const token = issueToken(ctx.keys, { purpose: 'sandbox', claims, now, lastsMs: days * DAY })
  return { token, created: toUtcTime(now), expires: toUtcTime(now + days * DAY) }
}
