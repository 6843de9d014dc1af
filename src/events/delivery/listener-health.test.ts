import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { mailsTo } from '../../../test/mails.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  numbers,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'
import { deliverEvents } from './deliver-events-job.ts'

let app: TestApp
let receiver: Receiver
let other: Receiver
before(async () => {
  app = await startTestApp('listener_health', { config: { mode: 'development' } })
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

const users = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('410 switches a listener off at once, what waits is canceled, and the developer is told', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(410).end()
  await happen(app, [1, 1])
  await deliver()
  const { is_active: isActive, off_reason: reason } = await get(`/webhooks/${id}.json`)
  assert.deepEqual([isActive, reason, receiver.received.length], [false, 'gone', 1])
  const { deliveries } = await get(`/webhooks/${id}/deliveries.json`)
  assert.deepEqual(
    deliveries.map(({ state }: { state: string }) => state),
    ['canceled', 'canceled'],
  )
  const mails = await mailsTo(app, 'seller@example.com')
  assert.deepEqual(
    mails.map(({ kind, text }) => [kind, text.includes(`${new URL(receiver.url).origin}/…`)]),
    [['webhook_off', true]],
  )
  const told = await newest()
  assert.deepEqual([told.type, told.data.is_active], ['webhook.updated', false])
})

test('more than 100 failures in a row over a day switch a listener off; a success in between does not', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const stands = async () => {
    const { failures, is_active: isActive } = await get(`/webhooks/${id}.json`)
    return [failures, isActive]
  }
  receiver.answer = (response) => response.writeHead(500).end()
  const afterAll = async () => {
    await deliver()
    app.ctx.clock.advance(SECOND)
    await deliver()
  }
  await happen(app, users(101))
  await afterAll()
  assert.deepEqual(await stands(), [101, true])
  receiver.answer = (response) => response.end()
  await happen(app, [500])
  await afterAll()
  assert.deepEqual(await stands(), [0, true])
  receiver.answer = (response) => response.writeHead(500).end()
  app.ctx.clock.advance(MINUTE)
  await afterAll()
  assert.deepEqual(await stands(), [101, true])
  const mails = async () => (await mailsTo(app, 'seller@example.com')).map(({ kind }) => kind)
  const before = await mails()
  app.ctx.clock.advance(DAY)
  await deliver()
  assert.equal((await stands())[1], false)
  assert.deepEqual(await mails(), [...before, 'webhook_off'])
})

test('a listener that fails is tried with ten deliveries a second, whatever happens, and with all once it answers', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(500).end()
  await happen(app, users(280))
  await deliver()
  assert.equal(receiver.received.length, 250)
  for (const asked of [260, 270]) {
    await happen(app, [1])
    await deliver()
    assert.equal(receiver.received.length, asked - 10, 'not before a second')
    app.ctx.clock.advance(SECOND)
    await deliver()
    assert.equal(receiver.received.length, asked)
  }
  receiver.answer = (response) => response.end()
  app.ctx.clock.advance(SECOND)
  await deliver()
  assert.ok(receiver.received.length >= 280, `${receiver.received.length}`)
})

test('failures count from the first of those in a row: one of a day ago, with a success since, does not', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(500).end()
  await happen(app, [1])
  await deliver()
  app.ctx.clock.advance(DAY + HOUR)
  const taken = Promise.withResolvers<void>()
  receiver.answer = async (response, { event }) => {
    if (event.user_id === '1') return response.end(() => taken.resolve())
    await taken.promise
    return response.writeHead(500).end()
  }
  await happen(app, [2])
  await deliver()
  const now = new Date(app.ctx.clock.real()).toISOString().slice(0, 19).replace('T', ' ')
  const { failures, failing_since: since } = await get(`/webhooks/${id}.json`)
  assert.deepEqual([failures, since], [1, now])
  receiver.answer = (response) => response.writeHead(500).end()
  await happen(app, users(101).slice(1))
  app.ctx.clock.advance(MINUTE)
  await deliver()
  const then = await get(`/webhooks/${id}.json`)
  assert.deepEqual([then.failures > 100, then.is_active], [true, true])
})

test('what the former address answers while another one is set says nothing of that one', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const path = `${product()}/webhooks/${id}.json`
  receiver.answer = async (response) => {
    await app.call('PUT', path, { body: { url: other.url } })
    return response.writeHead(410).end()
  }
  await happen(app, [1])
  await deliver()
  const { is_active: isActive, failures } = await get(`/webhooks/${id}.json`)
  assert.deepEqual([isActive, failures], [true, 0])
  const [{ status }] = (await get(`/webhooks/${id}/attempts.json`)).attempts
  assert.equal(status, 410)
  app.ctx.clock.advance(6 * SECOND)
  await deliver()
  assert.deepEqual(numbers(other), [0])
})

test('at another address a listener begins without failures, at the same one it keeps them', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(500).end()
  await happen(app, [1])
  await deliver()
  const moved = async (url: string) => {
    const { json } = await app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { url } })
    return [json.failures, json.failing_since === null]
  }
  assert.deepEqual(await moved(receiver.url), [1, false])
  assert.deepEqual(await moved(other.url), [0, true])
})

/** Runs the job as a process does that is told to stop at once; resolves when it has ended. */
async function runStopping(): Promise<void> {
  const stopping = new AbortController()
  const works: Promise<void>[] = []
  await deliverEvents.run(app.ctx, stopping.signal, (work) => {
    works.push(work)
    stopping.abort()
  })
  await Promise.all(works)
}

test('a listener that is switched on while its backlog is canceled is told all of later; a process that stops leaves the rest', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '60' }).end()
  await happen(app, [999, 999])
  await deliver()
  app.ctx.clock.advance(SECOND)
  await happen(app, users(260))
  await deliver()
  const turn = (isActive: boolean) =>
    app.call('PUT', `${product()}/webhooks/${id}.json`, { body: { is_active: isActive } })
  await turn(false)
  app.ctx.clock.advance(SECOND)
  await runStopping()
  const left = () =>
    app.ctx.db
      .selectFrom('deliveries')
      .select('id')
      .where('webhook_id', '=', Number(id))
      .where('state', '=', 'pending')
      .execute()
  assert.equal((await left()).length, 12)
  await turn(true)
  receiver.answer = (response) => response.end()
  await happen(app, [999])
  const { id: later } = (await get('/events.json?count=1&type=user.name.changed')).events[0]
  app.ctx.clock.advance(DAY)
  await deliver()
  app.ctx.clock.advance(SECOND)
  await deliver()
  assert.ok(receiver.received.some(({ event }) => event.id === later))
  assert.equal((await left()).length, 0)
})

test('an event of which no body can be made is a failed attempt with its reason, and stops no other', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1, 2])
  const { events } = await get('/events.json?count=2&type=user.name.changed')
  const broken = Number(events[1].id)
  const write = (data: string) =>
    app.write((tx) => tx.db.updateTable('events').set({ data }).where('id', '=', broken).execute())
  await write('{')
  await deliver()
  assert.deepEqual(numbers(receiver), [1])
  const [failed] = (await get(`/webhooks/${id}/attempts.json?event_id=${broken}`)).attempts
  assert.match(failed.error, /could not be made/)
  assert.deepEqual([failed.status, failed.next_attempt !== null], [null, true])
  assert.equal((await get(`/webhooks/${id}.json`)).failures, 0)
  await write('{"n":0}')
  app.ctx.clock.advance(6 * SECOND)
  await deliver()
  assert.deepEqual(numbers(receiver), [1, 0])
})

test('a post that cannot even be begun is a failed attempt', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await app.write((tx) =>
    tx.db
      .updateTable('webhooks')
      .set({ url: tx.keys.seal('nowhere', 'webhooks.url') })
      .where('id', '=', Number(id))
      .execute(),
  )
  await happen(app, [1])
  await deliver()
  const [failed] = (await get(`/webhooks/${id}/attempts.json`)).attempts
  assert.match(failed.error, /Invalid URL/)
})
