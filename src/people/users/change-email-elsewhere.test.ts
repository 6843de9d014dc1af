import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, asUser, signing } from '../../../test/callers.ts'
import { createOwner, expectOk } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { asEntered } from '../../../test/portal-sessions.ts'
import { createProduct } from '../../catalogue/products/service.ts'
import { createStore } from '../../catalogue/stores/service.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('change_email_elsewhere')
})
after(() => app.close())

type Person = Awaited<ReturnType<typeof createOwner>>

let count = 0
const wanted = () => `wanted${++count}@example.com`

const pathOf = ({ id }: Person, { product = app.seller.product, path = '.json' } = {}) =>
  `/products/${product.id}/users/${id}${path}`

type Put = (person: Person, body: object, path?: string) => Promise<Reply>

/** Who reaches the first product and no other one. */
const bound: Readonly<Record<string, Put>> = {
  'the token of a product': (person, body, path) => app.call('PUT', pathOf(person, { path }), { body }),
  'the keys of a product': (person, body, path) =>
    signing(app, { keys: app.seller.product, scheme: 'FS', prefix: '' })(
      'PUT',
      pathOf(person, { path }),
      body,
    ),
  'the pair that a seller is shown': (person, body, path = '.json') => asUser(app, person)('PUT', path, body),
  'the session of a portal link': async (person, body, path = '.json') =>
    (await asEntered(app, person))('PUT', path, body),
}

for (const [who, put] of Object.entries(bound)) {
  test(`${who} gives no other address to a user of another product, and to one of this product alone it does`, async () => {
    const person = await createOwner(app)
    const alone = wanted()
    assert.equal((await put(person, { email: alone })).status, 200)
    assert.equal((await mailsTo(app, alone)).length, 1)
    await createOwner(app, person.email, app.seller.other)
    const taken = wanted()
    const reply = await put(person, { email: taken })
    assert.deepEqual(
      [reply.status, reply.json.error?.code],
      [400, 'account_verification_required'],
      reply.text,
    )
    assert.deepEqual(await mailsTo(app, taken), [])
    const same = await put(person, { email: person.email })
    assert.equal(same.status, 200, 'its own address is no change')
  })
}

test('who reaches one product writes name and billing address, which are one for the account', async () => {
  const { other } = app.seller
  const inOther = async (path: string) =>
    expectOk(await app.call('GET', `/products/${other.id}/users${path}`, { token: other.token })).json
  for (const [who, put] of Object.entries(bound)) {
    const person = await createOwner(app)
    await createOwner(app, person.email, other)
    const name = `Named${++count}`
    expectOk(await put(person, { name: `${name} Anew` }))
    const address = { address_city: name, tax_id: `JP${count}` }
    expectOk(await put(person, address, '/billing.json'))
    const { first, last, email } = await inOther(`/${person.id}.json`)
    assert.deepEqual([first, last, email], [name, 'Anew', person.email], who)
    const { users } = await inOther(`.json?search=${name}`)
    assert.deepEqual(
      users.map(({ id }: { id: string }) => id),
      [String(person.id)],
      `${who}: found by it`,
    )
    const billing = await inOther(`/${person.id}/billing.json`)
    assert.deepEqual([billing.address_city, billing.tax_id], [name, address.tax_id], who)
  }
})

test('who reaches all products of a user changes its address: the developer, a store of all of them, the user signed in', async () => {
  const { product, other, developer } = app.seller
  const person = await createOwner(app)
  const password = 'a pass phrase of this user'
  const email = wanted()
  const body = { email, password, name: 'Signs In' }
  const { json: made } = expectOk(await app.call('POST', `/products/${product.id}/users.json`, { body }))
  for (const one of [person.email, email]) await createOwner(app, one, other)
  const byDeveloper = await asDeveloper(app)
  assert.equal((await byDeveloper('PUT', pathOf(person), { email: wanted() })).status, 200)
  assert.equal((await asStore(app)('PUT', pathOf(person), { email: wanted() })).status, 200)
  const { json } = expectOk(
    await app.call('POST', '/users/login.json', {
      token: null,
      body: {
        email,
        password,
        developer_id: String(developer.id),
        developer_secret_key: developer.secretKey,
      },
    }),
  )
  const headers = { authorization: `FSA ${made.id}:${json.user_token.token.access}` }
  const changed = await app.call('PUT', `/users/${made.id}.json`, {
    token: null,
    headers,
    body: { email: wanted() },
  })
  assert.equal(changed.status, 200, changed.text)
})

/** Another product of the first one's developer, in the same store if none is named. */
const addProduct = (more: Partial<Parameters<typeof createProduct>[1]>) =>
  app.write((tx) =>
    createProduct(tx, {
      developerId: app.seller.developer.id,
      storeId: app.seller.store.id,
      title: `Product ${++count}`,
      redirectHosts: [],
      ...more,
    }),
  )

/** Makes a person a user of a product, by the developer. */
async function enter({ email }: Person, productId: number): Promise<void> {
  const byDeveloper = await asDeveloper(app)
  const body = { email, name: 'Some Body', send_verification_email: false }
  expectOk(await byDeveloper('POST', `/products/${productId}/users.json`, body))
}

test('the session and the pair give another address to a user of the product, its add-ons and bundles, and the token does not', async () => {
  const { product } = app.seller
  const addon = await addProduct({
    parentId: product.id,
    more: { kind: 'addon', type: 'plugin', type_alias: '' },
  })
  const bundle = await addProduct({ more: { kind: 'bundle', type: 'plugin', type_alias: '' } })
  await app.write((tx) =>
    tx.db.insertInto('bundle_members').values({ bundle_id: bundle, product_id: product.id }).execute(),
  )
  const person = await createOwner(app)
  for (const id of [addon, bundle]) await enter(person, id)
  const statuses = []
  for (const put of Object.values(bound)) statuses.push((await put(person, { email: wanted() })).status)
  assert.deepEqual(statuses, [400, 400, 200, 200])
})

test('a store gives no other address to a user of a product of another store', async () => {
  const storeId = await app.write((tx) =>
    createStore(tx, { developerId: app.seller.developer.id, title: 'Second store' }),
  )
  const person = await createOwner(app)
  await enter(person, await addProduct({ storeId }))
  const reply = await asStore(app)('PUT', pathOf(person), { email: wanted() })
  assert.deepEqual([reply.status, reply.json.error?.code], [400, 'account_verification_required'])
  const byDeveloper = await asDeveloper(app)
  assert.equal((await byDeveloper('PUT', pathOf(person), { email: wanted() })).status, 200)
})

test('an update sets no password', async () => {
  const person = await createOwner(app)
  const password = 'another pass phrase'
  for (const put of [
    () => app.call('PUT', pathOf(person), { body: { password } }),
    () => asUser(app, person)('PUT', '.json', { password }),
  ])
    expectOk(await put())
  const { id: developerId, secretKey } = app.seller.developer
  const body = {
    email: person.email,
    password,
    developer_id: String(developerId),
    developer_secret_key: secretKey,
  }
  assert.equal((await app.call('POST', '/users/login.json', { token: null, body })).status, 401)
})

/** Follows the link that an address was mailed: the status of its page. */
async function follow(email: string): Promise<number> {
  const [mail] = await mailsTo(app, email)
  const [, link] = /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(mail?.text ?? '') ?? []
  return (await fetch(`${app.address}${link}`, { method: 'POST', redirect: 'manual' })).status
}

test('a link that was asked for is over when the user comes into another product, be it in the same second', async () => {
  const person = await createOwner(app)
  const [byToken, byDeveloper] = [wanted(), wanted()]
  expectOk(await app.call('PUT', pathOf(person), { body: { email: byToken } }))
  await createOwner(app, person.email, app.seller.other)
  assert.equal(await follow(byToken), 404)
  const account = await asDeveloper(app)
  expectOk(await account('PUT', pathOf(person), { email: byDeveloper }))
  await enter(person, await addProduct({}))
  assert.equal(await follow(byDeveloper), 404, 'also where who asked reaches all of them')
  assert.equal((await app.call('GET', pathOf(person))).json.email, person.email)
})

test('a link works for a user who was in several products when it was asked for', async () => {
  const person = await createOwner(app)
  await createOwner(app, person.email, app.seller.other)
  const email = wanted()
  const account = await asDeveloper(app)
  expectOk(await account('PUT', pathOf(person), { email }))
  assert.equal(await follow(email), 200)
  assert.equal((await app.call('GET', pathOf(person))).json.email, email)
})
