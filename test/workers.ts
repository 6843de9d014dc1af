import assert from 'node:assert/strict'
import { after, afterEach, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../src/context.ts'
import type { Job, Lease, Outcome, QueueJob, RecurringJob } from '../src/job.ts'
import { startWorker, type Worker } from '../src/jobs/worker.ts'
import { HOUR, MINUTE } from '../src/lib/time.ts'
import { START, testContext } from './app.ts'
import type { Opened } from './dying.ts'

export const recurring = (
  name: string,
  run: (ctx: Context, lease: Lease) => Promise<Outcome>,
  everyMs = MINUTE,
): RecurringJob => ({ kind: 'recurring', name, everyMs, leaseMs: 10_000, run })

/** A job that is looked at, and run once where it is due. */
export const queue = (name: string, work: { due: boolean; looks: number; runs: number }): QueueJob => ({
  kind: 'queue',
  name,
  async isDue() {
    work.looks++
    return work.due
  },
  async run() {
    work.runs++
    work.due = false
    return 'done'
  },
})

export const signal = () => Promise.withResolvers<void>()

/** Resolves once it is true; fails after ten seconds. */
export async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < end, 'waited for 10 seconds')
    await pause(2)
  }
}

/** A database of the tests of a file, whose workers end with each test. */
export function workersOn(name: string) {
  let opened: (Opened & { drop(): Promise<void> }) | undefined
  const workers: Worker[] = []
  const place = () => opened ?? assert.fail('It is opened before the tests.')
  before(async () => {
    opened = await testContext(name)
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    place().ctx.clock.set(START)
  })
  after(() => place().drop())
  const begin = (on: Context, jobs: readonly Job[], pollMs?: number) => {
    const worker = startWorker(on, jobs, pollMs)
    workers.push(worker)
    return worker
  }
  return {
    get opened() {
      return place()
    },
    start: (on: Context, ...jobs: Job[]) => begin(on, jobs),
    /** A worker that looks for work when it is nudged alone. */
    startNudged: (on: Context, ...jobs: Job[]) => begin(on, jobs, HOUR),
    /** Another worker looks for its work, runs it and ends. */
    async anotherRuns(): Promise<void> {
      const ran = signal()
      const job = recurring(`another ${crypto.randomUUID()}`, async () => (ran.resolve(), 'done'))
      const worker = begin(place().ctx, [job])
      await ran.promise
      await worker.stop()
    },
  }
}
