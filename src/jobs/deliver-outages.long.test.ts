import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/app.ts'
import { anotherProcess } from '../../test/dying.ts'
import { surviveOutages } from '../../test/outages.ts'
import { happen } from '../../test/webhooks.ts'
import { systemScope } from '../http/scope.ts'
import { lastSeq, listEventsAfter } from '../resources/events/queries.ts'
import { deliverEvents } from './deliver-events.ts'
import { startWorker } from './worker.ts'

for (const seed of [1, 2, 3]) {
  test(`receivers that fail at random for 70 hours and processes that are killed: every event arrives (${seed})`, () =>
    surviveOutages({ events: 300, receivers: 5, seed }))
}

test('3,000 events of 8 writers in two processes with a worker each: who reads by their order misses none', async () => {
  const app = await startTestApp('long_stream')
  const other = anotherProcess(app)
  const workers = [app, other].map(({ ctx }) => startWorker(ctx, [deliverEvents]))
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  const before = await lastSeq(app.ctx.db, scope)
  const writer = async (n: number) => {
    for (let count = 0; count < 375; count++)
      await happen(n % 2 === 0 ? app : { ...app, ctx: other.ctx }, [n])
  }
  const writing = Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)))
  const seen = new Set<number>()
  for (let after = before; seen.size < 3_000;) {
    const rows = await listEventsAfter(app.ctx.db, scope, { after, count: 50 })
    for (const { id } of rows) seen.add(id)
    after = rows.at(-1)?.seq ?? after
  }
  await writing
  assert.equal(seen.size, 3_000)
  for (const worker of workers) await worker.stop()
  await other.close()
  await app.close()
})
