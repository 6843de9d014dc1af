import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { activateOn, eventsOfLicense, installOf, licenseOf, userOf } from '../../../test/licenses.ts'
import { DAY } from '../../lib/time.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import type { License } from './schema.ts'

let app: TestApp
let ada: string
let bob: string
let own: License
let ended: License
let foreign: License
before(async () => {
  app = await startTestApp('licenses_of_user')
  ada = await userOf(app, 'ada@example.com')
  bob = await userOf(app, 'bob@example.com')
  const of = (email: string, body = {}) => licenseOf(app, 5, { body: { email, ...body } })
  own = await of('ada@example.com')
  ended = await of('ada@example.com', { expires_at: '2026-01-30 10:00:00' })
  foreign = await of('bob@example.com')
})
after(() => app.close())

const keysOf = async (id: string) => {
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)
  return { id: Number(id), publicKey: json.public_key, secretKey: json.secret_key }
}

const ids = async (query = '', userId = ada) => {
  const path = `/products/${app.seller.product.id}/users/${userId}/licenses.json?${query}`
  const { status, json } = await app.call('GET', path)
  assert.equal(status, 200)
  return json.licenses.map(({ id }: License) => id)
}

test("a user's licenses are listed newest first, all, active or expired", async () => {
  assert.deepEqual(await ids(), [ended.id, own.id])
  assert.deepEqual(await ids('type=active'), [own.id])
  assert.deepEqual(await ids('type=expired'), [ended.id])
  assert.deepEqual(await ids('count=1&offset=1'), [own.id])
})

test('the environment narrows the list to what is live, or of the sandbox', async () => {
  const person = await userOf(app, 'eve@example.com')
  const [live, sandbox] = [
    await licenseOf(app, 5, { body: { email: 'eve@example.com' } }),
    await licenseOf(app, 5, { body: { email: 'eve@example.com' } }),
  ]
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ environment: 1 }).where('id', '=', Number(sandbox.id)).execute(),
  )
  assert.deepEqual(await ids('', person), [sandbox.id, live.id])
  assert.deepEqual(await ids('environment=0', person), [live.id])
  assert.deepEqual(await ids('environment=1&type=active', person), [sandbox.id])
  assert.deepEqual(await ids(`environment=0&ids=${sandbox.id},${live.id}`, person), [live.id])
})

test('ids and keys narrow the list to those of the user', async () => {
  assert.deepEqual(await ids(`ids=${own.id},${foreign.id}`), [own.id])
  assert.deepEqual(await ids(`license_key=${encodeURIComponent(ended.secret_key)}`), [ended.id])
  const keys = [own, ended, foreign].map(({ secret_key: key }) => encodeURIComponent(key)).join(',')
  assert.deepEqual(await ids(`license_keys=${keys}`), [ended.id, own.id])
  assert.deepEqual(await ids('license_keys=sk_unknown'), [])
})

test("after a + another owner's license comes too, for its key or an install it is on, not for its id", async () => {
  await activateOn(app, foreign, await installOf(app, { userId: bob, url: 'https://bob.example.org' }))
  assert.deepEqual(await ids(`ids=%2B${foreign.id}`), [ended.id, own.id], 'an id proves nothing')
  const key = encodeURIComponent(foreign.secret_key)
  assert.deepEqual(await ids(`ids=%2B${foreign.id}&license_keys=${key}`), [foreign.id, ended.id, own.id])
  await activateOn(app, foreign, await installOf(app, { userId: ada, url: 'https://ada.example.org' }))
  assert.deepEqual(await ids(`ids=%2B${foreign.id}`), [foreign.id, ended.id, own.id])
  assert.deepEqual(await ids(`ids=+${foreign.id}`), [foreign.id, ended.id, own.id], 'a form makes + a space')
})

test('an enriched license tells the kind of its product', async () => {
  const path = `/products/${app.seller.product.id}/users/${ada}/licenses.json`
  const [plain] = (await app.call('GET', path)).json.licenses
  assert.ok(!('plugin_type' in plain))
  const [rich] = (await app.call('GET', `${path}?is_enriched=true`)).json.licenses
  assert.equal(rich.plugin_type, 'plugin')
  assert.deepEqual([rich.products, rich.subscription_id, rich.parent_license_id], [[], null, null])
})

test('a user of another product is not found', async () => {
  const cleo = await userOf(app, 'cleo@example.com', app.seller.other)
  const path = `/products/${app.seller.product.id}/users/${cleo}/licenses.json`
  assert.equal((await app.call('GET', path)).status, 404)
})

test('a user lists and white-labels its own licenses, and no others', async () => {
  const as = asUser(app, await keysOf(ada))
  const listed = await as('GET', '/licenses.json?is_enriched=true')
  assert.deepEqual(
    listed.json.licenses.map(({ id }: License) => id),
    [ended.id, own.id],
  )
  const done = await as('PUT', `/licenses/${own.id}.json`, { is_whitelabeled: true })
  assert.deepEqual([done.status, done.json.is_whitelabeled], [200, true])
  assert.equal((await as('PUT', `/licenses/${foreign.id}.json`, { is_whitelabeled: true })).status, 404)
  const quota = await as('PUT', `/licenses/${own.id}.json`, {
    is_whitelabeled: true,
    quota: 99,
    new_user_id: bob,
  })
  assert.deepEqual([quota.json.quota, quota.json.user_id], [5, ada], 'a user changes nothing else')
})

test('to the person itself, logged in, store_id opens its licenses of every product', async () => {
  await userOf(app, 'ada@example.com', app.seller.other)
  const elsewhere = await licenseOf(app, 1, {
    product: app.seller.other,
    body: { email: 'ada@example.com' },
  })
  const { access } = await app.write((tx) =>
    issueAccessToken(tx, { developerId: app.seller.developer.id, userId: Number(ada) }),
  )
  const list = async (query: string) => {
    const headers = { authorization: `FSA ${ada}:${access}` }
    const { json } = await app.call('GET', `/users/${ada}/licenses.json?${query}`, { token: null, headers })
    return json.licenses.map(({ id }: License) => id)
  }
  assert.deepEqual(await list('store_id='), [elsewhere.id, ended.id, own.id])
  assert.deepEqual(await list(`store_id=${app.seller.store.id}&count=1`), [elsewhere.id])
  assert.deepEqual(await list('store_id=987654321'), [])
  assert.ok(!(await list('')).includes(elsewhere.id))
  const keys = asUser(app, await keysOf(ada))
  const { licenses } = (await keys('GET', '/licenses.json?store_id=')).json
  assert.ok(!licenses.some(({ id }: License) => id === elsewhere.id), 'keys open one product')
})

test('a user is told who owns the licenses on its installs', async () => {
  const as = asUser(app, await keysOf(ada))
  const { json } = await as('GET', '/licenses_owners.json')
  assert.deepEqual(json.owners, [{ id: bob, email: 'b…@e….com' }])
  const others = asUser(app, await keysOf(bob))
  const { owners } = (await others('GET', '/licenses_owners.json')).json
  assert.deepEqual(owners, [{ id: bob, email: 'bob@example.com' }])
})

test('a user writes one review under a license, also when it tries at once', async () => {
  const pathOf = (id: string) => `/products/${app.seller.product.id}/users/${ada}/licenses/${id}/reviews.json`
  const path = pathOf(own.id)
  const body = { rate: 90, text: 'Good.' }
  const replies = await Promise.all([1, 2, 3].map(() => app.call('POST', path, { body })))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 400, 400])
  const review = replies.find(({ status }) => status === 201)?.json
  assert.deepEqual([review.user_id, review.license_id, review.name], [ada, own.id, 'Some Body'])
  const refused = replies.find(({ status }) => status === 400)?.json
  assert.equal(refused.error.code, 'license_review_taken')
  assert.equal((await app.call('POST', pathOf(foreign.id), { body })).status, 404)
  assert.equal((await app.call('POST', path, { body: { rate: 90 } })).status, 402)
})

test('the review link of a license opens a page that writes one review, kept back until it is shown', async () => {
  const base = `/products/${app.seller.product.id}/users/${ada}/licenses/${ended.id}`
  const { status, json } = await app.call('GET', `${base}/review_url.json`)
  assert.equal(status, 200)
  const page = json.url.replace(app.ctx.baseUrl, app.address)
  assert.match(await (await fetch(page)).text(), /<textarea name="text"/)
  const send = (fields: Record<string, string>, at = page) =>
    fetch(at, { method: 'POST', body: new URLSearchParams(fields) })
  assert.equal((await send({ rate: '80' })).status, 400)
  assert.equal((await send({ rate: '80', title: 'Fine', text: 'Does what it says <b>.' })).status, 200)
  await send({ rate: '20', text: 'Again.' })
  const { reviews } = (await app.call('GET', `/products/${app.seller.product.id}/reviews.json`)).json
  const [review, ...more] = reviews.filter(({ license_id: id }: { license_id: string }) => id === ended.id)
  assert.equal(more.length, 0)
  assert.deepEqual([review.rate, review.user_id, review.title], [80, ada, 'Fine'])
  assert.match(await (await fetch(page)).text(), /Thank you/)
  const [, id = '', rest = ''] = /review\/(\d+)(-.*)$/.exec(page) ?? []
  assert.equal(
    (await send({ rate: '80', text: 'X' }, page.replace(`${id}${rest}`, own.id + rest))).status,
    404,
  )
  app.ctx.clock.advance(30 * DAY)
  assert.equal((await fetch(page)).status, 404)
  app.ctx.clock.advance(-30 * DAY)
})

test('what is done to a license of a user is an event of that user', async () => {
  const events = await eventsOfLicense(app, own.id)
  assert.ok(events.every(({ user_id: userId }) => String(userId) === ada))
})
