import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asUser, type CallAs } from '../../../test/callers.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { createSeller } from '../../../test/factories.ts'
import { createOwner, newUid } from '../../../test/installs.ts'
import { activateOn, installOf, licenseOf, userOf } from '../../../test/licenses.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import type { License } from './schema.ts'

interface Product {
  readonly id: number
  readonly token: string
}

let app: TestApp
let ada: Awaited<ReturnType<typeof createOwner>>
let as: CallAs
let addon: Product
/** With the product, and without it. */
let bundle: Product
let otherBundle: Product
/** Ada's licenses by where they are, and one of somebody else. */
const made: Record<string, License> = {}

before(async () => {
  app = await startTestApp('licenses_family')
  ada = await createOwner(app, 'ada@example.com')
  as = asUser(app, ada)
  const { developer, store, product, other } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  addon = await withToken(await app.write((tx) => createAddon(tx, owner, 'More')))
  bundle = await newBundle('both', [product.id, other.id])
  otherBundle = await newBundle('the other', [other.id])
  const sold = { product, addon, bundle, other, 'other bundle': otherBundle }
  for (const [name, of] of Object.entries(sold)) {
    await userOf(app, 'ada@example.com', of)
    made[name] = await licenseOf(app, 5, { product: of, body: { email: 'ada@example.com' } })
  }
  await userOf(app, 'bob@example.com', addon)
  made['foreign'] = await licenseOf(app, 5, { product: addon, body: { email: 'bob@example.com' } })
})
after(() => app.close())

const withToken = async (productId: number): Promise<Product> => {
  const { token } = await app.write((tx) => issueApiToken(tx, { productId, name: 'test', expiresAt: null }))
  return { id: productId, token }
}

async function newBundle(slug: string, members: number[]): Promise<Product> {
  const developer = await asDeveloper(app)
  const body = { title: slug, slug: slug.replaceAll(' ', '-'), type: 'plugin', is_bundle: true }
  const { json } = await developer('POST', '/plugins.json', body)
  await developer('PUT', `/products/${json.id}/bundle/members.json`, { members: members.join(',') })
  return withToken(Number(json.id))
}

const names = ({ json }: Awaited<ReturnType<CallAs>>) =>
  json.licenses.map(({ id }: License) => Object.keys(made).find((name) => made[name]?.id === id))

test("a user's keys open the add-ons of their product and the bundles it is in", async () => {
  for (const name of ['product', 'addon', 'bundle']) {
    const id = made[name]?.plugin_id
    for (const plugins of ['plugins', 'products']) {
      const reply = await as('GET', `/${plugins}/${id}/licenses.json`)
      assert.deepEqual([reply.status, ...names(reply)], [200, name])
    }
  }
})

test("they open no other product: of the same seller, a bundle without it, a stranger's, none", async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const { developer, store } = stranger
  const foreignAddon = await app.write((tx) =>
    createAddon(
      tx,
      { developerId: developer.id, storeId: store.id, productId: stranger.product.id },
      'Theirs',
    ),
  )
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('products')
      .set({ parent_plugin_id: app.seller.product.id })
      .where('id', '=', foreignAddon)
      .execute(),
  )
  const closed = [app.seller.other.id, otherBundle.id, stranger.product.id, foreignAddon, 999_999]
  for (const id of closed) {
    for (const path of ['licenses', 'installs', 'plans']) {
      assert.equal((await as('GET', `/plugins/${id}/${path}.json`)).status, 401, `${path} of ${id}`)
    }
    const created = await as('POST', `/plugins/${id}/installs.json`, { uid: newUid() })
    assert.equal(created.status, 401, `installs of ${id}`)
  }
})

test('the keys of an add-on and of a bundle do not open the product', async () => {
  for (const one of [addon, bundle]) {
    const { json } = await app.call('GET', `/products/${one.id}/users/${ada.id}.json`, { token: one.token })
    const keys = { id: ada.id, publicKey: json.public_key, secretKey: json.secret_key }
    const call = asUser(app, keys)
    assert.equal((await call('GET', `/plugins/${app.seller.product.id}/licenses.json`)).status, 401)
    assert.equal((await call('GET', `/licenses/${made['product']?.id}.json`)).status, 404)
  }
})

test('without a product in the path the lists go over that family', async () => {
  const active = await as('GET', '/licenses.json?type=active&is_enriched=true')
  assert.deepEqual(names(active), ['bundle', 'addon', 'product'])
  const [rich] = active.json.licenses
  assert.deepEqual(
    [rich.plugin_type, rich.products],
    ['bundle', [app.seller.product.id, app.seller.other.id].map(String)],
  )
  assert.deepEqual(names(await as('GET', '/licenses.json?count=1&offset=1')), ['addon'])
  assert.deepEqual(names(await as('GET', `/licenses.json?ids=${made['other']?.id},${made['bundle']?.id}`)), [
    'bundle',
  ])
  const { access } = await app.write((tx) =>
    issueAccessToken(tx, { developerId: app.seller.developer.id, userId: ada.id }),
  )
  const headers = { authorization: `FSA ${ada.id}:${access}` }
  const loggedIn = await app.call('GET', `/users/${ada.id}/licenses.json`, { token: null, headers })
  assert.deepEqual(names(loggedIn), ['bundle', 'addon', 'product'])
})

test('a license without its product in the path is found in the family, and changed', async () => {
  const { id = '' } = made['bundle'] ?? {}
  const done = await as('PUT', `/licenses/${id}.json`, { is_whitelabeled: true })
  assert.deepEqual([done.status, done.json.is_whitelabeled], [200, true])
  const { product_id: productId } = await app.ctx.db
    .selectFrom('events')
    .select('product_id')
    .where('type', '=', 'license.updated')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(productId, bundle.id, 'the event is of the product of the license')
  assert.equal((await as('GET', `/licenses/${made['addon']?.id}.json`)).json.id, made['addon']?.id)
  for (const name of ['other', 'other bundle', 'foreign']) {
    const path = `/licenses/${made[name]?.id}.json`
    assert.equal((await as('GET', path)).status, 404, name)
    assert.equal((await as('PUT', path, { is_whitelabeled: true })).status, 404, name)
  }
})

test('who is known by the product connects an add-on, of which it becomes a user', async () => {
  const eve = await createOwner(app, 'eve@example.com')
  const call = asUser(app, eve)
  const empty = await call('GET', `/plugins/${addon.id}/licenses.json`)
  assert.deepEqual([empty.status, empty.json], [200, { licenses: [] }])
  const uid = newUid()
  const body = { uid, url: 'https://eve.example', license_key: made['foreign']?.secret_key }
  const { status, json } = await call('POST', `/plugins/${addon.id}/installs.json`, body)
  assert.deepEqual([status, json.plugin_id, json.uid], [200, String(addon.id), uid])
  assert.equal(json.license_id, made['foreign']?.id)
  const known = await app.call('GET', `/products/${addon.id}/users/${eve.id}.json`, { token: addon.token })
  assert.equal(known.json.email, 'eve@example.com')
  const { installs } = (await call('GET', '/installs.json')).json
  assert.deepEqual([installs.length, installs[0].id], [1, json.id])
  assert.equal((await call('GET', `/installs/${json.id}.json`)).json.uid, uid)
  assert.equal((await as('GET', `/installs/${json.id}.json`)).status, 404, 'somebody else')
})

test("a user is shown another person's license by its key, and by no other", async () => {
  const { id, secret_key: key = '' } = made['foreign'] ?? {}
  const get = (text: string, prefix = `/plugins/${addon.id}`) =>
    as('GET', `${prefix}/licenses/${id}.json?license_key=${encodeURIComponent(text)}`)
  assert.equal((await get(key)).json.id, id)
  assert.equal((await get(key, '')).json.id, id, 'also without the product')
  const wrong = await get(made['product']?.secret_key ?? '')
  assert.deepEqual([wrong.status, wrong.json.error.code], [404, 'not_found'])
  const own = `/plugins/${addon.id}/licenses/${made['addon']?.id}.json`
  const other = await as('GET', `${own}?license_key=${key}`)
  assert.deepEqual([other.status, other.json.error.code], [404, 'invalid_license_key'])
  assert.equal((await as('GET', own)).status, 200)
})

test('the owners of licenses on installs are told page by page, over the family', async () => {
  const call = asUser(app, await createOwner(app, 'zoe@example.com'))
  const { user_id: zoe } = (await call('POST', `/plugins/${addon.id}/installs.json`, { uid: newUid() })).json
  const [first, second] = ['one@example.com', 'two@example.com']
  for (const [email, product] of [[first, app.seller.product] as const, [second, addon] as const]) {
    await userOf(app, email, product)
    const license = await licenseOf(app, 1, { product, body: { email } })
    await activateOn(app, license, await installOf(app, { userId: zoe, productId: product.id }))
  }
  const emails = async (query: string) =>
    (await call('GET', `/licenses_owners.json?${query}`)).json.owners.map(
      ({ email }: { email: string }) => email,
    )
  assert.deepEqual(await emails(''), ['o…@e….com', 't…@e….com'])
  assert.deepEqual(await emails('count=1&offset=1'), ['t…@e….com'])
})
