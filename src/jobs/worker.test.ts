// Runs beside others.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { START } from '../../test/app.ts'
import { anotherProcess, type Opened } from '../../test/dying.ts'
import { queue, recurring, signal, until, workersOn } from '../../test/workers.ts'
import { DAY, MINUTE } from '../lib/time.ts'
import type { QueueJob } from '../job.ts'
import { runDue } from './worker.ts'

const workers = workersOn('worker')
const { start, startNudged, anotherRuns } = workers
let opened: Opened
let ctx: Opened['ctx']
before(() => {
  opened = workers.opened
  ctx = opened.ctx
})

const rowOf = (name: string) =>
  ctx.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

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
  await anotherRuns()
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
  const last = { due: false, looks: 0, runs: 0 }
  const worker = startNudged(ctx, slow, waiting, queue('after those', last))
  await until(() => counts.slow + counts.waiting === 2 && last.looks === 1)
  ctx.clock.advance(MINUTE)
  worker.nudge()
  await until(() => last.looks === 2)
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
  await anotherRuns()
  assert.equal(isStopped, false)
  held.resolve()
  await stopping
  await anotherRuns()
  assert.deepEqual(ran, ['in hand, told to stop: true'])
  const row = await rowOf('in hand')
  assert.deepEqual([row.lease_until, row.last_finished_at, row.fence], [0, START, 1])
})
