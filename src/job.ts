import type { Context } from './context.ts'
import type { Writer } from './db/database.ts'

/** `more`: a batch is done and others wait, so the next run is due at once; `done`: nothing is left for now. */
export type Outcome = 'more' | 'done'

/** What a run of a recurring job holds; any number of processes compete for it. */
export interface Lease {
  /**
   * Called first in each transaction of the run: extends the lease, and throws LeaseLost when another
   * process has taken the job over, so that nothing of this transaction is kept.
   */
  guard(db: Writer): Promise<void>
  /** Aborted when the process is to end: finish what is in hand, begin nothing more. */
  readonly stopping: AbortSignal
}

/**
 * Runs in one process at a time, `everyMs` after its last run; a time that was missed is made up for
 * once. A run that takes longer than `leaseMs` without a `guard` may be taken over, one of a killed process not before
 * (`docs/decisions.md` 5.27).
 */
export interface RecurringJob {
  readonly kind: 'recurring'
  /** Its row in `jobs`; a name that has landed is never changed. */
  readonly name: string
  readonly everyMs: number
  readonly leaseMs: number
  /** How long after it is first known it runs first; by default at once. */
  readonly firstAfterMs?: number
  run(ctx: Context, lease: Lease): Promise<Outcome>
}

/** Works off a table whose rows are claimed one by one: in every process, as soon as something is due. */
export interface QueueJob {
  readonly kind: 'queue'
  readonly name: string
  /** How often it is looked at for what other processes write, beside the looks at all jobs; absent: never. */
  readonly pollMs?: number
  /** One short read. */
  isDue(ctx: Context): Promise<boolean>
  /** What is given to `beside` goes on while the job runs again; it does not fail. */
  run(ctx: Context, stopping: AbortSignal, beside: (work: Promise<void>) => void): Promise<Outcome>
}

export type Job = RecurringJob | QueueJob
