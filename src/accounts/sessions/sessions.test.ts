import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { accessHeader, auditOf, logIn, PASSWORD, setPassword, tryLogin } from '../../../test/logins.ts'
import { allOf } from '../../../test/whole-database.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('sessions')
  await setPassword(app)
})
after(() => app.close())

const statusOf = async (token: string) =>
  (
    await app.call('GET', `/developers/${app.seller.developer.id}/session.json`, {
      token: null,
      headers: { 'x-keywright-session': token },
    })
  ).status

test('a login answers the person without secrets, and sets the cookie of a session', async () => {
  const { reply, token } = await logIn(app)
  const { person, ...rest } = reply.json
  assert.deepEqual(rest, { expires: 43_200, is_new: false })
  assert.equal(person.id, String(app.seller.developer.id))
  assert.deepEqual([person.email, person.auth, person.ip], ['seller@example.com', 'password', '127.0.0.1'])
  assert.ok(!reply.text.includes(app.seller.developer.secretKey) && !reply.text.includes('argon2'))
  assert.equal(
    reply.headers.get('set-cookie'),
    `__Host-keywright_session=${token}; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure`,
  )
  assert.match(token, /^[\w-]{43}$/)
  const long = await logIn(app, { body: { remember_me: true } })
  assert.equal(long.reply.json.expires, 604_800)
  assert.match(long.reply.headers.get('set-cookie') ?? '', /; Max-Age=604800;/)
})

test('a session ends after exactly 12 hours, with remember_me after exactly 7 days', async () => {
  for (const [remember_me, lasts] of [
    [false, 12 * HOUR],
    [true, 7 * DAY],
  ] as const) {
    const { token, call } = await logIn(app, { body: { remember_me } })
    app.ctx.clock.advance(lasts - 1)
    assert.equal((await call('GET', '/session.json')).json.expires, 1)
    app.ctx.clock.advance(1)
    assert.equal(await statusOf(token), 401)
  }
})

test('every login has a new token, whatever cookie came with it', async () => {
  const first = await logIn(app)
  const second = await logIn(app, { headers: { cookie: first.cookie, 'x-keywright-session': 'chosen' } })
  assert.notEqual(second.token, first.token)
  assert.equal(await statusOf('chosen'), 401)
})

test('the database holds no token that opens anything', async () => {
  const { token } = await logIn(app)
  const rows = await app.ctx.db.selectFrom('sessions').selectAll().execute()
  assert.ok(rows.length > 0 && !JSON.stringify(await allOf(app.ctx.database)).includes(token))
  for (const { token_hash: hash } of rows) assert.equal(await statusOf(hash), 401)
})

test('logging out ends the session on the server, and no other', async () => {
  const one = await logIn(app)
  const other = await logIn(app)
  const out = await one.browse('POST', '/logout.json')
  assert.equal(out.status, 204)
  assert.match(out.headers.get('set-cookie') ?? '', /^__Host-keywright_session=; Path=\/; Max-Age=0;/)
  assert.equal(await statusOf(one.token), 401)
  assert.equal(await statusOf(other.token), 200)
  const last = (await auditOf(app, 'keywright/log-out')).at(-1)
  assert.deepEqual([last?.actor_kind, last?.actor_id], ['developer', app.seller.developer.id])
})

test('session.json says who, as what, for how long', async () => {
  const { call, csrf } = await logIn(app)
  app.ctx.clock.advance(HOUR)
  const { json } = await call('GET', '/session.json')
  const { person, ...rest } = json
  assert.equal(person.email, 'seller@example.com')
  assert.deepEqual(rest, { role: 'admin', can_refund: false, expires: 11 * 3600, csrf_token: csrf })
})

test('a session opens the account and its products, and no other scope, account or product', async () => {
  const { token } = await logIn(app)
  const { developer, product, store } = app.seller
  const status = async (path: string) =>
    (await app.call('GET', path, { token: null, headers: { 'x-keywright-session': token } })).status
  assert.equal(await status(`/developers/${developer.id}/products/${product.id}/users.json`), 200)
  assert.equal(await status(`/developers/${developer.id}/products/987654321/users.json`), 401)
  assert.equal(await status(`/developers/987654321/products/${product.id}/users.json`), 401)
  assert.equal(await status(`/developers/0${developer.id}/session.json`), 401)
  assert.equal(await status(`/products/${product.id}/users.json`), 401)
  assert.equal(await status(`/stores/${store.id}/products/${product.id}/users.json`), 401)
  assert.equal(await status(`/users/1.json`), 401)
})

test('what concerns a login is for a session: keys and tokens of the account are refused', async () => {
  const { developer } = app.seller
  const headers = await accessHeader(app, developer.id)
  for (const [method, path] of [
    ['GET', '/session.json'],
    ['POST', '/logout.json'],
    ['PUT', '/password.json'],
    ['POST', '/two_factor.json'],
  ] as const) {
    const reply = await app.call(method, `/developers/${developer.id}${path}`, { token: null, headers })
    assert.equal(reply.status, 401, path)
  }
})

test('a change of the password needs the current one, and ends every other session and access token', async () => {
  const [one, other] = [await logIn(app), await logIn(app)]
  const headers = await accessHeader(app, app.seller.developer.id)
  const users = `/developers/${app.seller.developer.id}/products/${app.seller.product.id}/users.json`
  const byToken = async () => (await app.call('GET', users, { token: null, headers })).status
  assert.equal(await byToken(), 200)
  const change = (current_password: string, new_password: string) =>
    one.browse('PUT', '/password.json', { body: { current_password, new_password } })
  assert.equal((await change('wrong', 'another long pass phrase')).json.error.code, 'invalid_credentials')
  assert.equal((await change(PASSWORD, 'short')).json.error.details[0].field, 'new_password')
  assert.equal((await change(PASSWORD, 'password123')).status, 400)
  assert.equal(await statusOf(other.token), 200, 'a refused change ends nothing')
  assert.equal((await change(PASSWORD, 'another long pass phrase')).status, 204)
  assert.deepEqual([await statusOf(one.token), await statusOf(other.token), await byToken()], [200, 401, 401])
  assert.equal((await tryLogin(app)).status, 401)
  const password = 'another long pass phrase'
  await logIn(app, { body: { password } })
  assert.equal((await auditOf(app, 'password.changed')).length, 1)
  await setPassword(app)
})

test('of ten changes of a password at once one is made', async () => {
  const { call } = await logIn(app)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      call('PUT', '/password.json', {
        body: { current_password: PASSWORD, new_password: `the pass phrase number ${index}` },
      }),
    ),
  )
  const statuses = replies.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses))
  await setPassword(app)
})

test('somebody at an open session cannot guess the password: ten failures an hour', async () => {
  app.ctx.clock.advance(HOUR)
  const { call } = await logIn(app)
  const guess = (current_password: string) =>
    call('PUT', '/password.json', { body: { current_password, new_password: 'another long pass phrase' } })
  const wrong = await Promise.all(Array.from({ length: 15 }, () => guess('wrong')))
  assert.equal(wrong.filter(({ status }) => status === 401).length, 10)
  assert.equal((await guess(PASSWORD)).status, 429)
  app.ctx.clock.advance(HOUR)
  assert.equal((await guess(PASSWORD)).status, 204)
  await setPassword(app)
})

test('a login that races a change of the password does not outlive it', async () => {
  for (let round = 0; round < 5; round++) {
    app.ctx.clock.advance(HOUR)
    const { call, token } = await logIn(app)
    const [change, ...logins] = await Promise.all([
      call('PUT', '/password.json', {
        body: { current_password: PASSWORD, new_password: 'another long pass phrase' },
      }),
      ...Array.from({ length: 6 }, () => tryLogin(app)),
    ])
    assert.equal(change.status, 204)
    const open = await app.ctx.db.selectFrom('sessions').select('id').execute()
    assert.equal(open.length, 1, `only the session that changed it, of ${logins.length} logins`)
    assert.equal(await statusOf(token), 200)
    await setPassword(app)
  }
})

test('on http://localhost the cookie has its plain name and no Secure, and the other name is not read', async () => {
  const local = await startTestApp('sessions_local', { config: { baseUrl: 'http://localhost:8080' } })
  try {
    await setPassword(local)
    const { reply, token, browse } = await logIn(local)
    assert.equal(
      reply.headers.get('set-cookie'),
      `keywright_session=${token}; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax`,
    )
    assert.equal((await browse('GET', '/session.json')).status, 200)
    const cookie = `__Host-keywright_session=${token}`
    assert.equal((await browse('GET', '/session.json', { headers: { cookie } })).status, 401)
  } finally {
    await local.close()
  }
})
