import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip, upload } from '../../test/archives.ts'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { salesOf } from '../../test/invoices.ts'
import { poison } from '../../test/poison.ts'
import { sell } from '../../test/sales.ts'
import { addWebhook, happen, startReceiver } from '../../test/webhooks.ts'
import { leftForGood } from '../db/failed-rows.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { countSales } from '../sales/payments/count-sales-job.ts'
import { deliverEvents } from '../events/delivery/deliver-events-job.ts'
import type { RecurringJob } from '../job.ts'
import { keepInvoices } from '../sales/invoices/keep-invoices-job.ts'
import { pruneEvents } from '../events/log/prune-events-job.ts'
import { sweepFiles } from '../deployments/storage/sweep-files-job.ts'
import { runDue } from './worker.ts'

let app: TestApp
before(async () => {
  const kept = { eventDays: 60, attemptDays: 10 }
  app = await startTestApp('poisoned_upkeep', { config: { mode: 'development', kept } })
})
after(() => app.close())

async function run(job: RecurringJob, ctx = app.ctx): Promise<void> {
  await app.write((tx) => tx.db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', job.name).execute())
  await runDue(ctx, [job])
}

const failuresOf = async ({ name }: RecurringJob) =>
  (await app.ctx.db.selectFrom('jobs').select('failures').where('name', '=', name).executeTakeFirstOrThrow())
    .failures

test('an invoice that cannot be kept stops none of the others, and is left alone after ten tries', async () => {
  app.ctx.clock.set(START)
  const sales = await salesOf(app)
  for (let n = 0; n < 3; n++) await sales.pay()
  await app.write(({ db }) => db.updateTable('invoices').set({ content: null }).execute())
  const waiting = async () => {
    const rows = app.ctx.db.selectFrom('invoices').select('id').where('content', 'is', null)
    return (await rows.orderBy('id').execute()).map(({ id }) => id)
  }
  const [bad = 0] = await waiting()
  const mend = await poison(app, 'invoices', bad)
  await run(keepInvoices)
  assert.deepEqual([await waiting(), await failuresOf(keepInvoices)], [[bad], 0])
  for (let n = 0; n < 24; n++) {
    app.ctx.clock.advance(6 * HOUR)
    await run(keepInvoices)
  }
  assert.deepEqual(
    (await leftForGood(app.ctx.db, 10)).map(({ job, row_id: id, failures }) => [job, id, failures]),
    [['keep-invoices', bad, 10]],
  )
  await mend()
})

test('an archive that cannot be removed keeps no other from being removed, and goes the next time', async () => {
  app.ctx.clock.set(Date.now())
  for (const version of ['1.0', '1.1']) await upload(app, await pluginZip({ version }))
  const { storage, config } = app.ctx
  const files = async () => (await Array.fromAsync(storage.list())).map(({ sha256 }) => sha256)
  const kept = await upload(app, await pluginZip({ version: '2.0' }), { product: app.seller.other })
  assert.equal(kept.status, 200, kept.text)
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/tags.json`)
  for (const { id } of json.tags)
    await app.call('DELETE', `/products/${app.seller.product.id}/tags/${id}.json`)
  const then = new Date(Date.now() - 4 * HOUR)
  for (const sha256 of await files())
    await utimes(join(config.dataDir, 'files', sha256.slice(0, 2), sha256), then, then)
  const before = await files()
  let refused = ''
  await run(sweepFiles, {
    ...app.ctx,
    storage: {
      ...storage,
      async remove(file) {
        refused ||= file.sha256
        if (file.sha256 === refused) throw new Error('The bucket refuses it.')
        return storage.remove(file)
      },
    },
  })
  const left = await files()
  assert.ok(left.includes(refused) && left.length < before.length, `${left.length} of ${before.length}`)
  assert.equal(await failuresOf(sweepFiles), 0)
  await run(sweepFiles)
  assert.deepEqual(
    await files(),
    left.filter((sha256) => sha256 !== refused),
  )
})

test('an event that cannot be removed keeps no attempts and listeners from it, and the job says that it failed', async () => {
  app.ctx.clock.set(START)
  const receiver = await startReceiver()
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1, 2])
  await runDue(app.ctx, [deliverEvents])
  const [first] = await app.ctx.db.selectFrom('events').select('id').orderBy('id').limit(1).execute()
  const mend = await poison(app, 'events', first?.id ?? 0, 'delete')
  await app.call('DELETE', `/products/${app.seller.product.id}/webhooks/${id}.json`)
  const left = async () => {
    const rows = [
      app.ctx.db.selectFrom('delivery_attempts').select('id').execute(),
      app.ctx.db.selectFrom('webhooks').select('id').execute(),
    ]
    return (await Promise.all(rows)).map(({ length }) => length)
  }
  assert.deepEqual(await left(), [2, 1])
  app.ctx.clock.advance(61 * DAY)
  await run(pruneEvents)
  assert.deepEqual([(await left())[0], await failuresOf(pruneEvents)], [0, 1])
  await mend()
  await run(pruneEvents)
  await run(pruneEvents)
  assert.deepEqual([await left(), await failuresOf(pruneEvents)], [[0, 0], 0])
  await receiver.close()
})

test('totals of a product that cannot be written keep no others from being counted', async () => {
  const { product, other } = app.seller
  await sell(app)
  await sell(app, { product: other })
  const bad = await poison(app, 'products', product.id)
  const earnings = async () => {
    const rows = app.ctx.db.selectFrom('products').select(['id', 'total_purchases'])
    const all = await rows.where('id', 'in', [product.id, other.id]).orderBy('id').execute()
    return all.map(({ total_purchases: total }) => total > 0)
  }
  app.ctx.clock.advance(10 * MINUTE)
  await runDue(app.ctx, [countSales])
  await run(countSales)
  assert.deepEqual([await earnings(), await failuresOf(countSales)], [[false, true], 0])
  await bad()
  await run(countSales)
  assert.deepEqual(await earnings(), [true, true])
})
