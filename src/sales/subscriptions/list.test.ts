import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, asUser } from '../../../test/callers.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { scopeOf, sell, subscriptionRow } from '../../../test/sales.ts'
import { startSubscription, type NewSubscription } from './start-subscription.ts'
import type { UtcTime } from '../../lib/time.ts'

let app: TestApp
let sale: Awaited<ReturnType<typeof sell>>
const ids: Record<string, number> = {}

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

before(async () => {
  app = await startTestApp('subscriptions_list')
  sale = await sell(app)
  ids['annual'] = sale.subscription.id
  const start = async (name: string, more: Partial<NewSubscription>) => {
    const row = subscriptionRow({ ...sale.bought, licenseId: null }, START, more)
    ids[name] = (await app.write((tx) => startSubscription(tx, scopeOf(app), row))).id
  }
  await start('monthly', { billing_cycle: 1, gateway: 'paypal' })
  await start('europe', { gateway: 'stripe_eu', next_payment: '2026-12-24 00:00:00' as UtcTime })
  await start('cancelled', { billing_cycle: 0, gateway: null, external_id: null })
  expectOk(await app.call('DELETE', path(`/subscriptions/${ids['cancelled']}.json`)))
  ids['stranger'] = (await sell(app)).subscription.id
})
after(() => app.close())

interface Listed {
  readonly id: string
  readonly plan_name?: string
  readonly email?: string
  readonly url?: string | null
  readonly title?: string | null
}

const names = (subscriptions: readonly Listed[]) =>
  subscriptions.map(({ id }) => Object.entries(ids).find(([, one]) => one === Number(id))?.[0] ?? id)
const list = async (query: string, rest = '/subscriptions.json') => {
  const reply = await app.call('GET', path(`${rest}${query}`))
  return expectOk(reply).json as { subscriptions: Listed[]; discounts: object }
}
const found = async (query: string) => names((await list(query)).subscriptions)
const ALL = ['stranger', 'cancelled', 'europe', 'monthly', 'annual']

test('subscriptions are listed newest first, by pages, with their discounts by id', async () => {
  assert.deepEqual(await found(''), ALL)
  assert.deepEqual((await list('')).discounts, {})
  assert.deepEqual([...(await found('?count=2')), ...(await found('?count=3&offset=2'))], ALL)
})

test('sorting goes either way; by the next payment what is cancelled comes last', async () => {
  assert.deepEqual(await found('?sort=id'), ALL.toReversed())
  assert.deepEqual(await found('?sort=-id'), ALL)
  const soonest = ['monthly', 'europe', 'annual', 'stranger', 'cancelled']
  assert.deepEqual(await found('?sort=next_payment'), soonest)
  assert.deepEqual(await found('?sort=-next_payment'), [
    'stranger',
    'annual',
    'europe',
    'monthly',
    'cancelled',
  ])
  assert.deepEqual(await found('?sort=next_payment&count=2&offset=1'), soonest.slice(1, 3))
  assert.equal((await app.call('GET', path('/subscriptions.json?sort=created'))).status, 400)
})

test('state, cycle, gateway and plan narrow, alone and together', async () => {
  assert.deepEqual(await found('?filter=active'), ['stranger', 'europe', 'monthly', 'annual'])
  assert.deepEqual(await found('?filter=cancelled'), ['cancelled'])
  assert.deepEqual(await found('?billing_cycle=1'), ['monthly'])
  assert.deepEqual(await found('?billing_cycle=0'), ['cancelled'])
  assert.deepEqual(await found('?gateway=stripe'), ['stranger', 'europe', 'annual'])
  assert.deepEqual(await found('?gateway=paypal'), ['monthly'])
  assert.deepEqual(await found(`?plan_id=${sale.offer.planId}&filter=active&sort=id`), [
    'annual',
    'monthly',
    'europe',
  ])
  for (const query of ['?filter=paid', '?gateway=test', '?billing_cycle=3']) {
    assert.equal((await app.call('GET', path(`/subscriptions.json${query}`))).status, 400, query)
  }
})

test('a search finds by id, id at the gateway or the whole address of the user', async () => {
  assert.deepEqual(await found(`?search=${ids['europe']}`), ['europe'])
  assert.deepEqual(await found(`?search=${sale.subscription.external_id}`), ['annual'])
  assert.deepEqual(await found(`?search=${sale.owner.email}`), ALL.slice(1))
  assert.deepEqual(await found('?search=nobody'), [])
})

test('extended adds plan, address and site', async () => {
  const install = await createInstallOf(app, sale.owner, { url: 'https://site.example.com', title: 'Site' })
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('subscriptions')
      .set({ install_id: Number(install.id) })
      .where('id', '=', ids['annual'] ?? 0)
      .execute(),
  )
  const [one, two] = (await list('?extended=true&sort=id')).subscriptions
  assert.match(one?.plan_name ?? '', /^plan-/)
  assert.deepEqual([one?.email, one?.url, one?.title], [sale.owner.email, 'https://site.example.com', 'Site'])
  assert.deepEqual([two?.email, two?.url, two?.title], [sale.owner.email, null, null])
  const [plain] = (await list('?sort=id&count=1')).subscriptions
  assert.deepEqual(
    [plain && 'email' in plain, plain && 'has_subscription_cancellation_discount' in plain],
    [false, false],
  )
  const [enriched] = (await list('?sort=id&count=1&enrich_with_cancellation_discounts=true')).subscriptions
  assert.equal(enriched && 'has_subscription_cancellation_discount' in enriched, true)
})

test('the developer and the store list the same', async () => {
  const [developer, store] = [await asDeveloper(app), asStore(app)]
  for (const call of [developer, store]) {
    const reply = expectOk(await call('GET', path('/subscriptions.json?billing_cycle=1')))
    assert.deepEqual(names(reply.json.subscriptions), ['monthly'])
  }
})

test('those of a user are its own, the first first unless it is sorted otherwise, also to the user itself', async () => {
  const rest = `/users/${sale.owner.id}/subscriptions.json`
  const mine = async (query: string) => {
    const reply = await list(query, rest)
    const asMe = await asUser(app, sale.owner)('GET', `/subscriptions.json${query}`)
    assert.deepEqual(asMe.json, reply, query)
    assert.deepEqual(reply.discounts, [])
    return names(reply.subscriptions)
  }
  assert.deepEqual(await mine(''), ['annual', 'monthly', 'europe', 'cancelled'])
  assert.deepEqual(await mine('?sort=-id'), ['cancelled', 'europe', 'monthly', 'annual'])
  assert.deepEqual(await mine('?sort=next_payment'), ['monthly', 'europe', 'annual', 'cancelled'])
  assert.deepEqual(await mine('?filter=cancelled'), ['cancelled'])
  assert.deepEqual(await mine('?billing_cycle=1&gateway=paypal'), ['monthly'])
  assert.deepEqual(await mine(`?search=${ids['europe']}`), ['europe'])
  assert.deepEqual(await mine(`?search=${ids['stranger']}`), [])
  assert.deepEqual(await mine(`?plan_id=${sale.offer.planId}&count=1`), ['annual'])
  assert.equal((await app.call('GET', path(`${rest}?billing_cycle=0`))).status, 400)
  assert.equal((await app.call('GET', path('/users/999999/subscriptions.json'))).status, 404)
})
