import type { Context } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { LeaseLost } from '../db/claim.ts'
import type { Writer } from '../db/database.ts'
import { storeLater } from '../db/store-later.ts'
import { errorText } from '../lib/error-text.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import type { Lease, Outcome, RecurringJob } from '../job.ts'
import { claimJob, updateJob, type JobRow } from './queries.ts'

const FIRST_RETRY_MS = 5 * SECOND
const LAST_RETRY_MS = 10 * MINUTE
/** How late a job is, at least, for which finding no database counts as a failure of its own. */
const AWAY_MS = MINUTE

/** The farthest ahead that a job is ever due or held, milliseconds. */
export const withinOf = ({ everyMs, leaseMs, firstAfterMs = 0 }: RecurringJob): number =>
  Math.max(everyMs, leaseMs, firstAfterMs, LAST_RETRY_MS)

interface Run {
  readonly ctx: Context
  readonly job: RecurringJob
  readonly row: JobRow
  /** When it was claimed, milliseconds. */
  readonly now: number
}

/**
 * Runs a job when it is due and free; null when it is not. What the job throws is stored in its row and
 * logged, and the job comes again after 5 seconds, doubled with each failure in a row, at most 10 minutes. `DatabaseBusy`
 * is thrown, and the job is due at once, unless it is a minute late already.
 */
export async function runRecurring(
  ctx: Context,
  job: RecurringJob,
  id: number,
  stopping: AbortSignal,
): Promise<Outcome | null> {
  const { database, clock } = ctx
  const { leaseMs } = job
  const now = clock.real()
  const claimed = { id, engine: database.engine, now, leaseMs, withinMs: withinOf(job) }
  const row = await database.transaction((db) => claimJob(db, claimed))
  if (!row) return null
  const run: Run = { ctx, job, row, now }
  let outcome: Outcome
  try {
    outcome = await job.run(ctx, leaseOf(run, stopping))
  } catch (error) {
    const due_at = Math.min(row.due_at ?? now, now)
    if (error instanceof DatabaseBusy && now - due_at < AWAY_MS) {
      // That says nothing of the job, which goes on as soon as the database is there, and stays as late as it is.
      await stored(run, { due_at, lease_until: 0 })
      throw error
    }
    await stored(run, failureOf(run, error))
    return 'done'
  }
  await stored(run, successOf(run, outcome))
  return outcome
}

const leaseOf = ({ ctx, job, row }: Run, stopping: AbortSignal): Lease => ({
  stopping,
  async guard(db) {
    const isHeld = await updateJob(db, row, { lease_until: ctx.clock.real() + job.leaseMs })
    if (!isHeld) throw new LeaseLost(`Another process has taken over ${job.name}.`)
  },
})

type Change = Parameters<typeof updateJob>[2]

function successOf({ ctx, job }: Run, outcome: Outcome): Change {
  const now = ctx.clock.real()
  const due_at = outcome === 'more' ? now : now + job.everyMs
  return { due_at, lease_until: 0, last_finished_at: now, failures: 0, last_error: null }
}

function failureOf({ ctx, job, row }: Run, error: unknown): Change {
  ctx.log.error({ err: error, job: job.name }, 'a job failed')
  const failures = row.failures + 1
  const due_at = ctx.clock.real() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** row.failures)
  return { due_at, lease_until: 0, failures, last_error: errorText(error) }
}

/** Writes how a run ended; where the database cannot be had, as soon as it can, and throws what it said. */
async function stored({ ctx, job, row }: Run, change: Change): Promise<void> {
  const store = (db: Writer) => updateJob(db, row, change)
  try {
    const isHeld = await ctx.database.transaction(store)
    if (!isHeld) ctx.log.warn({ job: job.name }, 'a job ran longer than its lease')
  } catch (error) {
    if (error instanceof DatabaseBusy) storeLater(ctx.database, `job ${row.name}`, job.leaseMs, store)
    throw error
  }
}
