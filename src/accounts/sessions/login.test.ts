import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { systemScope } from '../../access/scope.ts'
import { DEFAULT_COST, hashPassword } from '../../lib/password.ts'
import { HOUR } from '../../lib/time.ts'
import { checkLogin } from './login.ts'
import { type Reply, startTestApp, type TestApp } from '../../../test/app.ts'
import {
  anywhere,
  auditOf,
  FROM_ANYWHERE,
  logIn,
  PASSWORD,
  setPassword,
  takeAsLong,
  tryLogin,
} from '../../../test/logins.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('login', { config: FROM_ANYWHERE })
  await setPassword(app)
})
after(() => app.close())
afterEach(async () => {
  await app.write(async ({ db }) => {
    for (const table of ['login_failures', 'login_addresses', 'backup_codes', 'two_factor'] as const) {
      await db.deleteFrom(table).execute()
    }
  })
  app.ctx.clock.advance(HOUR)
})

const wrong = { password: 'not the right one' }
const face = ({ status, json, headers }: Reply) => {
  const { timestamp: _time, request_id: _id, ...error } = json.error
  return { status, error, cookie: headers.get('set-cookie'), retry: headers.get('retry-after') }
}

test('a form logs in like JSON', async () => {
  const form = { email: 'SELLER@example.com', password: PASSWORD, remember_me: '1' }
  const reply = await app.call('POST', `/developers/${app.seller.developer.id}/login.json`, {
    token: null,
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual([reply.status, reply.json.expires], [200, 604_800], reply.text)
})

test('what is missing is named with 402, what is malformed with 400, and nothing is counted', async () => {
  const login = (body: object) =>
    app.call('POST', `/developers/${app.seller.developer.id}/login.json`, { token: null, body })
  const missing = await login({})
  assert.equal(missing.status, 402)
  assert.deepEqual(
    missing.json.error.details.map(({ field }: { field: string }) => field),
    ['email', 'password'],
  )
  const malformed = await login({ email: 'nobody', password: 5, remember_me: 'maybe', code: {} })
  assert.equal(malformed.status, 400)
  assert.deepEqual(malformed.json.error.details.map(({ field }: { field: string }) => field).toSorted(), [
    'code',
    'email',
    'password',
    'remember_me',
  ])
  assert.ok(!malformed.text.includes('maybe') || malformed.json.request.remember_me === 'maybe')
  assert.equal((await app.ctx.db.selectFrom('login_failures').selectAll().execute()).length, 0)
})

test('unknown address, wrong password, no password, another account: all look the same', async () => {
  await app.write(({ db }) =>
    db
      .insertInto('developers')
      .values({
        email: 'nopassword@example.com',
        email_folded: 'nopassword@example.com',
        first: '',
        last: '',
        password_hash: null,
        is_verified: true,
        public_key: 'pk_none',
        secret_key: '',
        created: '2026-01-01 00:00:00' as never,
        updated: null,
      })
      .execute(),
  )
  const replies = [
    await tryLogin(app, { body: wrong }),
    await tryLogin(app, { body: { email: 'nobody@example.com' } }),
    await tryLogin(app, { body: { email: 'nopassword@example.com' } }),
    await tryLogin(app, { account: 987_654_321 }),
    await tryLogin(app, { body: { password: '' } }),
    await tryLogin(app, { body: { password: 'x'.repeat(4096) } }),
  ]
  for (const reply of replies) {
    assert.equal(reply.json.error.code, 'invalid_credentials')
    assert.deepEqual({ ...face(reply), path: null }, { ...face(replies[0] ?? assert.fail()), path: null })
  }
})

test('known and unknown addresses also look the same once there were too many', async () => {
  const last = async (email: string) => {
    const replies: Reply[] = []
    for (let count = 0; count < 12; count++) {
      replies.push(await tryLogin(app, { from: anywhere(), body: { ...wrong, email } }))
    }
    return replies.map(face)
  }
  assert.deepEqual(await last('seller@example.com'), await last('nobody@example.com'))
})

test('known and unknown addresses cost the same time of the processor at the real cost of a password', async () => {
  const slow = { ...app.ctx, passwordCost: DEFAULT_COST }

  const hash = await hashPassword(PASSWORD, DEFAULT_COST)
  const { id } = app.seller.developer
  await app.write(({ db }) =>
    db.updateTable('developers').set({ password_hash: hash }).where('id', '=', id).execute(),
  )
  const scope = systemScope({ developerId: id, productId: 0 })
  const check = (email: string) => () =>
    checkLogin(slow, scope, id, { email, password: 'wrong', remember_me: false })
  await takeAsLong(check('seller@example.com'), check('nobody@example.com'))
  await setPassword(app)
})

test('a login that is repeated with its Idempotency-Key answers the same, and gives no second cookie', async () => {
  const headers = { 'idempotency-key': 'of one log-in alone' }
  const first = await tryLogin(app, { headers })
  const again = await tryLogin(app, { headers })
  assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text])
  assert.ok(first.headers.get('set-cookie') && !again.headers.get('set-cookie'))
  assert.ok(!again.headers.get('x-keywright-csrf'))
})

test('a password hash of another cost is renewed by a login, and the password still fits', async () => {
  const { id } = app.seller.developer
  const hashNow = async () =>
    (
      await app.ctx.db
        .selectFrom('developers')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirst()
    )?.password_hash
  const old = await hashPassword(PASSWORD, { memoryKib: 128, passes: 2, parallelism: 1 })
  await app.write(({ db }) =>
    db.updateTable('developers').set({ password_hash: old }).where('id', '=', id).execute(),
  )
  assert.equal((await tryLogin(app, { body: wrong })).status, 401)
  assert.equal(await hashNow(), old)
  await logIn(app)
  assert.match((await hashNow()) ?? '', /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  await logIn(app)
})

test('every login is in the audit log with who and whence, and no secret is in it', async () => {
  await tryLogin(app, { from: '192.0.2.77', body: wrong })
  await tryLogin(app, { from: '192.0.2.77', body: { email: 'nobody@example.com' } })
  const { token } = await logIn(app, { from: '192.0.2.78' })
  await app.recorded()
  const failures = (await auditOf(app, 'login.failure')).filter(({ ip }) => ip === '192.0.2.77')
  assert.deepEqual(
    failures.map(({ details }) => details),
    [
      { count: 1, person: app.seller.developer.id, reason: 'invalid_credentials' },
      { count: 1, person: null, reason: 'invalid_credentials' },
    ],
  )
  const [success] = (await auditOf(app, 'login.success')).filter(({ ip }) => ip === '192.0.2.78')
  assert.equal(success?.actor_id, app.seller.developer.id)
  assert.match(success?.credential ?? '', /^session:\d+$/)
  const log = JSON.stringify(await app.ctx.db.selectFrom('audit_log').selectAll().execute())
  for (const secret of [PASSWORD, wrong.password, token, 'nobody@example.com']) {
    assert.ok(!log.includes(secret), secret)
  }
})
