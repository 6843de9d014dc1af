import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { hasCome } from '../db/has-come.ts'
import { versionOf } from '../db/version.ts'
import { atWork } from '../lib/at-work.ts'
import { SECOND } from '../lib/time.ts'
import { advanceSandboxes } from './advance-sandboxes.ts'
import { Alarm } from '../work/alarm.ts'
import { chainAudit } from '../access/chain-audit-job.ts'
import { countInstalls } from '../licensing/installs/count-installs-job.ts'
import { countSales } from '../sales/payments/count-sales-job.ts'
import { deliverEvents } from '../events/delivery/deliver-events-job.ts'
import { deliverMails } from './deliver-mails.ts'
import { eraseUsers } from '../sales/privacy/erase-job.ts'
import { expire } from '../licensing/notices/expire-job.ts'
import { demoGoesOn } from '../demo/goes-on-job.ts'
import type { Job, Outcome, QueueJob } from '../job.ts'
import { foldCounts } from '../sales/overview/fold-counts-job.ts'
import { heartbeat } from '../work/heartbeat-job.ts'
import { keepInvoices } from '../sales/invoices/keep-invoices-job.ts'
import { lookAgainAtCharges } from '../sales/charges/look-again-job.ts'
import { mailKeys } from '../licensing/licenses/mail-keys-job.ts'
import { pruneEvents } from '../events/log/prune-events-job.ts'
import { prune } from './prune.ts'
import { findJobs, insertJobs } from './queries.ts'
import { recoverCarts } from '../sales/carts/recover-carts-job.ts'
import { remind } from '../sales/renewals/remind-job.ts'
import { renew, renewSandboxes } from '../sales/renewals/renew-job.ts'
import { runRecurring, withinOf } from './run-recurring.ts'
import { settlePurchases } from '../sales/checkouts/settle-purchases-job.ts'
import { settleRenewals } from '../sales/renewals/settle-renewals-job.ts'
import { settleRefunds } from '../sales/refunds/settle-refunds-job.ts'
import { bringImports } from '../imports/asked/bring-imports-job.ts'
import { runBulks } from '../lists/bulk/run-bulks-job.ts'
import { writeExports } from '../lists/exports/write-exports-job.ts'
import { sweepFiles } from '../deployments/storage/sweep-files-job.ts'
import { settleReports } from '../sales/charges/settle-reports-job.ts'
import { settleTaxes } from '../sales/taxes/settle-taxes-job.ts'

/** Every job of the server. */
export const JOBS: readonly Job[] = [
  heartbeat,
  mailKeys,
  deliverMails,
  deliverEvents,
  eraseUsers,
  chainAudit,
  renew,
  renewSandboxes,
  settlePurchases,
  settleRenewals,
  lookAgainAtCharges,
  settleRefunds,
  settleReports,
  settleTaxes,
  keepInvoices,
  expire,
  remind,
  recoverCarts,
  advanceSandboxes,
  countInstalls,
  countSales,
  foldCounts,
  prune,
  pruneEvents,
  sweepFiles,
  writeExports,
  runBulks,
  bringImports,
  demoGoesOn,
]

const POLL_MS = SECOND
/** From the first nudge to the look, so that all nudges of that time are one look. */
const NUDGE_MS = 20
/** As many times as long as a look takes nobody looks again, up to the most. */
const REST_FACTOR = 5
const NUDGE_MOST_MS = 200
/** For a job that is looked at alone: no recurring one. */
const NONE: ReadonlyMap<string, number> = new Map()
/** How long a job is left alone that could not even be begun. */
const REST_MS = 5 * SECOND

export interface Worker {
  /** Looks for due work now rather than at the next second; costs nothing, however often it is called. */
  nudge(): void
  /** Begins no further run; resolves when those in hand have ended (`docs/security-checks.md` R14). */
  stop(): Promise<void>
}

/**
 * Runs jobs as they fall due, until it is stopped: each at most once at a time in this process, none
 * waiting for another. Any number of processes may run this on one database. Whether or not anybody nudges, it looks
 * for due work every `pollMs` milliseconds.
 */
export const startWorker = (ctx: Context, jobs: readonly Job[] = JOBS, pollMs = POLL_MS): Worker =>
  new JobLoop(ctx, jobs, pollMs)

/** Runs one after another what is due, until nothing is; returns how many runs that took. */
export async function runDue(ctx: Context, jobs: readonly Job[] = JOBS): Promise<number> {
  const { signal: stopping } = new AbortController()
  const beside = new Beside()
  let runs = 0
  for (let before = -1; before < runs;) {
    before = runs
    const due = await idsOfDue(ctx, jobs)
    for (const job of jobs) {
      if ((await runIfDue(ctx, job, due, { stopping, beside })) !== null) runs++
    }
    await beside.ended()
  }
  return runs
}

/** What jobs have begun and do not wait for. */
class Beside {
  readonly #works = new Set<Promise<void>>()

  readonly add = (work: Promise<void>): void => {
    const ended = work.finally(() => void this.#works.delete(ended))
    this.#works.add(ended)
  }

  async ended(): Promise<void> {
    await Promise.all(this.#works)
  }
}

class JobLoop implements Worker {
  readonly #ctx: Context
  readonly #jobs: readonly Job[]
  readonly #pollMs: number
  readonly #stopping = new AbortController()
  readonly #alarm = new Alarm()
  readonly #running = new Map<string, Promise<void>>()
  /** Running jobs at which a look came by; they may have looked before the work was there. */
  readonly #again = new Set<string>()
  /** Jobs for which the database was away when they were run last. */
  readonly #away = new Set<string>()
  readonly #restsUntil = new Map<string, number>()
  readonly #beside = new Beside()
  readonly #ended: Promise<unknown>

  constructor(ctx: Context, jobs: readonly Job[], pollMs: number) {
    this.#ctx = ctx
    this.#pollMs = pollMs
    this.#jobs = jobs
    const polled = jobs.flatMap((job) =>
      job.kind === 'queue' && job.pollMs ? [this.#poll(job, job.pollMs)] : [],
    )
    this.#ended = Promise.all([this.#loop(), ...polled])
  }

  nudge(): void {
    this.#alarm.ring()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#alarm.ring()
    await this.#ended
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const begun = performance.now()
      await this.#look().catch((error: unknown) =>
        this.#ctx.log.error({ err: error }, 'the jobs could not be read'),
      )
      const rest = REST_FACTOR * (performance.now() - begun)
      await this.#alarm.wait(this.#pollMs)
      await sleep(Math.min(NUDGE_MOST_MS, Math.max(NUDGE_MS, rest)))
      this.#alarm.reset()
    }
    await Promise.all(this.#running.values())
    await this.#beside.ended()
  }

  /** Between the looks at all jobs, for one that others wait for; not while nobody has written anything. */
  async #poll(job: QueueJob, everyMs: number): Promise<void> {
    const { signal } = this.#stopping
    const pause = new Alarm()
    signal.addEventListener('abort', () => pause.ring())
    let seen: number | undefined
    while (!signal.aborted) {
      await pause.wait(everyMs)
      if (signal.aborted) return
      if (this.#running.has(job.name) || !this.#rested(job)) continue
      const version = versionOf(this.#ctx.database)
      if (version !== undefined && version === seen) continue
      seen = version
      this.#running.set(job.name, this.#run(job, NONE))
    }
  }

  #rested(job: Job): boolean {
    return hasCome(this.#restsUntil.get(job.name) ?? 0, this.#ctx.clock.real(), REST_MS)
  }

  async #look(): Promise<void> {
    const due = await idsOfDue(this.#ctx, this.#jobs)
    for (const job of this.#jobs) {
      // Requests come in between: a database in the process answers all of them in one go.
      await turn()
      if (this.#stopping.signal.aborted) return
      if (this.#running.has(job.name)) this.#again.add(job.name)
      else if (this.#rested(job)) this.#running.set(job.name, this.#run(job, due))
    }
  }

  async #run(job: Job, due: ReadonlyMap<string, number>): Promise<void> {
    try {
      const hand = { stopping: this.#stopping.signal, beside: this.#beside }
      const outcome = await atWork(job.name, () => runIfDue(this.#ctx, job, due, hand))
      if (outcome === 'more') this.#alarm.ring()
      this.#away.delete(job.name)
    } catch (error) {
      const isAway = error instanceof DatabaseBusy
      // Once while the database is away, as it is tried each second.
      if (!isAway || !this.#away.has(job.name))
        this.#ctx.log.error({ err: error, job: job.name }, 'a job could not be run')
      if (isAway) this.#away.add(job.name)
      this.#restsUntil.set(job.name, this.#ctx.clock.real() + (isAway ? POLL_MS : REST_MS))
    }
    this.#running.delete(job.name)
    if (this.#again.delete(job.name)) this.#alarm.ring()
  }
}

/** Name → id of the recurring jobs that are due and free. Jobs that have no row yet get one, due at once. */
async function idsOfDue(ctx: Context, jobs: readonly Job[]): Promise<Map<string, number>> {
  const recurring = jobs.filter((job) => job.kind === 'recurring')
  const names = recurring.map(({ name }) => name)
  if (names.length === 0) return new Map()
  const now = ctx.clock.real()
  let rows = await findJobs(ctx.db, names)
  const known = new Set(rows.map(({ name }) => name))
  const missing = recurring
    .filter(({ name }) => !known.has(name))
    .map(({ name, firstAfterMs = 0 }) => ({ name, due_at: now + firstAfterMs }))
  if (missing.length > 0) {
    await ctx.database.transaction((db) => insertJobs(db, missing))
    rows = await findJobs(ctx.db, names)
  }
  const byName = new Map(rows.map((row) => [row.name, row]))
  const due = new Map<string, number>()
  for (const job of recurring) {
    const row = byName.get(job.name)
    const withinMs = withinOf(job)
    if (!row || row.due_at === null || !hasCome(row.due_at, now, withinMs)) continue
    if (hasCome(row.lease_until, now, withinMs)) due.set(row.name, row.id)
  }
  return due
}

/** Null when there was nothing to run, or another process has it. */
async function runIfDue(
  ctx: Context,
  job: Job,
  due: ReadonlyMap<string, number>,
  { stopping, beside }: { readonly stopping: AbortSignal; readonly beside: Beside },
): Promise<Outcome | null> {
  if (job.kind === 'queue') return (await job.isDue(ctx)) ? job.run(ctx, stopping, beside.add) : null
  const id = due.get(job.name)
  return id === undefined ? null : runRecurring(ctx, job, id, stopping)
}
