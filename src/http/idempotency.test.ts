import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { FROM_ANYWHERE } from '../../test/logins.ts'
import { TEST_SECRET } from '../../test/secret.ts'
import { Keyring } from '../lib/keyring.ts'
import { DAY, MINUTE } from '../lib/time.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { startServer } from '../start.ts'
import { writeOperation } from './operation.ts'
import { buildServer } from './server.ts'
import { Arguments, Optional, SecretText, Text } from './wire.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('idempotency', { config: FROM_ANYWHERE })
})
after(() => app.close())

let count = 0
const person = () => ({ email: `once${++count}@example.com`, name: 'Once Only' })
const create = (key: string, body: object, product = app.seller.product) =>
  app.call('POST', `/products/${product.id}/users.json`, {
    body,
    token: product.token,
    headers: { 'idempotency-key': key },
  })
const rows = (table: 'users' | 'events' | 'idempotency_keys') =>
  app.ctx.db
    .selectFrom(table)
    .select('id')
    .execute()
    .then(({ length }) => length)

test('one key fifty times in parallel: one effect, the others replay it or are told that it is in work', async () => {
  const before = await rows('users')
  const body = person()
  const replies = await Promise.all(Array.from({ length: 50 }, () => create('fifty', body)))
  assert.equal(await rows('users'), before + 1)
  const done = replies.filter(({ status }) => status === 200)
  const inFlight = replies.filter(({ status }) => status === 409)
  assert.equal(done.length + inFlight.length, 50)
  assert.ok(inFlight.every(({ json }) => json.error.code === 'idempotency_in_flight'))
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  assert.equal(done.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
})

test('a replay answers the same bytes, also when the entity has changed since', async () => {
  const body = person()
  const first = await create('replay', body)
  const path = `/products/${app.seller.product.id}/users/${first.json.id}.json`
  await app.call('PUT', path, { body: { name: 'Changed Since' } })
  const again = await create('replay', body)
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('the same key with another body is 422', async () => {
  await create('reused', person())
  const other = await create('reused', person())
  assert.deepEqual([other.status, other.json.error.code], [422, 'idempotency_key_reused'])
})

test('a key counts for its product, its method and its path alone', async () => {
  const body = person()
  const first = await create('apart', body)
  const second = await create('apart', body, app.seller.other)
  assert.equal(second.headers.get('idempotent-replayed'), null)
  assert.equal(second.json.id, first.json.id)
  assert.notEqual(second.json.public_key, first.json.public_key)
})

test('after 24 hours a key is free', async () => {
  const body = person()
  await create('day', body)
  app.ctx.clock.advance(DAY - 1000)
  assert.equal((await create('day', body)).headers.get('idempotent-replayed'), 'true')
  app.ctx.clock.advance(1000)
  assert.equal((await create('day', body)).headers.get('idempotent-replayed'), null)
})

test('a request that was refused stores nothing, and its key can be used at once', async () => {
  const before = await rows('idempotency_keys')
  assert.equal((await create('refused', { email: 'no' })).status, 400)
  assert.equal(await rows('idempotency_keys'), before)
  assert.equal((await create('refused', person())).status, 200)
})

test('work that was refused by a rule frees its key', async () => {
  const allow = (value: boolean) =>
    app.write(({ db }) => db.updateTable('products').set({ can_create_users: value }).execute())
  await allow(false)
  assert.equal((await create('rule', person())).status, 401)
  await allow(true)
  assert.equal((await create('rule', person())).status, 200)
})

test('a key counts for its token alone, also among tokens of one product', async () => {
  const { product } = app.seller
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: product.id, name: 'second', expiresAt: null }),
  )
  const body = person()
  assert.equal((await create('token', body)).status, 200)
  const second = await create('token', body, { ...product, token })
  assert.deepEqual([second.status, second.headers.get('idempotent-replayed')], [200, null])
  assert.equal((await create('token', person(), { ...product, token })).status, 422)
})

test('a key whose holder died is taken over after its lease, by the same request alone', async () => {
  const body = person()
  await create('lease', body)
  await app.write(({ db }) => db.updateTable('idempotency_keys').set({ status: null, reply: null }).execute())
  const inFlight = await create('lease', body)
  assert.deepEqual([inFlight.status, inFlight.json.error.code], [409, 'idempotency_in_flight'])
  app.ctx.clock.advance(MINUTE)
  const other = await create('lease', person())
  assert.deepEqual([other.status, other.json.error.code], [422, 'idempotency_key_reused'])
  const taken = await create('lease', body)
  assert.deepEqual([taken.status, taken.headers.get('idempotent-replayed')], [200, null])
})

test('a key whose holder died under a clock that was ahead is free when that comes back, and a reply of then is replayed', async () => {
  const now = app.ctx.clock.real()
  const [body, other, done] = [person(), person(), person()]
  app.ctx.clock.advance(400 * DAY)
  for (const key of ['ahead', 'ahead other']) await create(key, body)
  await app.write(({ db }) =>
    db
      .updateTable('idempotency_keys')
      .set({ status: null, reply: null })
      .where('expires_at', '>', now + 300 * DAY)
      .execute(),
  )
  const first = await create('ahead done', done)
  app.ctx.clock.set(now)
  const again = await Promise.all(Array.from({ length: 10 }, () => create('ahead', body)))
  const fresh = again.filter(({ status, headers }) => status === 200 && !headers.get('idempotent-replayed'))
  assert.equal(fresh.length, 1)
  assert.equal((await create('ahead other', other)).status, 200, 'what expired without a reply is of anybody')
  const before = await rows('users')
  const replayed = await create('ahead done', done)
  assert.deepEqual([replayed.text, replayed.headers.get('idempotent-replayed')], [first.text, 'true'])
  assert.equal(await rows('users'), before)
})

test('a key must have 1 to 255 characters', async () => {
  const { status, json } = await create('k'.repeat(256), person())
  assert.deepEqual([status, json.error.code], [400, 'invalid_idempotency_key'])
})

test('stored replies are sealed', async () => {
  const reply = await create('sealed', person())
  const stored = await app.ctx.db.selectFrom('idempotency_keys').select('reply').execute()
  const text = JSON.stringify(stored)
  assert.ok(!text.includes(reply.json.secret_key) && text.includes('v1.'))
})

test('what is kept of a body is hashed under the secret, and one of a former secret is known again', async () => {
  const body = person()
  const send = () => create('guessed', body)
  assert.equal((await send()).status, 200)
  const kept = async () =>
    (
      await app.ctx.db
        .selectFrom('idempotency_keys')
        .select(['id', 'body_hash'])
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).body_hash
  const text = JSON.stringify(body)
  const plain = hash('sha256', `0:${Buffer.byteLength(text)}:${text}`)
  const { keys } = app.ctx
  assert.equal(await kept(), keys.keyedHash(plain, 'idempotency_keys.body_hash'))
  try {
    Object.assign(app.ctx, { keys: Keyring.of('a secret that came after it, long enough', [TEST_SECRET]) })
    assert.equal((await send()).headers.get('idempotent-replayed'), 'true')
    await app.write(({ db }) =>
      db.updateTable('idempotency_keys').set({ status: null, reply: null }).execute(),
    )
    app.ctx.clock.advance(MINUTE)
    const taken = await send()
    assert.deepEqual([taken.status, taken.headers.get('idempotent-replayed')], [200, null])
  } finally {
    Object.assign(app.ctx, { keys })
  }
})

test('a key of a caller without a credential counts for its address alone', async () => {
  const { developer } = app.seller
  const body = { email: 'ada@example.com', password: 'a pass phrase of ada' }
  const user = `/products/${app.seller.product.id}/users.json`
  assert.equal((await app.call('POST', user, { body: { ...body, name: 'Ada Lovelace' } })).status, 200)
  const logIn = (from: string) =>
    app.call('POST', '/users/login.json', {
      token: null,
      body: { ...body, developer_id: String(developer.id), developer_secret_key: developer.secretKey },
      headers: { 'x-forwarded-for': from, 'idempotency-key': 'of one log-in alone' },
    })
  const [first, again, elsewhere] = [
    await logIn('192.0.2.1'),
    await logIn('192.0.2.1'),
    await logIn('192.0.2.2'),
  ]
  assert.deepEqual([first.status, again.status, elsewhere.status], [200, 200, 200], first.text)
  assert.equal(again.text, first.text)
  assert.equal(elsewhere.headers.get('idempotent-replayed'), null)
  assert.notEqual(elsewhere.json.user_token.token.access, first.json.user_token.token.access)
})

test('two callers without a credential behind one address share no key: of other arguments, nor one that both may have', async () => {
  const { developer } = app.seller
  const user = `/products/${app.seller.product.id}/users.json`
  const logIn = (email: string, key: string) =>
    app.call('POST', '/users/login.json', {
      token: null,
      body: {
        email,
        password: `a pass phrase of ${email}`,
        developer_id: String(developer.id),
        developer_secret_key: developer.secretKey,
      },
      headers: { 'x-forwarded-for': '192.0.2.1', 'idempotency-key': key },
    })
  const answers = []
  for (const email of ['grace@example.com', 'edsger@example.com']) {
    const body = { email, password: `a pass phrase of ${email}`, name: 'Some Buyer' }
    await app.call('POST', user, { body })
    const answer = await logIn(email, 'sixteen letters!')
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, null], answer.text)
    answers.push(answer.json.user_token.token.access)
  }
  assert.notEqual(answers[0], answers[1])
  const short = await logIn('grace@example.com', 'fifteen letters')
  assert.deepEqual([short.status, short.json.error.code], [400, 'invalid_idempotency_key'])
})

/** A write of anybody that names a license and a machine. */
const activation = writeOperation({
  id: 'test/activate',
  summary: 'Counts its calls',
  method: 'POST',
  path: '/activate.json',
  scopes: ['root'],
  caller: 'open',
  access: 'everybody',
  query: Arguments({ uid: Optional(Text()) }),
  body: Arguments({ license_key: Optional(SecretText()) }),
  status: 200,
  emits: [],
  handle: async () => ({ call: ++calls }),
})
let calls = 0

test('where the arguments name a license and a machine, a key counts for these two, wherever they call from', async () => {
  const running = await startServer(app.ctx)
  const server = buildServer(running.server.frame, [activation], () => {})
  const address = await server.listen({ port: 0 })
  const activate = async (license_key: string, uid: string, from = '192.0.2.1') => {
    const response = await fetch(`${address}/v1/activate.json?uid=${uid}`, {
      method: 'POST',
      body: JSON.stringify({ license_key }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a', 'x-forwarded-for': from },
    })
    return ((await response.json()) as { call: number }).call
  }
  try {
    assert.equal(await activate('sk_one', 'machine'), 1)
    assert.equal(await activate('sk_one', 'machine', '192.0.2.2'), 1)
    assert.equal(await activate('sk_two', 'machine'), 2)
    assert.equal(await activate('sk_one', 'other'), 3)
  } finally {
    await server.close()
    await running.stop()
  }
})
