import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  numbers,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { systemScope } from '../../access/scope.ts'
import { recordClientEvent } from '../log/record.ts'

let app: TestApp
let receiver: Receiver
let other: Receiver
before(async () => {
  app = await startTestApp('webhooks', { config: { mode: 'development' } })
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

test('a listener is added, shown without its secret, changed, and removed, each with its event', async () => {
  const made = await app.call('POST', `${product()}/webhooks.json`, {
    body: { url: receiver.url, types: 'license.created,license.expired' },
  })
  assert.equal(made.status, 201, made.text)
  const { secret, ...shown } = made.json
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(
    [shown.types, shown.is_active, shown.failures],
    [['license.created', 'license.expired'], true, 0],
  )
  assert.deepEqual(await get(`/webhooks/${shown.id}.json`), shown)
  assert.deepEqual((await get('/webhooks.json')).webhooks[0], shown)
  const changed = await app.call('PUT', `${product()}/webhooks/${shown.id}.json`, {
    body: { types: '', is_active: false },
  })
  assert.deepEqual(
    [changed.json.types, changed.json.is_active, 'secret' in changed.json],
    [null, false, false],
  )
  const removed = await app.call('DELETE', `${product()}/webhooks/${shown.id}.json`)
  assert.equal(removed.status, 204)
  assert.equal((await app.call('GET', `${product()}/webhooks/${shown.id}.json`)).status, 404)
  const { events } = await get('/events.json?count=3')
  assert.deepEqual(
    events.map(({ type, data }: { type: string; data: object }) => [type, data]),
    ['deleted', 'updated', 'created'].map((what) => [`webhook.${what}`, { webhook_id: shown.id }]),
  )
})

test('an address of a private network, and what is no type, are refused by name', async () => {
  for (const body of [
    { url: 'http://10.0.0.1/' },
    { url: 'http://0x0a000001/' },
    { url: 'ftp://example.com' },
    { url: receiver.url, types: 'license created' },
    { url: receiver.url, types: 'license.*' },
  ]) {
    const { status, text } = await app.call('POST', `${product()}/webhooks.json`, { body })
    assert.equal(status, 400, text)
  }
})

test('types that there are not are refused and named; what a client of the product has called an event is one', async () => {
  const types = 'license.created, license.craeted,clicks.a, plan'
  const ask = (body: object) => app.call('POST', `${product()}/webhooks.json`, { body })
  const { status, json } = await ask({ url: receiver.url, types })
  assert.equal(status, 400)
  assert.match(JSON.stringify(json), /unknown: license\.craeted, clicks\.a, plan"/)
  const { id } = await addWebhook(app, { url: receiver.url })
  const changed = await app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { types: 'clicks.a' } })
  assert.equal(changed.status, 400)
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  await app.write((tx) => recordClientEvent(tx, scope, { type: 'clicks.a', data: null }))
  const { json: made } = await ask({ url: receiver.url, types: 'clicks.a,license.created' })
  assert.deepEqual(made.types, ['clicks.a', 'license.created'])
})

/** Whether one of the signatures is what the published library makes of the secret. */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('while a secret is rotated both sign, and afterwards the later one alone', async () => {
  const { id, secret: former } = await addWebhook(app, { url: receiver.url })
  const rotated = await app.call('POST', `${product()}/webhooks/${id}/secret.json`, {
    body: { overlap_hours: 1 },
  })
  assert.equal(rotated.status, 200, rotated.text)
  const { secret: latter } = rotated.json
  assert.notEqual(latter, former)
  receiver.received.length = 0
  await happen(app, [1])
  await deliver()
  app.ctx.clock.advance(HOUR)
  await happen(app, [2])
  await deliver()
  const taken = receiver.received
    .slice(-2)
    .map(({ headers, body }) => [former, latter].map((secret) => isSigned(secret, headers, body)))
  assert.deepEqual(taken, [
    [true, true],
    [false, true],
  ])
})

test('what ended is sent again: one event, or those of a time and a state; a listener that is off is refused', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed', is_active: false })
  const again = (body: object) => app.call('POST', `${product()}/webhooks/${id}/resend.json`, { body })
  app.ctx.clock.advance(DAY)
  const from = new Date(app.ctx.clock.real()).toISOString().slice(0, 19).replace('T', ' ')
  await happen(app, [1, 2, 3])
  await happen(app, [1], 'user.created')
  assert.equal((await again({ from })).status, 409)
  await app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { is_active: true } })
  const missed = await again({ from })
  assert.deepEqual([missed.status, missed.json.count, missed.json.more], [200, 3, false])
  const { events } = await get('/events.json?count=3&type=user.name.changed')
  assert.equal(events[0].state, 'pending')
  await deliver()
  assert.deepEqual(numbers(receiver).toSorted(), [0, 1, 2])
  const one = await again({ event_id: events[1].id })
  assert.equal(one.json.count, 1)
  await deliver()
  assert.equal(receiver.received.at(-1)?.event.id, events[1].id)
  assert.equal((await again({ from, state: 'canceled' })).json.count, 0)
  const had = { from, state: 'processed' }
  assert.equal((await again({ ...had, after_id: events[1].id })).json.count, 1)
  await deliver()
  assert.equal((await again({ ...had, from: '2000-01-01', to: '2000-01-02' })).json.count, 0)
  assert.equal((await again(had)).json.count, 3)
  await deliver()
  assert.equal((await again({ event_id: 9_999_999 })).status, 404)
})

test('how an event stands for a listener counts: what another one has had, and this one has not, is sent again', async () => {
  app.ctx.clock.advance(HOUR)
  await addWebhook(app, { url: other.url, types: 'user.name.changed' })
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const again = async (body: object) =>
    (await app.call('POST', `${product()}/webhooks/${id}/resend.json`, { body })).json
  await happen(app, [1])
  await deliver()
  await app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { is_active: false } })
  await happen(app, [1, 2, 3])
  const { event_id: trial } = (await app.call('POST', `${product()}/webhooks/${Number(id) - 1}/test.json`))
    .json
  await deliver()
  assert.equal((await get(`/events/${trial}.json`)).state, 'processed')
  const { events } = await get('/events.json?count=4&type=user.name.changed')
  assert.ok(events.every(({ state }: { state: string }) => state === 'processed'))
  await app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { is_active: true, types: '' } })
  const from = events[3].created
  assert.ok((await again({ from })).count >= 3, 'those of users, and what happened to listeners')
  await deliver()
  const had = receiver.received.map(({ event }) => event.id)
  assert.deepEqual(
    had.filter((one) => events.some(({ id: of }: { id: string }) => of === one)).toSorted(),
    events.map(({ id: of }: { id: string }) => of).toSorted(),
  )
  assert.ok(!had.includes(trial), 'what another one was sent to try it is not for this one')
  assert.deepEqual(await again({ from }), { count: 0, last_id: null, more: false })
})

test('what is sent again to one listener is sent to no other', async () => {
  const body = { types: 'user.name.changed', is_active: false }
  const { id } = await addWebhook(app, { url: receiver.url, ...body })
  const { id: otherId } = await addWebhook(app, { url: other.url, ...body })
  await happen(app, [1])
  const { events } = await get('/events.json?count=1&type=user.name.changed')
  assert.equal(events[0].state, 'canceled')
  for (const one of [id, otherId]) {
    await app.call('PUT', `${product()}/webhooks/${one}.json`, { body: { is_active: true } })
  }
  await app.call('POST', `${product()}/webhooks/${id}/resend.json`, { body: { event_id: events[0].id } })
  await deliver()
  assert.deepEqual([receiver.received.length, other.received.length], [1, 0])
})

test('what waits to be tried again is sent now, by its event and by its state; what waits for an earlier one stays behind it', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const again = async (body: object) =>
    (await app.call('POST', `${product()}/webhooks/${id}/resend.json`, { body })).json.count
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '80000' }).end()
  await happen(app, [1, 1])
  await deliver()
  const { events } = await get('/events.json?count=2&type=user.name.changed')
  assert.equal(await again({ event_id: events[0].id }), 0)
  assert.equal(await again({ event_id: events[1].id }), 1)
  await deliver()
  assert.deepEqual(numbers(receiver), [0, 0])
  const { attempts } = (await get(`/webhooks/${id}/deliveries.json?count=2`)).deliveries[1]
  assert.equal(attempts, 2)
  receiver.answer = (response) => response.end()
  assert.equal(await again({ state: 'pending', from: events[1].created }), 1)
  await deliver()
  assert.deepEqual(numbers(receiver), [0, 0, 0, 1])
})

test('attempts and deliveries are kept by event and by state', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response, { event }) => response.writeHead(event.data.n === 0 ? 500 : 200).end()
  await happen(app, [1, 2])
  await deliver()
  const { events } = await get('/events.json?count=2&type=user.name.changed')
  const { attempts } = await get(`/webhooks/${id}/attempts.json?event_id=${events[1].id}`)
  assert.deepEqual(
    attempts.map((one: { event_id: string; status: number }) => [one.event_id, one.status]),
    [[events[1].id, 500]],
  )
  assert.deepEqual(await get(`/webhooks/${id}/attempts.json?event_id=9999999`), { attempts: [] })
  const { deliveries } = await get(`/webhooks/${id}/deliveries.json?state=pending`)
  assert.deepEqual(
    deliveries.map((one: { event_id: string }) => one.event_id),
    [events[1].id],
  )
  assert.equal((await get(`/webhooks/${id}/attempts.json`)).attempts.length, 2)
  assert.equal((await get(`/webhooks/${id}/attempts.json?count=1`)).attempts.length, 1)
  assert.equal((await get(`/webhooks/${id}/deliveries.json`)).deliveries.length, 2)
  assert.equal((await get(`/webhooks/${id}/deliveries.json?count=1`)).deliveries.length, 1)
})

test('attempts and deliveries of one environment are those of its events', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  for (const environment of [0, 1] as const) await happen(app, [1], 'user.name.changed', environment)
  await deliver()
  const { events } = await get('/events.json?count=2&type=user.name.changed')
  for (const list of ['attempts', 'deliveries']) {
    for (const environment of [0, 1] as const) {
      const answered = await get(`/webhooks/${id}/${list}.json?environment=${environment}`)
      const found = answered[list].map((one: { event_id: string }) => one.event_id)
      assert.deepEqual(found, [events[1 - environment].id], list)
    }
    assert.equal((await get(`/webhooks/${id}/${list}.json`))[list].length, 2)
  }
})

test('a test event goes to one listener alone, whatever its types, and stands in the log', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'license.created' })
  await addWebhook(app, { url: other.url, types: 'webhook.updated' })
  await deliver()
  other.received.length = 0
  const { json } = await app.call('POST', `${product()}/webhooks/${id}/test.json`)
  await deliver()
  assert.deepEqual([receiver.received[0]?.event.id, other.received.length], [json.event_id, 0])
  assert.deepEqual(receiver.received[0]?.event.data, { webhook_id: id, is_test: true })
  assert.equal((await get(`/events/${json.event_id}.json`)).state, 'processed')
})
