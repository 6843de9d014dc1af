import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore } from '../../../test/callers.ts'
import { writesEvents } from '../../../test/contract/seen.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { systemScope } from '../../access/scope.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { recordEvents } from '../log/record.ts'

let app: TestApp
let receiver: Receiver
before(async () => {
  app = await startTestApp('deliveries', { config: { mode: 'development' } })
  receiver = await startReceiver()
})
after(async () => {
  await endListeners(app, [receiver])
  await app.close()
})

interface Told {
  readonly webhook_id: string
  readonly event_id: string
  readonly type: string
  readonly state: string
}

const of = (productId: number | string) => `/products/${productId}`
const list = async (query: string): Promise<Told[]> => {
  const { status, json, text } = await app.call('GET', `${of(app.seller.product.id)}/deliveries.json${query}`)
  assert.equal(status, 200, text)
  return json.deliveries
}
const told = async (query: string) =>
  (await list(query)).map(({ webhook_id: webhook, type, state }) => [webhook, type, state])

test('deliveries of all listeners are kept by listener, state, type and environment of the event, and time', async () => {
  receiver.answer = (response, { event }) =>
    response.writeHead(event.type === 'user.created' ? 500 : 200).end()
  const { id: one } = await addWebhook(app, { url: receiver.url, types: 'user.created' })
  const { id: other } = await addWebhook(app, { url: receiver.url, types: 'user.created,user.name.changed' })
  await happen(app, [1], 'user.created')
  await deliverAll(app)
  app.ctx.clock.advance(3 * DAY)
  const late = toUtcTime(app.ctx.clock.real())
  await happen(app, [2])
  writesEvents(app.ctx.database, 'license.created')
  await deliverAll(app)
  const [failed, changed] = ['user.created', 'user.name.changed']
  const all = await told('')
  assert.deepEqual(
    all.map(([webhook, type]) => [webhook, type]),
    [
      [other, changed],
      [other, failed],
      [one, failed],
    ],
  )
  assert.equal(all[0]?.[2], 'processed')
  assert.deepEqual(await told(`?webhook_id=${one}`), [[one, failed, 'pending']])
  assert.deepEqual(await told('?state=processed'), [[other, changed, 'processed']])
  assert.deepEqual(await told('?state=pending&count=1'), [[other, failed, 'pending']])
  assert.deepEqual(await told(`?type=${changed}`), [[other, changed, 'processed']])
  assert.deepEqual(await told(`?from=${late}`), [[other, changed, 'processed']])
  assert.deepEqual(
    (await told(`?to=${late.slice(0, 10)}`)).length,
    3,
    'a day alone ends with its last second',
  )
  const dayBefore = toUtcTime(app.ctx.clock.real() - DAY)
  assert.deepEqual(
    (await told(`?to=${dayBefore}`)).map(([webhook]) => webhook),
    [other, one],
  )
  assert.equal((await list('?environment=0')).length, 3)
  assert.deepEqual(await list('?environment=1'), [])
  assert.equal((await list('?offset=2')).length, 1)
})

test('a delivery of the sandbox is told with environment=1 alone', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'license.extended' })
  writesEvents(app.ctx.database, 'license.extended')
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  await app.write((tx) =>
    recordEvents(tx, scope, [{ type: 'license.extended', environment: 1, userId: 3, data: {} }]),
  )
  await deliverAll(app)
  assert.deepEqual(await told('?environment=1'), [[id, 'license.extended', 'processed']])
  assert.deepEqual(await told('?environment=0&type=license.extended'), [])
})

test('what a removed listener was sent is not told, nor what those of another product are', async () => {
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.email.verified' })
  await happen(app, [5], 'user.email.verified')
  await deliverAll(app)
  assert.equal((await list('?type=user.email.verified')).length, 1)
  const { product, other } = { product: app.seller.product, other: app.seller.other }
  const theirs = await app.call('GET', `${of(other.id)}/deliveries.json`, { token: other.token })
  assert.deepEqual(theirs.json, { deliveries: [] })
  await app.call('DELETE', `${of(product.id)}/webhooks/${id}.json`)
  assert.deepEqual(await list('?type=user.email.verified'), [])
})

test('deliveries of one event, or of several, are told of each listener; those of another product are not', async () => {
  const { product, other } = app.seller
  const { id: one } = await addWebhook(app, { url: receiver.url, types: 'install.activated' })
  const { id: second } = await addWebhook(app, { url: receiver.url, types: 'install.activated' })
  await happen(app, [1, 2, 3], 'install.activated')
  await deliverAll(app)
  const all = await list('?type=install.activated')
  const [last = '', middle = '', first = ''] = [...new Set(all.map(({ event_id: id }) => id))]
  const of = async (query: string) =>
    (await list(query)).map(({ webhook_id: webhook, event_id: id }) => [webhook, id])
  assert.deepEqual(await of(`?event_id=${first}`), [
    [second, first],
    [one, first],
  ])
  const both = [
    [second, last],
    [one, last],
    [second, first],
    [one, first],
  ]
  assert.deepEqual(await of(`?event_id=${first},${last}`), both)
  assert.deepEqual(await of(`?event_id=${first},${last}&count=2&offset=1`), both.slice(1, 3))
  assert.deepEqual(await of(`?event_id=${middle}&webhook_id=${one}`), [[one, middle]])
  assert.deepEqual(await of(`?event_id=${middle}&state=error`), [])
  assert.equal((await of(`?event_id=${middle}&type=install.activated&environment=0`)).length, 2)
  assert.deepEqual(await of(`?event_id=${middle}&environment=1`), [])
  assert.deepEqual(await of('?event_id='), [])
  const query = `/plugins/${product.id}/deliveries.json?event_id=${first},${last}`
  for (const call of [await asDeveloper(app), asStore(app)]) {
    const { json, text } = await call('GET', query)
    assert.equal(json.deliveries?.length, 4, text)
  }
  const theirs = `/products/${other.id}/deliveries.json?event_id=${first},${last}`
  assert.deepEqual((await app.call('GET', theirs, { token: other.token })).json, { deliveries: [] })
})

test('deliveries of 100 events are told at a time, of more they are refused', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1_000_000).join(',')
  assert.deepEqual(await list(`?event_id=${ids(100)}`), [])
  const path = `${of(app.seller.product.id)}/deliveries.json`
  for (const wrong of [ids(101), 'one', '7,7']) {
    const { status, json } = await app.call('GET', `${path}?event_id=${wrong}`)
    assert.equal(status, 400)
    assert.deepEqual(
      json.error.details.map(({ field }: { field: string }) => field),
      ['event_id'],
    )
  }
})

test('a time is one, or it is refused by its name', async () => {
  const { status, json } = await app.call(
    'GET',
    `${of(app.seller.product.id)}/deliveries.json?from=soon&to=2026-13-01`,
  )
  assert.equal(status, 400)
  assert.deepEqual(json.error.details.map(({ field }: { field: string }) => field).toSorted(), ['from', 'to'])
})
