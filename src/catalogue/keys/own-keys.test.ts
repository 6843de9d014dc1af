import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, signing, type CallAs } from '../../../test/callers.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { createSeller } from '../../../test/factories.ts'
import { auditOf, joinTeam, logIn, PASSWORD, setPassword, type Login } from '../../../test/logins.ts'
import { allOf } from '../../../test/whole-database.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { Refused } from '../../lib/errors.ts'
import { HOUR } from '../../lib/time.ts'
import { renewOwnKeys, showOwnKeys } from './own-keys.ts'

let app: TestApp
let owner: Login
beforeEach(async () => {
  app = await startTestApp('own_keys', { config: { mode: 'development' } })
  await setPassword(app)
  owner = await logIn(app)
})
afterEach(() => app.close())

const AGAIN = { current_password: PASSWORD }

/** Each that has keys, and where these are, below the account. */
function holders() {
  const { developer, store, product } = app.seller
  return [
    { name: 'developer', keys: developer, path: '' },
    { name: 'store', keys: store, path: `/stores/${store.id}` },
    { name: 'product', keys: product, path: `/products/${product.id}` },
  ] as const
}

/** What programs call the account with: its access token, and a signature with its keys as they are. */
async function programs(): Promise<CallAs[]> {
  const { id, publicKey } = app.seller.developer
  const secretKey = String((await show('')).json.secret_key)
  const keys = { id, publicKey, secretKey }
  return [await asDeveloper(app), signing(app, { keys, scheme: 'FS', prefix: `/developers/${id}` })]
}

const show = (path: string, body: object = AGAIN, by = owner) =>
  by.browse('POST', `${path}/keys/show.json`, { body })
const renew = (path: string, body: object = AGAIN, by = owner) =>
  by.browse('POST', `${path}/keys.json`, { body })

test('the keys of a developer, store and product are shown to who gives the password again, and not kept anywhere', async () => {
  for (const { name, keys, path } of holders()) {
    const { status, json, headers } = await show(path)
    assert.equal(status, 200, name)
    assert.deepEqual(json, {
      id: String(keys.id),
      public_key: keys.publicKey,
      secret_key: keys.secretKey,
    })
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  const kept = JSON.stringify(await allOf(app.ctx.database))
  for (const { keys } of holders()) assert.ok(!kept.includes(keys.secretKey))
})

test('with a wrong password no key is shown or replaced: ten are counted together, then the right one waits an hour', async () => {
  const [developer, store, product] = holders()
  const wrong = { current_password: 'wrong' }
  const tries = [
    () => show(developer.path, wrong),
    () => renew(store.path, wrong),
    () => show(product.path, wrong),
  ]
  for (let n = 0; n < 10; n++) {
    const { status, json } = (await tries[n % 3]?.()) ?? assert.fail()
    assert.deepEqual([status, json.error.code], [401, 'invalid_credentials'])
  }
  for (const { path } of holders()) {
    const [shown, renewed] = [await show(path), await renew(path)]
    assert.deepEqual([shown.status, renewed.status], [429, 429])
  }
  assert.equal((await app.ctx.db.selectFrom('former_keys').selectAll().execute()).length, 0)
  app.ctx.clock.advance(HOUR)
  assert.deepEqual([(await show(store.path)).status, (await renew(store.path)).status], [200, 200])
})

test('of fifteen wrong passwords at once ten are looked at, whatever keys they are for', async () => {
  const [developer, store, product] = holders()
  const wrong = { current_password: 'wrong' }
  const tries = Array.from({ length: 5 }, () => [
    show(developer.path, wrong),
    renew(store.path, wrong),
    show(product.path, wrong),
  ])
  const statuses = (await Promise.all(tries.flat())).map(({ status }) => status)
  assert.deepEqual(
    [401, 429].map((status) => statuses.filter((one) => one === status).length),
    [10, 5],
  )
})

test('a session alone is not enough: without the password it is told that it is missing', async () => {
  for (const { path } of holders()) {
    for (const { status, json } of [await show(path, {}), await renew(path, {})]) {
      assert.equal(status, 402)
      assert.deepEqual(
        json.error.details.map(({ field }: { readonly field: string }) => field),
        ['current_password'],
      )
    }
  }
})

test('a session with the password replaces a secret key; a signed call and a token need none', async () => {
  for (const { name, keys, path } of holders()) {
    const { status, json } = await renew(path, { ...AGAIN, overlap_hours: 1 })
    assert.equal(status, 200, name)
    assert.notEqual(json.secret_key, keys.secretKey)
    assert.equal((await show(path)).json.secret_key, json.secret_key)
    for (const call of await programs())
      assert.equal((await call('POST', `${path}/keys.json`, {})).status, 200, name)
  }
})

test('keys are shown to nobody who is not logged in: no token, no signature, no other account', async () => {
  const account = await asDeveloper(app)
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  await setPassword(app, stranger.developer.id)
  const theirs = await logIn(app, {
    account: stranger.developer.id,
    body: { email: 'stranger@example.com' },
  })
  for (const { path } of holders()) {
    assert.equal((await account('POST', `${path}/keys/show.json`, AGAIN)).status, 401)
    if (path === '') continue
    assert.ok([401, 404].includes((await show(path, AGAIN, theirs)).status), path)
  }
  assert.equal((await show('/stores/987654321')).status, 404)
})

test('keys are shown and replaced by admins alone, each with the password of its own', async () => {
  for (const role of ['admin', 'developer', 'support', 'accountant']) {
    const email = `${role}@example.com`
    const body = { email, first: 'Kim', last: 'Lee', role }
    const { json } = await owner.browse('POST', '/members.json', { body })
    const person = await joinTeam(app, String(json.id))
    await setPassword(app, person, `the pass phrase of ${role}`)
    const password = `the pass phrase of ${role}`
    const member = await logIn(app, { body: { email, password } })
    for (const { path } of holders()) {
      const own = { current_password: password }
      const [shown, renewed] = [await show(path, own, member), await renew(path, own, member)]
      const expected = role === 'admin' ? [200, 200] : [401, 401]
      assert.deepEqual([shown.status, renewed.status], expected, `${role} ${path}`)
      if (role !== 'admin') assert.equal(shown.json.error.code, 'role_not_allowed')
      else assert.equal((await show(path, AGAIN, member)).json.error.code, 'invalid_credentials')
    }
  }
})

test('the audit log has who was shown which keys, and who gave a wrong password, without a key', async () => {
  for (const { name, keys, path } of holders()) {
    await show(path)
    await show(path, { current_password: 'wrong' })
    const rows = await auditOf(app, `keywright/show-${name}-keys`)
    assert.deepEqual(
      rows.map(({ actor_id: by, details }) => [by, details['id'], details['refused']]),
      [
        [app.seller.developer.id, String(keys.id), undefined],
        [app.seller.developer.id, undefined, 'invalid_credentials'],
      ],
    )
    assert.ok(!JSON.stringify(rows).includes(keys.secretKey))
  }
})

test('a login is answered no secret key by what it reads or writes else; a token and a signature are', async () => {
  const { store, product } = app.seller
  const account = await asDeveloper(app)
  const reads = [
    `/products/${product.id}.json`,
    '/products.json',
    `/stores/${store.id}.json`,
    '/stores.json',
    `/stores/${store.id}/products.json`,
    `/products/${product.id}/addons.json?show_pending=true`,
  ]
  const addon = { title: 'More', kind: 'addon', parent_plugin_id: product.id }
  assert.equal((await account('POST', '/products.json', addon)).status, 200)
  for (const path of reads) {
    const byLogin = await owner.browse('GET', path)
    assert.equal(byLogin.status, 200, path)
    assert.ok(!byLogin.text.includes('secret_key') && byLogin.text.includes('public_key'), path)
    for (const call of await programs())
      assert.ok((await call('GET', path)).text.includes('secret_key'), path)
  }
  const created = await owner.browse('POST', '/stores.json', { body: { title: 'Another' } })
  const changed = await owner.browse('PUT', `/products/${product.id}.json`, { body: { title: 'Other' } })
  assert.deepEqual([created.status, changed.status], [201, 200])
  for (const { text } of [created, changed]) assert.ok(!text.includes('secret_key'))
})

/** The owner, logged in, as operations see it, and what it asks for the product. */
const asked = () => {
  const { developer, product } = app.seller
  const actor = { kind: 'developer', id: developer.id, credential: 'session:1', sessionId: 1 } as const
  const scope: Scope = { ...systemScope({ developerId: developer.id, productId: product.id }), actor }
  return { scope, holder: { owner: 'products', id: product.id } as const }
}

test('who has changed the password meanwhile has ended what was asked for with the one before', async () => {
  const { scope, holder } = asked()
  const former = { ok: true, passwordHash: 'that of another password', renewedHash: null } as const
  const shown = await app.write((tx) => showOwnKeys(tx, scope, holder, former))
  const renewed = await app.write((tx) =>
    renewOwnKeys(tx, scope, holder, { overlapHours: 0, password: former }),
  )
  assert.ok(shown instanceof Refused && renewed instanceof Refused)
  const { product } = app.seller
  assert.equal((await show(`/products/${product.id}`)).json.secret_key, product.secretKey)
})

test('a renewal by a login that is broken off at any statement leaves the keys as they were', async () => {
  const { scope, holder } = asked()
  const { password_hash: passwordHash } = await app.ctx.db
    .selectFrom('developers')
    .select('password_hash')
    .where('id', '=', scope.actor.id)
    .executeTakeFirstOrThrow()
  const password = { ok: true, passwordHash: passwordHash ?? '', renewedHash: null } as const
  for (const way of ['fails', 'is cut'] as const) {
    const changed = await cutEverywhere(app, way, (tx) =>
      renewOwnKeys(tx, scope, holder, { overlapHours: 24, password }),
    )
    assert.deepEqual(
      changed.filter((table) => table === 'former_keys' || table === 'products').toSorted(),
      ['former_keys', 'products'],
      way,
    )
  }
})
