import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { read } from '../../../test/event-stream.ts'
import { surviveOutages } from '../../../test/outages.ts'
import { happen } from '../../../test/webhooks.ts'
import { transaction } from '../../context.ts'
import { deliverEvents } from './deliver-events-job.ts'
import { runDue, startWorker } from '../../jobs/worker.ts'

for (const seed of [1, 2, 3]) {
  test(`receivers that fail at random for 70 hours and processes that are killed: every event arrives (${seed})`, (t) =>
    surviveOutages(t, { events: 300, receivers: 5, seed }))
}

test('3,000 events of 8 writers in two processes with a worker each: the stream misses none, in order, each once', async (t) => {
  const app = await startTestApp('long_stream')
  t.after(() => app.close())
  const other = anotherProcess(app)
  t.after(() => other.close())
  await runDue(app.ctx, [deliverEvents])
  const reader = await read(app)
  t.after(() => reader.close())
  const workers = [app, other].map(({ ctx }) => startWorker(ctx, [deliverEvents]))
  t.after(() => Promise.all(workers.map((worker) => worker.stop())))
  const writer = async (n: number) => {
    const place: TestApp = { ...app, write: (work) => transaction(n % 2 === 0 ? app.ctx : other.ctx, work) }
    for (const user of usersOf(n)) await happen(place, [user])
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)))
  await reader.has(3_000)
  const seqs = reader.seen.map(({ id }) => Number(id))
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
  const users = reader.seen.map(({ data }) => Number(JSON.parse(data).user_id))
  assert.deepEqual(
    users.toSorted((a, b) => a - b),
    Array.from({ length: 8 }, (_, n) => usersOf(n)).flat(),
  )
})

/** Whose events a writer writes: each event is of another user, so that each is known by it. */
const usersOf = (writer: number) => Array.from({ length: 375 }, (_, n) => (writer + 1) * 1_000 + n)
