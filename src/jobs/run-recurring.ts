import type { Context } from '../context.ts'
import { LeaseLost } from '../db/claim.ts'
import { errorText } from '../lib/error-text.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import type { Lease, Outcome, RecurringJob } from './job.ts'
import { claimJob, updateJob, type JobRow } from './queries.ts'

const FIRST_RETRY_MS = 5 * SECOND
const LAST_RETRY_MS = 10 * MINUTE

/** The farthest ahead that a job is ever due or held, milliseconds. */
export const withinOf = ({ everyMs, leaseMs, firstAfterMs = 0 }: RecurringJob): number =>
  Math.max(everyMs, leaseMs, firstAfterMs, LAST_RETRY_MS)

interface Run {
  readonly ctx: Context
  readonly job: RecurringJob
  readonly row: JobRow
}

/**
 * Runs a job when it is due and free; null when it is not. What the job throws is stored in its row and
 * logged, and the job comes again after 5 seconds, doubled with each failure in a row, at most 10 minutes.
 */
export async function runRecurring(
  ctx: Context,
  job: RecurringJob,
  id: number,
  stopping: AbortSignal,
): Promise<Outcome | null> {
  const { database, clock } = ctx
  const { leaseMs } = job
  const claimed = { id, engine: database.engine, now: clock.real(), leaseMs, withinMs: withinOf(job) }
  const row = await database.transaction((db) => claimJob(db, claimed))
  if (!row) return null
  const run: Run = { ctx, job, row }
  let outcome: Outcome
  try {
    outcome = await job.run(ctx, leaseOf(run, stopping))
  } catch (error) {
    await recordFailure(run, error)
    return 'done'
  }
  await recordSuccess(run, outcome)
  return outcome
}

const leaseOf = ({ ctx, job, row }: Run, stopping: AbortSignal): Lease => ({
  stopping,
  async guard(db) {
    const isHeld = await updateJob(db, row, { lease_until: ctx.clock.real() + job.leaseMs })
    if (!isHeld) throw new LeaseLost(`Another process has taken over ${job.name}.`)
  },
})

async function recordSuccess({ ctx, job, row }: Run, outcome: Outcome): Promise<void> {
  const now = ctx.clock.real()
  const due_at = outcome === 'more' ? now : now + job.everyMs
  const change = { due_at, lease_until: 0, last_finished_at: now, failures: 0, last_error: null }
  const isHeld = await ctx.database.transaction((db) => updateJob(db, row, change))
  if (!isHeld) ctx.log.warn({ job: job.name }, 'a job ran longer than its lease')
}

async function recordFailure({ ctx, job, row }: Run, error: unknown): Promise<void> {
  ctx.log.error({ err: error, job: job.name }, 'a job failed')
  const failures = row.failures + 1
  const due_at = ctx.clock.real() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** row.failures)
  const change = { due_at, lease_until: 0, failures, last_error: errorText(error) }
  await ctx.database.transaction((db) => updateJob(db, row, change))
}
