import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { anotherProcess } from '../../../test/dying.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  numbers,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts'
import { deliverEvents } from './deliver-events-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
let receiver: Receiver
let other: Receiver
before(async () => {
  app = await startTestApp('deliver_events', { config: { mode: 'development' } })
})
after(() => app.close())
beforeEach(async () => {
  receiver = await startReceiver()
  other = await startReceiver()
})
afterEach(() => endListeners(app, [receiver, other]))

const deliver = () => deliverAll(app)
const product = () => `/products/${app.seller.product.id}`
const get = async (path: string) => (await app.call('GET', `${product()}${path}`)).json
const newest = async () => (await get('/events.json?count=1')).events[0]

test('a listener is sent what the log answers, signed with the key of the product and with its own secret', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.created' })
  receiver.answer = async (response, { event }) => {
    read = await get(`/events/${event.id}.json`)
    response.statusCode = 204
    response.end()
  }
  let read: unknown
  const made = await app.call('POST', `${product()}/users.json`, {
    body: { email: 'told@example.com', first: 'Ada', last: 'Told' },
  })
  assert.ok(made.status < 300, made.text)
  assert.equal((await get('/events.json?count=1&type=user.created')).events[0].state, 'pending')
  await deliver()
  const [{ headers, body, event } = assert.fail()] = receiver.received
  assert.equal(receiver.received.length, 1)
  assert.deepEqual([event.type, event.objects.user.id], ['user.created', made.json.id])
  assert.deepEqual(read, event)
  const { secretKey } = app.seller.product
  assert.equal(headers['x-signature'], createHmac('sha256', secretKey).update(body).digest('hex'))
  assert.match(headers['user-agent'] ?? '', /^Keywright\/\S+ \(compatible; Freemius\/1\.0\)$/)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.equal(headers['webhook-id'], `evt_${event.id}`)
  const at = Math.floor(app.ctx.clock.real() / SECOND)
  assert.equal(headers['webhook-timestamp'], String(at))
  const [{ status, answer, error, next_attempt: next }] = (await get(`/webhooks/${id}/attempts.json`))
    .attempts
  assert.deepEqual([status, answer, error, next], [204, '', null, null])
  const settled = await get(`/events/${event.id}.json`)
  assert.deepEqual([settled.state, settled.process_time !== null], ['processed', true])
  assert.equal(settled.updated, settled.process_time)
})

test('the published library of Standard Webhooks takes a delivery, and refuses one that was changed', async () => {
  const { secret } = await addWebhook(app, { url: receiver.url })
  await happen(app, [1])
  app.ctx.clock.set(Date.now())
  await deliver()
  const [{ headers, body } = assert.fail()] = receiver.received
  const verify = (text: string) => new Webhook(secret).verify(text, headers as Record<string, string>)
  assert.deepEqual(verify(body), JSON.parse(body))
  assert.throws(() => verify(`${body} `))
})

test('a listener with a list of types gets those alone; an event that nobody wants is canceled when it happens', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed, user.email.changed' })
  await happen(app, [1], 'user.created')
  assert.equal((await newest()).state, 'canceled')
  await happen(app, [1], 'user.email.changed')
  await happen(app, [1], 'user.name.changed')
  await deliver()
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['user.email.changed', 'user.name.changed'],
  )
})

test('a listener that the seller switches off is told nothing, and on again of what happens from then on', async () => {
  const { id } = await addWebhook(app, { url: receiver.url })
  const turn = (isActive: boolean) =>
    app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { is_active: isActive } })
  await turn(false)
  await happen(app, [1], 'user.created')
  assert.equal((await newest()).state, 'canceled')
  await turn(true)
  await happen(app, [1], 'user.name.changed')
  await deliver()
  const types = receiver.received.map(({ event }) => event.type)
  assert.ok(types.includes('user.name.changed') && !types.includes('user.created'))
})

test('an event that failed comes again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, then is given up', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => {
    response.statusCode = 500
    response.end('no')
  }
  await happen(app, [1])
  const waits = [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ]
  for (const [index, wait] of waits.entries()) {
    await deliver()
    assert.equal(receiver.received.length, index + 1)
    app.ctx.clock.advance(wait - SECOND)
    await deliver()
    assert.equal(receiver.received.length, index + 1, `not before ${wait} ms`)
    assert.equal((await newest()).state, 'pending')
    app.ctx.clock.advance(SECOND + wait * 0.11)
  }
  await deliver()
  assert.equal(receiver.received.length, 10)
  const event = await newest()
  assert.deepEqual([event.state, event.process_time !== null], ['error', true])
  const { attempts } = await get(`/webhooks/${id}/attempts.json`)
  assert.deepEqual([attempts.length, attempts[0].status, attempts[0].answer], [10, 500, 'no'])
  assert.deepEqual([attempts[0].next_attempt, attempts[1].next_attempt !== null], [null, true])
})

test('a listener that asks to wait is not asked before', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end()
  await happen(app, [1])
  await deliver()
  app.ctx.clock.advance(119 * SECOND)
  await deliver()
  assert.equal(receiver.received.length, 1)
  receiver.answer = (response) => response.end()
  app.ctx.clock.advance(SECOND)
  await deliver()
  assert.equal((await newest()).state, 'processed')
})

test('a process that dies while it tells a listener loses nothing: another one tells it after the lease', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1, 2])
  let isDead = false
  const dying = anotherProcess(app, {
    onStatement() {
      if (isDead) throw new Error('the process is dead')
    },
  })
  receiver.answer = (response) => {
    isDead = true
    response.end()
  }
  await runDue(dying.ctx, [deliverEvents]).catch(() => {})
  await dying.close().catch(() => {})
  assert.ok(receiver.received.length > 0)
  await deliver()
  assert.equal(receiver.received.length, 2)
  app.ctx.clock.advance(6 * SECOND)
  await deliver()
  assert.deepEqual([...new Set(numbers(receiver))].toSorted(), [0, 1])
  const { events } = await get('/events.json?count=2&type=user.name.changed')
  assert.deepEqual(
    events.map(({ state }: { state: string }) => state),
    ['processed', 'processed'],
  )
})

test('several processes at once send each event to each listener once', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await addWebhook(app, { url: other.url, types: 'user.name.changed' })
  const processes = [app, anotherProcess(app), anotherProcess(app)]
  for (let round = 0; round < 5; round++) {
    const users = Array.from({ length: 10 }, (_, n) => round * 10 + n + 1)
    await Promise.all([happen(app, users), ...processes.map(({ ctx }) => runDue(ctx, [deliverEvents]))])
  }
  await Promise.all(processes.map(({ ctx }) => runDue(ctx, [deliverEvents])))
  for (const process of processes) if (process !== app) await process.close()
  for (const { received } of [receiver, other]) {
    assert.deepEqual([received.length, new Set(received.map(({ event }) => event.id)).size], [50, 50])
  }
  const { events } = await get('/events.json?count=50&type=user.name.changed')
  assert.ok(events.every(({ state }: { state: string }) => state === 'processed'))
})

test('a process whose lease has passed writes nothing of what it has sent', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1])
  const late = anotherProcess(app)
  const held = Promise.withResolvers<void>()
  receiver.answer = (response) => void held.promise.then(() => response.writeHead(500).end())
  const telling = runDue(late.ctx, [deliverEvents])
  while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  receiver.answer = (response) => response.end()
  app.ctx.clock.advance(6 * SECOND)
  await deliver()
  held.resolve()
  await telling
  await late.close()
  const { deliveries } = await get(`/webhooks/${id}/deliveries.json`)
  assert.deepEqual([deliveries[0].state, deliveries[0].attempts], ['processed', 1])
  assert.equal((await get(`/webhooks/${id}.json`)).failures, 0)
})
