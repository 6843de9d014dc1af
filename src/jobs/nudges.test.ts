// Runs beside others.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anotherProcess, type Opened } from '../../test/dying.ts'
import { queue, recurring, signal, until, workersOn } from '../../test/workers.ts'
import type { QueueJob } from '../job.ts'

const workers = workersOn('nudges')
const { start, startNudged, anotherRuns } = workers
let opened: Opened
let ctx: Opened['ctx']
before(() => {
  opened = workers.opened
  ctx = opened.ctx
})

test('a thousand nudges are one look, and it comes without a poll', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  const worker = startNudged(ctx, queue('nudged', work))
  await until(() => work.looks === 1)
  for (const looks of [2, 3, 4]) {
    work.due = true
    for (let n = 0; n < 1000; n++) worker.nudge()
    await until(() => !work.due)
    assert.deepEqual(work, { due: false, looks, runs: looks - 1 })
    await anotherRuns()
  }
})

test('nudges that keep coming are a look every 20 milliseconds at most', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  const worker = startNudged(ctx, queue('nudged on', work))
  await until(() => work.looks === 1)
  const began = performance.now()
  while (work.looks < 11) {
    worker.nudge()
    await sleep(1)
  }
  // A timer may be a millisecond early.
  assert.ok(performance.now() - began >= 10 * 19, `10 looks in ${performance.now() - began} ms`)
})

test('work that arrives while its job is running is not left until the next poll', async () => {
  const held = signal()
  let runs = 0
  let due = true
  const job: QueueJob = {
    kind: 'queue',
    name: 'busy',
    isDue: async () => due,
    async run() {
      due = false
      if (++runs === 1) await held.promise
      return 'done'
    },
  }
  const last = { due: false, looks: 0, runs: 0 }
  const worker = startNudged(ctx, job, queue('after it', last))
  await until(() => runs === 1 && last.looks === 1)
  due = true
  worker.nudge()
  await until(() => last.looks === 2)
  assert.equal(runs, 1)
  held.resolve()
  await until(() => runs === 2)
})

test('without a nudge work is found by the next poll', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  start(ctx, queue('polled', work))
  await until(() => work.looks === 1)
  work.due = true
  await until(() => work.runs === 1)
})

test('what another process writes is found long before the next look at all; an embedded database is not asked before', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  const other = anotherProcess(opened)
  const { version } = ctx.database
  let asked = 0
  const database = version ? { ...ctx.database, version: () => (asked++, version()) } : ctx.database
  startNudged({ ...ctx, database }, { ...queue('of another process', work), pollMs: 10 })
  await until(() => work.looks >= 1 && asked >= (version ? 5 : 0))
  const [quiet, before] = [work.looks, asked]
  await until(() => (version ? asked > before + 5 : work.looks > quiet + 5))
  if (version) assert.equal(work.looks, quiet)
  work.due = true
  await other.ctx.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values({ name: 'another writes', due_at: null, lease_until: 0, fence: 0 })
      .execute(),
  )
  await until(() => work.runs === 1)
  await other.close()
})

test('a queue that cannot be read rests for five seconds and stops nobody', async () => {
  let tries = 0
  let runs = 0
  const broken: QueueJob = {
    kind: 'queue',
    name: 'broken',
    isDue: async () => {
      tries++
      throw new Error('no such table')
    },
    run: async () => 'done',
  }
  const worker = start(
    ctx,
    broken,
    recurring('beside a broken one', async () => (++runs < 4 ? 'more' : 'done')),
  )
  await until(() => runs === 4)
  assert.equal(tries, 1)
  ctx.clock.advance(5000)
  worker.nudge()
  await until(() => tries === 2)
})
