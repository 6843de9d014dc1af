import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf, newUid, type Active, type Clients } from '../../../test/activations.ts'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser, type CallAs } from '../../../test/callers.ts'
import { createOwner } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import type { License } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('verify_by')
  clients = clientsOf(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

/** A license that is active on a site of its owner, and all who may ask for it. */
async function place() {
  const user = await createOwner(app)
  const license = await licenseOf(app, 3, { body: { email: user.email } })
  const active = await clients.active(license)
  return { user, license, active, install: keysOf(active) }
}

function keysOf({ installId, json }: Active) {
  const { install_public_key: publicKey = '', install_secret_key: secretKey = '' } = json
  return { id: Number(installId), publicKey, secretKey }
}
type Place = Awaited<ReturnType<typeof place>>

type Ask = (of: Place) => Promise<Reply>

const query = ({ uid, key }: Pick<Active, 'uid' | 'key'>) => new URLSearchParams({ uid, license_key: key })
const onInstall = ({ license, active }: Place) => `/installs/${active.installId}/licenses/${license.id}.json`

/** Every way to ask for the license that is active on an install. */
const WAYS: Readonly<Record<string, Ask>> = {
  'uid and key': ({ active }) => clients.verify(active),
  'uid and key at the path of the install': ({ active }) =>
    app.call('GET', `/installs/${active.installId}/license.json?${query(active)}`, { token: null }),
  'uid and key, signed by the install': ({ install, active }) =>
    asInstall(app, install)('GET', `/license.json?${query(active)}`),
  'the signature of the install': ({ install, license }) =>
    asInstall(app, install)('GET', `/licenses/${license.id}.json`),
  'the token of the install': (of) => app.call('GET', onInstall(of), { token: of.active.token }),
  'the token of the install in its product': (of) =>
    app.call('GET', clients.path(onInstall(of)), { token: of.active.token }),
  "the product's token and the key": (of) =>
    app.call('GET', `${clients.path(onInstall(of))}?license_key=${of.active.key}`),
}

/** Ways to ask that are answered with a list of one or none. */
const LISTS: Readonly<Record<string, Ask>> = {
  'the signature of the install': ({ install }) => asInstall(app, install)('GET', '/licenses.json'),
  'the token of the install': ({ active }) =>
    app.call('GET', `/installs/${active.installId}/licenses.json`, { token: active.token }),
  "the product's token": ({ active }) =>
    app.call('GET', clients.path(`/installs/${active.installId}/licenses.json`)),
}

type Ending = Pick<License, 'is_cancelled' | 'is_block_features' | 'expiration'>

/** What clients make of a license (`docs/interface.md` 5.3). */
const hasFeatures = ({ is_cancelled, is_block_features, expiration }: Ending): boolean =>
  !is_cancelled && (!is_block_features || expiration === null || expiration > app.ctx.clock.now())

const ENDED = toUtcTime(START - DAY)

const STATES: [string, Readonly<Record<string, unknown>>, boolean][] = [
  ['a good license', { is_cancelled: false }, true],
  ['one that never ends', { expiration: null }, true],
  ['one whose last second it is', { expiration: toUtcTime(START + 1_000) }, true],
  ['one that ends now', { expiration: toUtcTime(START) }, false],
  ['an expired one that blocks', { expiration: ENDED, is_block_features: true }, false],
  ['an expired one that does not block', { expiration: ENDED, is_block_features: false }, true],
  ['a cancelled one', { is_cancelled: true }, false],
  [
    'a cancelled one that does not block',
    { is_cancelled: true, is_block_features: false, expiration: null },
    false,
  ],
]

for (const [what, columns, features] of STATES) {
  test(`${what} is answered as it is, whoever asks, and has ${features ? 'its' : 'no'} features`, async () => {
    const of = await place()
    await clients.setLicense(of.license, columns)
    const expected = {
      ...of.license,
      activated: 1,
      ...('expiration' in columns && { expiration: columns['expiration'] }),
      ...('is_cancelled' in columns && { is_cancelled: columns['is_cancelled'] }),
      ...('is_block_features' in columns && { is_block_features: columns['is_block_features'] }),
    }
    for (const [way, ask] of Object.entries(WAYS)) {
      const { status, json, text } = await ask(of)
      assert.equal(status, 200, `${way}: ${text}`)
      assert.equal(hasFeatures(json), features, way)
      const { valid = features, reason: _why, ...license } = json
      assert.equal(valid, features, way)
      assert.deepEqual(license, expected, way)
    }
    for (const [way, ask] of Object.entries(LISTS)) {
      const { json } = await ask(of)
      assert.equal(json.licenses.length, 1, way)
      assert.equal(hasFeatures(json.licenses[0]), features, way)
    }
    const own = await asUser(app, of.user)('GET', `/licenses/${of.license.id}.json`)
    assert.deepEqual([own.status, own.json], [200, expected])
  })
}

test('a license that was taken off, or moved to another site, is not active here: 404, and no list has it', async () => {
  const off = await place()
  await clients.deactivate(off.active)
  const replaced = await place()
  const next = await licenseOf(app, 1, { body: { email: replaced.user.email } })
  const { uid, installId } = replaced.active
  const moved = await clients.active(next, { uid, install_id: installId })
  const before = { ...replaced, install: keysOf(moved), active: { ...replaced.active, token: moved.token } }
  for (const one of [off, before]) {
    for (const [way, ask] of Object.entries(WAYS)) {
      const { status, json } = await ask(one)
      assert.deepEqual([status, json.error?.code], [404, 'not_found'], way)
    }
  }
  for (const [way, ask] of Object.entries(LISTS)) {
    assert.deepEqual((await ask(off)).json, { licenses: [] }, way)
    assert.deepEqual(
      (await ask(before)).json.licenses.map(({ id }: License) => id),
      [next.id],
      way,
    )
  }
  assert.equal((await clients.verify({ ...replaced.active, key: next.secret_key })).status, 200)
})

test('a uid and a key prove a license together: another one of either, or none, is refused', async () => {
  const [of, other] = [await place(), await place()]
  const paths = [
    clients.path(`/installs/${of.active.installId}/license.json`),
    `/installs/${of.active.installId}/license.json`,
  ]
  const { uid, key } = of.active
  const cases: [Readonly<Record<string, string>>, string][] = [
    [{ uid: other.active.uid, license_key: key }, '404 not_found'],
    [{ uid: newUid(), license_key: key }, '404 not_found'],
    [{ uid: uid.toUpperCase(), license_key: key }, '404 not_found'],
    [{ uid, license_key: other.active.key }, '404 not_found'],
    [{ uid, license_key: key.slice(0, -1) }, '404 not_found'],
    [{ uid, license_key: `${key}0` }, '404 not_found'],
    [{ uid, license_key: key.toLowerCase() }, '404 not_found'],
    [{ uid: uid.slice(1), license_key: key }, '400 invalid_uid'],
    [{ uid }, '402 missing_argument'],
    [{ license_key: key }, '402 missing_argument'],
    [{}, '402 missing_argument'],
  ]
  for (const path of paths) {
    for (const [given, expected] of cases) {
      const reply = app.call('GET', `${path}?${new URLSearchParams(given)}`, { token: null })
      assert.equal(await clients.refusal(reply), expected, JSON.stringify(given))
    }
  }
})

test('a signature or a token proves its own install alone, and of a product only that product', async () => {
  const [of, other] = [await place(), await place()]
  const path = onInstall(of)
  const refused: [string, Promise<Reply>][] = [
    ['another install’s token', app.call('GET', path, { token: other.active.token })],
    [
      'another install’s token in the product',
      app.call('GET', clients.path(path), { token: other.active.token }),
    ],
    ['another product’s token', app.call('GET', clients.path(path), { token: app.seller.other.token })],
    [
      'another install’s keys',
      asInstall(app, { ...other.install, id: of.install.id })('GET', '/licenses.json'),
    ],
    ['the user’s keys', asUser(app, of.user)('GET', path)],
    ['nobody', app.call('GET', path, { token: null })],
  ]
  for (const [who, reply] of refused) assert.equal((await reply).status, 401, who)
  const elsewhere = `/products/${app.seller.other.id}${path}?license_key=${of.active.key}`
  assert.equal((await app.call('GET', elsewhere, { token: app.seller.other.token })).status, 404)
  const theirs = `/installs/${of.active.installId}/licenses/${other.license.id}.json`
  assert.equal((await app.call('GET', theirs, { token: of.active.token })).status, 404)
  const stranger: CallAs = asUser(app, other.user)
  assert.equal((await stranger('GET', `/licenses/${of.license.id}.json`)).status, 404)
})

test("what a seller verifies needs the license's own key", async () => {
  const [of, other] = [await place(), await place()]
  const path = clients.path(onInstall(of))
  assert.equal(await clients.refusal(app.call('GET', path)), '402 missing_argument')
  for (const key of [other.active.key, 'sk_unknown']) {
    const reply = app.call('GET', `${path}?license_key=${key}`)
    assert.equal(await clients.refusal(reply), '404 invalid_license_key')
  }
})

test("a sandbox license lives on its product's own clock: it is verified as it is, and refused when that says so", async (t) => {
  const { user, license, active } = await place()
  const next = await licenseOf(app, 3, { body: { email: user.email, expires_at: toUtcTime(START + DAY) } })
  await clients.setLicense(license, { environment: 1, expiration: toUtcTime(START + DAY) })
  const sandboxNow = (ms: number) =>
    t.mock.method(app.ctx.clock, 'of', (_product: number, environment: 0 | 1) =>
      environment === 1 ? ms : START,
    )
  const again = () => clients.activate({ uid: active.uid, license_key: license.secret_key })
  sandboxNow(START)
  assert.equal((await again()).status, 200)
  sandboxNow(START + 2 * DAY)
  assert.equal(await clients.refusal(again()), '400 license_expired')
  const verified = await clients.verify(active)
  assert.deepEqual(
    [verified.status, verified.json.environment, verified.json.expiration],
    [200, 1, toUtcTime(START + DAY)],
  )
  await clients.active(next)
  const counted = clients.activate({ license_key: license.secret_key })
  assert.equal(await clients.refusal(counted), '400 license_expired')
  const moved = await clients.activate({ uid: active.uid, license_key: next.secret_key })
  assert.equal(moved.status, 200, 'by the sandbox clock the one that is there has ended')
  app.ctx.clock.set(START + 2 * DAY)
  sandboxNow(START)
  const fresh = await licenseOf(app, 1, {
    body: { email: user.email, expires_at: toUtcTime(START + 5 * DAY) },
  })
  await clients.setLicense(fresh, { environment: 1, expiration: toUtcTime(START + DAY) })
  assert.equal(
    (await clients.activate({ license_key: fresh.secret_key })).status,
    200,
    'the machine’s does not count',
  )
})
