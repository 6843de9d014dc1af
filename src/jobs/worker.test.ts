// Runs beside others.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { START, testContext } from '../../test/app.ts'
import { anotherProcess, type Opened } from '../../test/dying.ts'
import type { Context } from '../context.ts'
import { DAY, MINUTE } from '../lib/time.ts'
import type { Job, Lease, Outcome, QueueJob, RecurringJob } from '../job.ts'
import { runDue, startWorker, type Worker } from './worker.ts'

let opened: Opened & { drop(): Promise<void> }
let ctx: Opened['ctx']
const workers: Worker[] = []
before(async () => {
  opened = await testContext('worker')
  ctx = opened.ctx
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  ctx.clock.set(START)
})
after(() => opened.drop())

const recurring = (
  name: string,
  run: (ctx: Context, lease: Lease) => Promise<Outcome>,
  everyMs = MINUTE,
): RecurringJob => ({ kind: 'recurring', name, everyMs, leaseMs: 10_000, run })

const start = (on: Context, ...jobs: Job[]) => {
  const worker = startWorker(on, jobs)
  workers.push(worker)
  return worker
}
const rowOf = (name: string) =>
  ctx.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
const until = async (isTrue: () => boolean) => {
  const end = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < end, 'waited for 10 seconds')
    await sleep(2)
  }
}
const signal = () => Promise.withResolvers<void>()

test('four processes never run one job at the same time', async () => {
  let inside = 0
  let most = 0
  let runs = 0
  const job = recurring('alone', async () => {
    most = Math.max(most, ++inside)
    await sleep(5)
    inside--
    runs++
    return 'more'
  })
  const others = [1, 2, 3].map(() => anotherProcess(opened))
  const started = [ctx, ...others.map((other) => other.ctx)].map((one) => start(one, job))
  await until(() => runs >= 40)
  await Promise.all(started.map((worker) => worker.stop()))
  await Promise.all(others.map((other) => other.close()))
  assert.equal(most, 1)
  assert.equal((await rowOf('alone')).fence, runs)
})

test('processes that start at once make one row for a job', async () => {
  const other = anotherProcess(opened)
  const job = recurring('row', async () => 'done')
  await Promise.all([ctx, other.ctx, ctx, other.ctx].map((one) => runDue(one, [job])))
  await other.close()
  const rows = await ctx.db.selectFrom('jobs').select('id').where('name', '=', 'row').execute()
  assert.equal(rows.length, 1)
})

test('a job that was due all day while nobody ran runs once, and then keeps its interval', async () => {
  let runs = 0
  const job = recurring('catch-up', async () => (runs++, 'done'))
  assert.equal(await runDue(ctx, [job]), 1)
  ctx.clock.advance(DAY)
  assert.equal(await runDue(ctx, [job]), 1)
  assert.equal((await rowOf('catch-up')).due_at, START + DAY + MINUTE)
  ctx.clock.advance(MINUTE - 1)
  assert.equal(await runDue(ctx, [job]), 0)
  ctx.clock.advance(1)
  assert.equal(await runDue(ctx, [job]), 1)
  assert.equal(runs, 3)
})

test('a backlog is worked off in batches, and other jobs run in between', async () => {
  const ran: string[] = []
  const long = recurring('backlog', async () => {
    ran.push('long')
    return ran.length < 5 ? 'more' : 'done'
  })
  const short = recurring('beside', async () => (ran.push('short'), 'done'))
  assert.equal(await runDue(ctx, [long, short]), 5)
  assert.deepEqual(ran, ['long', 'short', 'long', 'long', 'long'])
})

test('a job that takes long holds up no other', async () => {
  const held = signal()
  let runs = 0
  start(
    ctx,
    recurring('slow', () => held.promise.then(() => 'done')),
    recurring('quick', async () => (runs++, 'done')),
  )
  await until(() => runs === 1)
  held.resolve()
})

test('a job of another version is left to those who know it', async () => {
  await runDue(ctx, [recurring('known elsewhere', async () => 'done')])
  ctx.clock.advance(DAY)
  await runDue(ctx, [recurring('known here', async () => 'done')])
  assert.equal((await rowOf('known elsewhere')).fence, 1)
})

test('a worker that is stopped at once runs nothing', async () => {
  let runs = 0
  const job = recurring('never', async () => (runs++, 'done'))
  await start(ctx, job).stop()
  await sleep(50)
  assert.equal(runs, 0)
})

test('a process runs a job once at a time, even when it takes longer than its lease', async () => {
  const held = signal()
  const counts = { slow: 0, waiting: 0 }
  const slow = recurring('longer than its lease', async () => {
    counts.slow++
    await held.promise
    return 'done'
  })
  const waiting: QueueJob = {
    kind: 'queue',
    name: 'always due',
    isDue: async () => true,
    async run() {
      counts.waiting++
      await held.promise
      return 'done'
    },
  }
  const worker = start(ctx, slow, waiting)
  await until(() => counts.slow + counts.waiting === 2)
  ctx.clock.advance(MINUTE)
  worker.nudge()
  await sleep(100)
  assert.deepEqual(counts, { slow: 1, waiting: 1 })
  const stopped = worker.stop()
  held.resolve()
  await stopped
})

test('a stop waits for the job in hand and begins no other', async () => {
  const begun = signal()
  const held = signal()
  const ran: string[] = []
  const first = recurring('in hand', async (_, { stopping }) => {
    begun.resolve()
    await held.promise
    ran.push(`in hand, told to stop: ${stopping.aborted}`)
    return 'more'
  })
  const worker = start(ctx, first)
  await begun.promise
  let isStopped = false
  const stopping = worker.stop().then(() => (isStopped = true))
  await sleep(50)
  assert.equal(isStopped, false)
  held.resolve()
  await stopping
  await sleep(50)
  assert.deepEqual(ran, ['in hand, told to stop: true'])
  const row = await rowOf('in hand')
  assert.deepEqual([row.lease_until, row.last_finished_at, row.fence], [0, START, 1])
})

const queue = (name: string, work: { due: boolean; looks: number; runs: number }): QueueJob => ({
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

test('a thousand nudges are one look, and it comes long before the next poll', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  const worker = start(ctx, queue('nudged', work))
  await until(() => work.looks === 1)
  await sleep(60)
  work.due = true
  for (let n = 0; n < 1000; n++) worker.nudge()
  await sleep(300)
  assert.deepEqual(work, { due: false, looks: 2, runs: 1 })
})

test('nudges that keep coming are a look every 20 milliseconds at most', async () => {
  const work = { due: false, looks: 0, runs: 0 }
  const worker = start(ctx, queue('nudged on', work))
  const began = performance.now()
  while (performance.now() < began + 200) {
    worker.nudge()
    await sleep(1)
  }
  assert.ok(work.looks >= 2 && work.looks <= 11, `${work.looks} looks in 200 ms`)
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
  const worker = start(ctx, job)
  await until(() => runs === 1)
  due = true
  worker.nudge()
  await sleep(100)
  held.resolve()
  await sleep(300)
  assert.equal(runs, 2)
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
  start(ctx, { ...queue('of another process', work), pollMs: 10 })
  await until(() => work.looks >= 1)
  await sleep(100)
  const quiet = work.looks
  await sleep(200)
  if (ctx.database.engine === 'sqlite') assert.ok(work.looks <= quiet + 1, `${work.looks} looks`)
  else assert.ok(work.looks > quiet + 5, `${work.looks} looks`)
  work.due = true
  const at = performance.now()
  await other.ctx.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values({ name: 'another writes', due_at: null, lease_until: 0, fence: 0 })
      .execute(),
  )
  await until(() => work.runs === 1)
  assert.ok(performance.now() - at < 500)
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
