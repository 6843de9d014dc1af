import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { START, testContext } from '../../test/app.ts'
import type { Opened } from '../../test/dying.ts'
import { DAY, MINUTE } from '../lib/time.ts'
import type { Outcome, QueueJob, RecurringJob } from '../job.ts'
import { runDue, startWorker, type Worker } from './worker.ts'

let opened: Opened & { drop(): Promise<void> }
let ctx: Opened['ctx']
const workers: Worker[] = []
before(async () => {
  opened = await testContext('worker_clock_back')
  ctx = opened.ctx
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  ctx.clock.set(START)
})
after(() => opened.drop())

const recurring = (name: string, run: () => Promise<Outcome>): RecurringJob => ({
  kind: 'recurring',
  name,
  everyMs: MINUTE,
  leaseMs: 10_000,
  run,
})

const until = async (isTrue: () => boolean) => {
  const end = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < end, 'waited for 10 seconds')
    await sleep(2)
  }
}

test('a job runs on when a clock that was ahead comes back', async () => {
  let runs = 0
  const job = recurring('ahead', async () => {
    runs++
    return 'done'
  })
  const failing = recurring('ahead.failing', async () => {
    runs++
    throw new Error('no')
  })
  ctx.clock.advance(400 * DAY)
  await runDue(ctx, [job, failing])
  assert.equal(runs, 2)
  ctx.clock.set(START)
  await runDue(ctx, [job, failing])
  assert.equal(runs, 4)
  await runDue(ctx, [job])
  assert.equal(runs, 4)
})

test('a job that a process held under a clock that was ahead is taken over when that comes back', async () => {
  let runs = 0
  const job = recurring('ahead.held', async () => {
    runs++
    return 'done'
  })
  await runDue(ctx, [job])
  await ctx.database.transaction((db) =>
    db
      .updateTable('jobs')
      .set({ due_at: START, lease_until: START + 400 * DAY })
      .where('name', '=', 'ahead.held')
      .execute(),
  )
  await runDue(ctx, [job])
  assert.equal(runs, 2)
})

test('a job that could not be begun under a clock that was ahead is begun when that comes back', async () => {
  let asked = 0
  const job: QueueJob = {
    kind: 'queue',
    name: 'ahead.rests',
    isDue: async () => {
      if (asked++ === 0) throw new Error('the database is away')
      return false
    },
    run: async () => 'done',
  }
  ctx.clock.advance(400 * DAY)
  workers.push(startWorker(ctx, [job]))
  await until(() => asked === 1)
  ctx.clock.set(START)
  workers[0]?.nudge()
  await until(() => asked === 2)
})
