import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { systemScope } from '../../access/scope.ts'
import { DEFAULT_COST, hashPassword } from '../../lib/password.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { checkUserLogin, logInUser, type CheckedUserLogin } from './user-login.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'
import { expectOk } from '../../../test/installs.ts'
import { auditOf, FROM_ANYWHERE, takeAsLong } from '../../../test/logins.ts'

const PASSWORD = 'the pass phrase of ada'

let app: TestApp
let ada: { readonly id: string }
before(async () => {
  app = await startTestApp('user_login', { config: FROM_ANYWHERE })
  const body = { email: 'ada@example.com', first: 'Ada', last: 'L', password: PASSWORD }
  ada = (await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })).json
})
after(() => app.close())
afterEach(() => app.ctx.clock.advance(2 * HOUR))

const login = (more: object = {}, from = '192.0.2.1') => {
  const { developer, store } = app.seller
  const fields = {
    email: 'ada@example.com',
    password: PASSWORD,
    store_id: String(store.id),
    developer_id: String(developer.id),
    developer_secret_key: developer.secretKey,
    ...more,
  }
  return app.call('POST', '/users/login.json', {
    token: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  })
}

test('a site logs its user in as the SSO plugin does, and the token opens what is the user’s own', async () => {
  const { status, json, text } = await login()
  assert.equal(status, 200, text)
  const { person, token } = json.user_token
  assert.deepEqual(
    [person.id, person.email, person.first, person.last],
    [ada.id, 'ada@example.com', 'Ada', 'L'],
  )
  assert.deepEqual([token.expires, token.refresh], [(app.ctx.clock.real() + DAY) / 1000, null])
  assert.ok(!text.includes('sk_'))
  const authorization = encodeURIComponent(`FSA ${ada.id}:${token.access}`)
  const own = await app.call('GET', `/users/${ada.id}.json?authorization=${authorization}`, { token: null })
  assert.equal(own.json.email, 'ada@example.com')
  assert.equal(own.json.last_login_at, '2026-01-31 10:00:00')
  const other = await app.call('GET', `/users/987654321.json?authorization=${authorization}`, { token: null })
  assert.equal(other.status, 401)
  assert.deepEqual((await auditOf(app, 'user_login.success')).length, 1)
})

test('an event tells where its user came from, when it was last there and whether it can be mailed', async () => {
  const path = `/products/${app.seller.product.id}`
  const body = { email: 'eve@example.com', first: 'Eve', last: 'E', password: PASSWORD, ip: '192.0.2.44' }
  const { json: eve } = await app.call('POST', `${path}/users.json`, { body })
  expectOk(await login({ email: 'eve@example.com' }))
  const developer = await asDeveloper(app)
  expectOk(await developer('POST', '/bounces.json', { email: eve.email, status: 'bounce' }))
  const { events } = (await app.call('GET', `${path}/users/${eve.id}/events.json`)).json
  const { user } = (await app.call('GET', `${path}/events/${events[0].id}.json`)).json.objects
  assert.deepEqual(
    [user.ip, user.last_login_at, user.email_status],
    [body.ip, '2026-01-31 12:00:00', 'bounce'],
  )
})

test('without a password the site vouches by its secret key', async () => {
  const { json } = await login({ password: '' })
  assert.equal(json.user_token.person.id, ada.id)
})

const errorsOf = (replies: readonly Reply[]) =>
  replies.map(({ status, json }) => {
    const { timestamp: _time, request_id: _id, documentation_url: _page, ...error } = json.error
    return [status, error]
  })

test('unknown address and wrong password: the same 401', async () => {
  const replies = [
    await login({ password: 'wrong' }),
    await login({ email: 'nobody@example.com' }),
    await login({ email: 'nobody@example.com', password: '' }),
  ]
  const message = 'The email address or the password is wrong.'
  const error = { type: 'InvalidCredentials', code: 'invalid_credentials', message, http: 401 }
  assert.deepEqual(errorsOf(replies), Array(replies.length).fill([401, error]))
})

test('a wrong key is told as one, and nothing of developer, user and password with it', async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const replies = [
    await login({ developer_secret_key: 'sk_wrong' }),
    await login({ developer_secret_key: 'sk_wrong', password: 'wrong' }),
    await login({ developer_secret_key: 'sk_wrong', password: '' }),
    await login({ developer_secret_key: 'sk_wrong', email: 'nobody@example.com' }),
    await login({ developer_secret_key: '' }),
    await login({ developer_id: '987654321', developer_secret_key: '' }),
    await login({ developer_secret_key: stranger.developer.secretKey }),
  ]
  const message = 'developer_id or developer_secret_key is wrong.'
  const error = { type: 'UnauthorizedAccess', code: 'unauthorized_access', message, http: 401 }
  assert.deepEqual(errorsOf(replies), Array(replies.length).fill([401, error]))
  const ofStranger = await login({
    developer_id: String(stranger.developer.id),
    developer_secret_key: stranger.developer.secretKey,
    store_id: String(stranger.store.id),
  })
  assert.deepEqual([ofStranger.status, ofStranger.json.error.code], [401, 'invalid_credentials'])
})

test('known and unknown users cost the same time of the processor, with the key of the site and without', async () => {
  const { developer, store } = app.seller
  const slow = { ...app.ctx, passwordCost: DEFAULT_COST }
  const hash = await hashPassword(PASSWORD, DEFAULT_COST)
  await app.write(({ db }) =>
    db.updateTable('users').set({ password_hash: hash }).where('id', '=', Number(ada.id)).execute(),
  )
  const scope = systemScope({ developerId: 0, productId: 0 })
  for (const developer_secret_key of [developer.secretKey, 'sk_wrong']) {
    const check = (email: string) => () =>
      checkUserLogin(slow, scope, {
        email,
        password: 'wrong',
        developer_id: developer.id,
        store_id: store.id,
        developer_secret_key,
      })
    await takeAsLong(check('ada@example.com'), check('nobody@example.com'))
  }
})

test('a password that is set anew while the old one is checked lets nobody in by the old one', async () => {
  const { developer, store } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: 0 })
  const input = {
    email: 'ada@example.com',
    password: PASSWORD,
    store_id: store.id,
    developer_id: developer.id,
    developer_secret_key: developer.secretKey,
  }
  const setPassword = (password_hash: string) =>
    app.write(({ db }) =>
      db.updateTable('users').set({ password_hash }).where('id', '=', Number(ada.id)).execute(),
    )
  const logIn = (checked: CheckedUserLogin) => app.write((tx) => logInUser(tx, scope, input, checked))
  const checked = await checkUserLogin(app.ctx, scope, input)
  await setPassword(await hashPassword('another pass phrase of ada', app.ctx.passwordCost))
  await assert.rejects(logIn(checked), { code: 'invalid_credentials' })
  await setPassword(await hashPassword(PASSWORD, app.ctx.passwordCost))
  assert.ok('user_token' in (await logIn(await checkUserLogin(app.ctx, scope, input))))
})

test('a store of somebody else is told to the site that has the key', async () => {
  const { status, json } = await login({ store_id: '987654321' })
  assert.deepEqual([status, json.error.details[0].field], [400, 'store_id'])
})

test('ten guesses an hour reach a user, whatever else the site does goes on', async () => {
  const guesses = await Promise.all(Array.from({ length: 30 }, () => login({ password: 'wrong' })))
  assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
  assert.equal((await login()).status, 429)
  await app.recorded()
  assert.equal((await auditOf(app, 'user_login.failure')).at(-1)?.details['reason'], 'too_many_requests')
  assert.equal((await login({ password: '' })).status, 200, 'the site vouches for its own user')
  app.ctx.clock.advance(HOUR)
  assert.equal((await login()).status, 200)
})

test('a stranger without the key gets thirty tries an hour from an address, and costs users nothing', async () => {
  const tries = await Promise.all(
    Array.from({ length: 45 }, () => login({ developer_secret_key: 'sk_wrong' }, '203.0.113.5')),
  )
  assert.equal(tries.filter(({ status }) => status === 401).length, 30)
  assert.equal(tries.filter(({ status }) => status === 429).length, 15)
  assert.equal((await login()).status, 200)
})

test('the audit log says that it failed, and holds no key or password', async () => {
  await login({ password: 'a wrong pass phrase' })
  await app.recorded()
  const failures = await auditOf(app, 'user_login.failure')
  assert.equal(failures.at(-1)?.details['reason'], 'invalid_credentials')
  const log = JSON.stringify(await app.ctx.db.selectFrom('audit_log').selectAll().execute())
  for (const secret of [PASSWORD, 'a wrong pass phrase', app.seller.developer.secretKey]) {
    assert.ok(!log.includes(secret))
  }
})
