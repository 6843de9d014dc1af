// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { type CallOptions, startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, type Login, PASSWORD, setPassword, tryLogin } from '../../../test/logins.ts'
import { TEST_SECRET } from '../../../test/secret.ts'

let app: TestApp
let victim: Login
before(async () => {
  app = await startTestApp('csrf', { config: { corsOrigins: ['https://app.example.com'] } })
  await setPassword(app)
  victim = await logIn(app)
})
after(() => app.close())

const users = () => `/developers/${app.seller.developer.id}/products/${app.seller.product.id}/users.json`
const userCount = async () => (await app.ctx.db.selectFrom('users').select('id').execute()).length

/** A write with the cookie, as a browser sends it by itself. */
const forged = (options: CallOptions) =>
  app.call('POST', users(), {
    token: null,
    body: { email: 'forged@example.com', name: 'For Ged' },
    ...options,
    headers: { cookie: victim.cookie, ...options.headers },
  })

test('a write with the cookie needs the value that was bound to the session', async () => {
  const other = await logIn(app)
  const values = [undefined, '', 'x', other.csrf, victim.token, victim.csrf.slice(1)]
  for (const value of values) {
    const { status, json } = await forged({
      headers: value === undefined ? {} : { 'x-keywright-csrf': value },
    })
    assert.deepEqual([status, json.error.code], [401, 'csrf_required'], value)
  }
  assert.equal(await userCount(), 0)
  assert.equal((await forged({ headers: { 'x-keywright-csrf': victim.csrf } })).status, 200)
})

test('a form, plain text or nothing in the body makes no difference, nor does a write by GET', async () => {
  const before = await userCount()
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]) {
    const { status, json } = await forged({ body: 'email=forged2@example.com&name=For+Ged', headers })
    assert.deepEqual([status, json.error.code], [401, 'csrf_required'], headers['content-type'])
  }
  const account = `/developers/${app.seller.developer.id}`
  for (const [method, path] of [
    ['GET', '/token.json'],
    ['POST', '/logout.json'],
    ['POST', '/two_factor.json'],
  ] as const) {
    const reply = await app.call(method, account + path, { token: null, headers: { cookie: victim.cookie } })
    assert.deepEqual([reply.status, reply.json.error.code], [401, 'csrf_required'], path)
  }
  assert.equal(await userCount(), before)
  assert.equal((await victim.call('GET', '/session.json')).status, 200)
  assert.equal((await app.ctx.db.selectFrom('access_tokens').select('id').execute()).length, 0)
})

test('the page of another site is refused even with the value; an own page and a listed one are not', async () => {
  const sent = (origin: string, email: string) =>
    forged({ body: { email, name: 'O' }, headers: { 'x-keywright-csrf': victim.csrf, origin } })
  for (const origin of ['https://evil.example.com', 'null', 'http://keywright.test.evil.com', 'x', '']) {
    const { status, json } = await sent(origin, 'forged3@example.com')
    assert.deepEqual([status, json.error.code], [401, 'csrf_required'], origin)
  }
  assert.equal((await sent('http://keywright.test', 'own@example.com')).status, 200)
  assert.equal((await sent('https://app.example.com', 'listed@example.com')).status, 200)
  assert.equal((await sent(app.address, 'host@example.com')).status, 200, 'the address it was called at')
})

test('the value alone opens nothing, and reads need none', async () => {
  const bare = await app.call('GET', users(), { token: null, headers: { 'x-keywright-csrf': victim.csrf } })
  assert.equal(bare.status, 401)
  const read = await app.call('GET', users(), { token: null, headers: { cookie: victim.cookie } })
  assert.equal(read.status, 200)
})

test('the value in X-Keywright-Session needs no second one: a browser never sends it by itself', async () => {
  const body = { email: 'tool@example.com', name: 'Tool' }
  const path = `/products/${app.seller.product.id}/users.json`
  assert.equal((await victim.call('POST', path, { body })).status, 200)
})

test('nobody is logged in by the page of another site', async () => {
  const before = await app.ctx.db.selectFrom('sessions').select('id').execute()
  const { status, json, headers } = await tryLogin(app, { headers: { origin: 'https://evil.example.com' } })
  assert.deepEqual([status, json.error.code, headers.get('set-cookie')], [401, 'csrf_required', null])
  const form = new URLSearchParams({ email: 'seller@example.com', password: PASSWORD }).toString()
  const asForm = await app.call('POST', `/developers/${app.seller.developer.id}/login.json`, {
    token: null,
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
  })
  assert.equal(asForm.json.error.code, 'csrf_required')
  const after = await app.ctx.db.selectFrom('sessions').select('id').execute()
  assert.deepEqual(after, before)
})

test('the rotation of the secret ends no session and no open page', async () => {
  const rotated = Keyring.of('the secret that came after, 32 characters long', [TEST_SECRET])
  const second = await startServer({ ...app.ctx, keys: rotated })
  try {
    const reply = await fetch(`${second.address}/v1${users()}`, {
      method: 'POST',
      headers: {
        cookie: victim.cookie,
        'x-keywright-csrf': victim.csrf,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: 'rotated@example.com', name: 'R' }),
    })
    assert.notEqual(reply.status, 401)
  } finally {
    await second.stop()
  }
})
