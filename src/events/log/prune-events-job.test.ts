import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { addWebhook, happen, startReceiver, type Receiver } from '../../../test/webhooks.ts'
import type { Database } from '../../db/database.ts'
import { DAY } from '../../lib/time.ts'
import { deliverEvents } from '../delivery/deliver-events-job.ts'
import { pruneEvents } from './prune-events-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
  const kept = { eventDays: 60, attemptDays: 10 }
  app = await startTestApp('prune_events', { config: { mode: 'development', kept } })
})
after(() => Promise.all([app.close(), receiver.close()]))

const tables = ['events', 'deliveries', 'delivery_attempts', 'webhooks'] as const

async function counts() {
  const found = tables.map((table) =>
    app.ctx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow(),
  )
  return (await Promise.all(found)).map(({ rows }) => Number(rows))
}

const deliver = () => runDue(app.ctx, [deliverEvents])

async function pruneAfter(ms: number): Promise<number[]> {
  app.ctx.clock.advance(ms)
  await runDue(app.ctx, [pruneEvents])
  return counts()
}

test('attempts and then events go after their days, what waits stays, and a removed listener goes with the last', async () => {
  await pruneAfter(0)
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const users = Array.from({ length: 250 }, (_, n) => n + 1)
  await happen(app, users)
  await deliver()
  const [events = 0] = await counts()
  assert.deepEqual(await pruneAfter(10 * DAY - 1), [events, 250, 250, 1])
  assert.deepEqual(await pruneAfter(DAY), [events, 250, 0, 1])
  await app.call('DELETE', `/products/${app.seller.product.id}/webhooks/${id}.json`)
  const { id: later } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1])
  const left = (await pruneAfter(51 * DAY)).slice(0, 3)
  assert.deepEqual(left, [3, 0, 0])
  assert.deepEqual(
    (await app.ctx.db.selectFrom('webhooks').select('id').execute()).map((row) => String(row.id)),
    [later],
  )
  assert.deepEqual(await pruneAfter(61 * DAY), [1, 0, 0, 1])
  await deliver()
  assert.deepEqual(await pruneAfter(DAY), [0, 0, 0, 1])
})

test('a product with many listeners is pruned in batches: no transaction removes more than a few hundred rows', async () => {
  const urls = Array.from({ length: 8 }, (_, n) => `${receiver.url}/${n}`)
  const before = await counts()
  for (const url of urls) await addWebhook(app, { url, types: 'user.email.changed' })
  await happen(
    app,
    Array.from({ length: 150 }, (_, n) => n + 1),
    'user.email.changed',
  )
  await deliver()
  const [, deliveries = 0, attempts = 0] = await counts()
  assert.deepEqual([deliveries - (before[1] ?? 0), attempts - (before[2] ?? 0)], [1_200, 1_200])
  const removed: number[] = []
  const rows = async () => (await counts()).reduce((sum, count) => sum + count)
  const database: Database = {
    ...app.ctx.database,
    async transaction(work) {
      const had = await rows()
      const value = await app.ctx.database.transaction(work)
      removed.push(had - (await rows()))
      return value
    },
  }
  app.ctx.clock.advance(61 * DAY)
  await runDue({ ...app.ctx, database }, [pruneEvents])
  assert.ok(removed.length > 10 && Math.max(...removed) <= 600, removed.join(', '))
  assert.deepEqual((await counts()).slice(0, 3), [0, 0, 0])
})
