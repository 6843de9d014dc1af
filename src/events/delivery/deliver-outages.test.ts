// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { surviveOutages } from '../../../test/outages.ts'
import { addWebhook, happen, startReceiver, type Receiver } from '../../../test/webhooks.ts'
import { deliverEvents } from './deliver-events-job.ts'
import { startWorker } from '../../jobs/worker.ts'

let app: TestApp
let hanging: Receiver[]
let healthy: Receiver
before(async () => {
  app = await startTestApp('deliver_outages', { config: { mode: 'development' } })
  hanging = await Promise.all(Array.from({ length: 4 }, startReceiver))
  healthy = await startReceiver()
})
after(async () => {
  await app.close()
  for (const receiver of [...hanging, healthy]) await receiver.close()
})

test('receivers that fail at random for 70 hours and processes that are killed: every event arrives', (t) =>
  surviveOutages(t, { events: 10, receivers: 2, seed: 7 }))

test('listeners with a backlog that never answer, or without end, hold up no other; a worker that stops leaves what it has', async () => {
  const users = Array.from({ length: 100 }, (_, n) => n + 1)
  for (const [index, receiver] of hanging.entries()) {
    receiver.answer = (response) => index % 2 && response.writeHead(200).write('slow body')
    await addWebhook(app, { url: receiver.url, types: 'user.email.changed' })
  }
  await addWebhook(app, { url: healthy.url, types: 'user.name.changed' })
  await happen(app, users, 'user.email.changed')
  const worker = startWorker(app.ctx, [deliverEvents])
  while (hanging.some(({ received }) => received.length < 16)) await sleep(10)
  const late: number[] = []
  for (let n = 0; n < 5; n++) {
    const at = performance.now()
    await happen(app, [n + 1])
    while (healthy.received.length <= n) await sleep(2)
    late.push(performance.now() - at)
  }
  assert.ok(Math.max(...late) < 1_000, `${late.map(Math.round).join(', ')} ms late`)
  const at = performance.now()
  await worker.stop()
  assert.ok(performance.now() - at < 5_000, 'it waits for nobody who does not answer')
  const held = await app.ctx.db.selectFrom('webhooks').select('lease_until').execute()
  assert.deepEqual(new Set(held.map(({ lease_until: until }) => until)), new Set([0]))
  const attempts = await app.ctx.db
    .selectFrom('deliveries')
    .select('attempts')
    .where('state', '=', 'pending')
    .execute()
  assert.deepEqual([attempts.length, attempts.every((one) => one.attempts === 0)], [400, true])
})

test('a claim is short, and held on to while a listener keeps a delivery waiting', async () => {
  const slow = await startReceiver()
  const held = Promise.withResolvers<void>()
  slow.answer = (response) => void held.promise.then(() => response.end())
  const { id } = await addWebhook(app, { url: slow.url, types: 'user.created' })
  await happen(app, [1], 'user.created')
  const until = async () => {
    const webhooks = app.ctx.db.selectFrom('webhooks').select('lease_until').where('id', '=', Number(id))
    return (await webhooks.executeTakeFirstOrThrow()).lease_until
  }
  const worker = startWorker(app.ctx, [deliverEvents])
  while (slow.received.length === 0) await sleep(10)
  const first = await until()
  assert.ok(
    first <= app.ctx.clock.real() + 5_000,
    'who takes over from a process that died waits 5 seconds at most',
  )
  app.ctx.clock.advance(4_000)
  while ((await until()) === first) await sleep(10)
  app.ctx.clock.advance(4_000)
  held.resolve()
  while ((await until()) !== 0) await sleep(10)
  await worker.stop()
  await slow.close()
  assert.equal(slow.received.length, 1)
})
