import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, holding, keysOf, type Grant } from '../../../test/installs.ts'
import { mailsOf, offerFor } from '../../../test/licenses.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { sell } from '../../../test/sales.ts'
import { SECOND } from '../../lib/time.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('reach')
  clients = clientsOf(app)
})
after(() => app.close())

const product = () => `/products/${app.seller.product.id}`

/** A person who bought two licenses, the first of which somebody activated who knows its key and no more. */
async function sharedKey() {
  const owner = await createOwner(app)
  const [shared, other] = [await sell(app, { owner }), await sell(app, { owner })]
  const billing = { address_street: 'Secret Street 1', business_name: 'Owner Ltd' }
  const put = await app.call('PUT', `${product()}/users/${owner.id}/billing.json`, { body: billing })
  assert.equal(put.status, 200, put.text)
  const own = await clients.active(other.license)
  const uid = newUid()
  const { json } = await clients.active(shared.license, { uid })
  return { owner, shared, other, own, uid, grant: json, ...holding(app, json) }
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('a license key opens its license with its payment and subscription, and nothing else of its owner', async () => {
  const { owner, shared, other, own, user, grant } = await sharedKey()
  const texts: string[] = []
  const read = async (path: string, status = 200): Promise<Reply['json']> => {
    const { text, json, ...reply } = await user('GET', path)
    assert.equal(reply.status, status, `${path}: ${text}`)
    texts.push(text)
    return json
  }
  assert.deepEqual(ids((await read('/licenses.json')).licenses), [shared.license.id])
  assert.deepEqual(ids((await read('/licenses.json?type=active&is_enriched=true')).licenses), [
    shared.license.id,
  ])
  assert.deepEqual(ids((await read(`/licenses.json?ids=${other.license.id}`)).licenses), [])
  assert.deepEqual(ids((await read(`/licenses.json?ids=%2B${other.license.id}`)).licenses), [
    shared.license.id,
  ])
  assert.deepEqual(ids((await read('/payments.json?extended=true')).payments), [String(shared.payment.id)])
  assert.deepEqual(ids((await read('/subscriptions.json?extended=true')).subscriptions), [
    String(shared.subscription.id),
  ])
  assert.deepEqual(ids((await read('/installs.json')).installs), [grant['install_id']])
  assert.deepEqual((await read('/licenses_owners.json')).owners, [])
  await read(`/licenses/${shared.license.id}.json`)
  await read(`/payments/${shared.payment.id}.json`)
  await read(`/subscriptions/${shared.subscription.id}/payments.json`)
  for (const hidden of [
    `/licenses/${other.license.id}.json`,
    `/licenses/${other.license.id}/subscription.json`,
    `/licenses/${other.license.id}/sites.json`,
    `/payments/${other.payment.id}.json`,
    `/payments/${other.payment.id}/invoice.pdf`,
    `/subscriptions/${other.subscription.id}.json`,
    `/subscriptions/${other.subscription.id}/payments.json`,
    `/installs/${own.installId}.json`,
    `/installs/${own.installId}/events.json`,
    '/billing.json',
  ]) {
    await read(hidden, 404)
  }
  const events = await read(`/installs/${grant['install_id']}/events.json`)
  assert.ok(events.events.length > 0)
  const profile = await read('.json')
  assert.deepEqual(
    [profile.email, profile.gross, profile.ip, profile.secret_key],
    ['', 0, null, grant['user_secret_key']],
  )
  assert.equal(profile.first, 'Some')
  const secrets = [owner.email, owner.secretKey, other.license.secret_key, 'Secret Street', own.token]
  for (const text of texts)
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret}: ${text}`)
})

test('with a license key nothing else of its owner is changed', async () => {
  const { owner, other, own, user, install } = await sharedKey()
  const contents = async () =>
    JSON.stringify([
      await app.ctx.db
        .selectFrom('licenses')
        .selectAll()
        .where('id', '=', Number(other.license.id))
        .execute(),
      await app.ctx.db
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', other.subscription.id)
        .execute(),
      await app.ctx.db.selectFrom('installs').selectAll().where('id', '=', Number(own.installId)).execute(),
      await app.ctx.db.selectFrom('billing').selectAll().where('user_id', '=', owner.id).execute(),
      await app.ctx.db
        .selectFrom('users')
        .select(['email', 'is_verified'])
        .where('id', '=', owner.id)
        .execute(),
      await app.ctx.db
        .selectFrom('email_confirmations')
        .selectAll()
        .where('user_id', '=', owner.id)
        .execute(),
    ])
  const before = await contents()
  const { id } = other.license
  const tries: [number, Promise<Reply>][] = [
    [404, user('DELETE', `/subscriptions/${other.subscription.id}.json`)],
    [404, user('PUT', `/subscriptions/${other.subscription.id}.json`, { auto_renew: false })],
    [404, user('DELETE', `/licenses/${id}/subscription.json`)],
    [404, user('PUT', `/licenses/${id}.json`, { is_whitelabeled: true })],
    [404, user('POST', `/licenses/${id}/sites.json`, { kind: 'deny', pattern: 'shop.com' })],
    [404, user('POST', `/licenses/${id}/file.json`, { uid: own.uid })],
    [404, user('POST', '/installs.json', { uid: newUid(), license_id: id })],
    [404, user('DELETE', `/installs.json?ids=${own.installId}`)],
    [404, user('PUT', `/installs/${own.installId}.json`, { title: 'Mine' })],
    [404, user('PUT', `/installs/${own.installId}/downgrade.json`, { deactivate_license: true })],
    [404, install('PUT', `/licenses/${id}.json`)],
    [400, user('PUT', '.json', { email: 'eve@example.com' })],
    [200, user('PUT', '/billing.json', { business_name: 'Eve Ltd' })],
  ]
  for (const [status, reply] of tries) assert.equal((await reply).status, status, (await reply).text)
  assert.equal(await contents(), before)
  assert.equal((await user('GET', '/billing.json')).json.business_name, 'Eve Ltd')
})

test('neither the keys of an install nor its token read keys that reach as far as its owner', async () => {
  const { owner, grant, install } = await sharedKey()
  const path = `/users/${owner.id}.json`
  const token = grant['install_api_token'] ?? ''
  for (const reply of [
    await install('GET', path),
    await app.call('GET', `/installs/${grant['install_id']}${path}`, { token }),
    await app.call('GET', `${product()}/installs/${grant['install_id']}${path}`, { token }),
  ]) {
    if (reply.status === 401) continue
    assert.equal(reply.json.secret_key, grant['user_secret_key'], reply.text)
    assert.ok(!reply.text.includes(owner.email))
  }
})

test('an install that was handed nothing out reads a pair of its own, the same each time', async () => {
  const owner = await createOwner(app)
  const made = await app.call('POST', `${product()}/users/${owner.id}/installs.json`, {
    body: { uid: newUid() },
  })
  const install = asInstall(app, keysOf(made.json))
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => install('GET', `/users/${owner.id}.json`)),
  )
  const keys = new Set(replies.map(({ json }) => json.secret_key))
  assert.equal(keys.size, 1)
  assert.ok(!keys.has(owner.secretKey) && !keys.has(undefined))
})

test('the pair of an install is the same at each activation, also of ten at once, and never the one of another install', async () => {
  const owner = await createOwner(app)
  const { license } = await sell(app, { owner })
  const uid = newUid()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => clients.activate({ uid, license_key: license.secret_key })),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ json }) => json.user_secret_key)).size, 1)
  const other = await clients.active(license)
  assert.notEqual(other.json['user_secret_key'], replies[0]?.json.user_secret_key)
})

test('a pair that a mailed link led home is not handed out again to who knows the key and the uid of its site', async () => {
  const { owner, other, uid, shared, user: former } = await sharedKey()
  const form = optInForm(app, owner.email, { site_uid: uid })
  assert.equal((await optInByServer(app, form)).json.pending_activation, true)
  const mail = (await mailsOf(app, 'pending_activation')).at(-1)
  const [, path = ''] = /http:\/\/keywright\.test(\/\S+)/.exec(mail?.text ?? '') ?? []
  const done = await fetch(app.address + path, { method: 'POST', redirect: 'manual' })
  const grant = Object.fromEntries(new URL(done.headers.get('location') ?? '').searchParams)
  const { user, install } = holding(app, grant)
  assert.equal((await user('GET', '/licenses.json')).json.licenses.length, 2)
  assert.equal((await user('GET', '.json')).json.email, owner.email)
  assert.equal((await install('GET', `/users/${owner.id}.json`)).json.secret_key, undefined)
  assert.deepEqual(ids((await former('GET', '/licenses.json')).json.licenses), [shared.license.id])
  const again = (await clients.active(shared.license, { uid })).json
  assert.notEqual(again['user_secret_key'], grant['user_secret_key'])
  const stranger = holding(app, again)
  assert.deepEqual(ids((await stranger.user('GET', '/licenses.json')).json.licenses), [shared.license.id])
  assert.equal((await stranger.install('PUT', `/licenses/${other.license.id}.json`)).status, 404)
  assert.equal((await user('GET', '/licenses.json')).json.licenses.length, 2)
})

test('what a proven person has is used by its site without keys; the site of who knows a key needs them', async () => {
  const owner = await createOwner(app)
  const { license } = await sell(app, { owner })
  const made = await asUser(app, owner)('POST', `${product()}/installs.json`, { uid: newUid() })
  assert.equal(made.status, 200, made.text)
  const put = await asInstall(app, keysOf(made.json))('PUT', `/licenses/${license.id}.json`)
  assert.equal(put.status, 200, put.text)
})

test('an own pair makes installs of its own, and takes none that it has not made', async () => {
  const { user, own, shared } = await sharedKey()
  const taken = await user('POST', '/installs.json', { uid: own.uid })
  assert.deepEqual([taken.status, taken.json.error.code], [400, 'install_uid_taken'])
  const uid = newUid()
  const made = await user('POST', '/installs.json', { uid, license_key: shared.license.secret_key })
  assert.equal(made.status, 200, made.text)
  assert.equal((await user('POST', '/installs.json', { uid, title: 'Anew' })).status, 200)
  const { json } = await user('GET', '/installs.json')
  assert.ok(ids(json.installs).includes(made.json.id))
})

test('a key that is shown later brings its license into reach', async () => {
  const { user, install, other } = await sharedKey()
  const put = await install('PUT', '.json', { license_key: other.license.secret_key })
  assert.equal(put.status, 200, put.text)
  assert.equal((await user('GET', '/licenses.json')).json.licenses.length, 2)
  assert.equal((await user('GET', '/payments.json')).json.payments.length, 2)
})

test('a client that proves itself by an own pair gets one of the same reach, by a whole one a whole one', async () => {
  const { owner, grant } = await sharedKey()
  const proven = async (publicKey: string, secret: string) => {
    const at = String(app.ctx.clock.real() / SECOND)
    const s_ctx_secure = hash('md5', `${at}${owner.id}${secret}${publicKey}install_with_existing_user`)
    const proof = { s_ctx_type: 'user', s_ctx_id: String(owner.id), s_ctx_ts: at, s_ctx_secure }
    const { json, text } = await optInByServer(app, optInForm(app, '', proof))
    assert.equal(typeof json.user_secret_key, 'string', text)
    return holding(app, json).user
  }
  const own = await proven(grant['user_public_key'] ?? '', grant['user_secret_key'] ?? '')
  assert.deepEqual((await own('GET', '/licenses.json')).json.licenses, [])
  app.ctx.clock.advance(SECOND)
  const whole = await proven(owner.publicKey, owner.secretKey)
  assert.equal((await whole('GET', '/licenses.json')).json.licenses.length, 2)
})

test("the keys of another person's license open nothing of that person", async () => {
  const { owner, shared } = await sharedKey()
  const { grant } = await sharedKey()
  const { user } = holding(app, grant)
  const foreign = asUser(app, {
    ...keysOf({
      id: String(owner.id),
      public_key: grant['user_public_key'] ?? '',
      secret_key: grant['user_secret_key'] ?? '',
    }),
  })
  assert.equal((await foreign('GET', '.json')).status, 401)
  assert.equal((await user('GET', `/licenses/${shared.license.id}.json`)).status, 404)
})

test('what an install tells of its billing address is written to its own pair, not to the one of the same number', async () => {
  await createInstallOf(app, await createOwner(app))
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const grants = [await optIn(), await optIn()]
  for (const [index, grant] of grants.entries()) {
    const reply = await holding(app, grant).install('POST', `/plans/${planId}/trials.json`, {
      phone: `030-${index}`,
    })
    assert.equal(reply.status, 200, reply.text)
  }
  const written = await app.ctx.db
    .selectFrom('user_key_billing')
    .innerJoin('user_keys', 'user_keys.id', 'user_key_billing.user_key_id')
    .select(['user_keys.id', 'user_keys.install_id', 'phone'])
    .where('phone', 'like', '030-%')
    .orderBy('phone')
    .execute()
  assert.deepEqual(
    written.map(({ install_id: id }) => String(id)),
    grants.map((grant) => grant['install_id']),
  )
  assert.ok(written.every(({ id, install_id: install }) => id !== install))
})

const optIn = async (): Promise<Grant> =>
  (await optInByServer(app, optInForm(app, `${newUid()}@example.com`))).json
