import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { systemScope } from '../../http/scope.ts'
import { DEFAULT_COST, hashPassword } from '../../lib/password.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { startServer } from '../../start.ts'
import { checkLogin } from './login.ts'
import { type Reply, startTestApp, type TestApp } from '../../../test/app.ts'
import {
  auditOf,
  codeAt,
  enroll,
  FROM_ANYWHERE,
  logIn,
  PASSWORD,
  setPassword,
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

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const countOf = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length
const wrong = { password: 'not the right one' }
let lastAddress = 0
/** An address nobody has used before. */
const anywhere = () => `198.51.${(lastAddress >> 8) & 255}.${lastAddress++ & 255}`
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
        is_verified: 1,
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

test('known and unknown addresses take the same time at the real cost of a password', async () => {
  const slow = { ...app.ctx, passwordCost: DEFAULT_COST }

  const hash = await hashPassword(PASSWORD, DEFAULT_COST)
  const { id } = app.seller.developer
  await app.write(({ db }) =>
    db.updateTable('developers').set({ password_hash: hash }).where('id', '=', id).execute(),
  )
  const scope = systemScope({ developerId: id, productId: 0 })
  const timed = async (email: string) => {
    const start = performance.now()
    await checkLogin(slow, scope, id, { email, password: 'wrong', remember_me: false })
    return performance.now() - start
  }
  const medians: Record<string, number> = {}
  const samples: Record<string, number[]> = { 'seller@example.com': [], 'nobody@example.com': [] }
  for (let round = 0; round < 15; round++) {
    for (const [email, list] of Object.entries(samples)) list.push(await timed(email))
  }
  for (const [email, list] of Object.entries(samples)) {
    medians[email] = list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  }
  const [known = 0, unknown = 0] = Object.values(medians)
  assert.ok(Math.max(known, unknown) / Math.min(known, unknown) < 1.5, `${known} ms, ${unknown} ms`)
  await setPassword(app)
})

test('ten guesses an hour reach an account, from any number of addresses and all at once', async () => {
  const replies = await times(60, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.deepEqual([countOf(replies, 401), countOf(replies, 429)], [10, 50])
  const refused = await tryLogin(app, { from: anywhere() })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600'])
  assert.equal(refused.json.error.code, 'too_many_requests')
  app.ctx.clock.advance(HOUR - SECOND)
  assert.equal((await tryLogin(app, { from: anywhere() })).headers.get('retry-after'), '1')
  app.ctx.clock.advance(SECOND)
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 200)
})

test('the right password among many guesses at once is no better than ten of them', async () => {
  const replies = await times(60, (index) =>
    tryLogin(app, { from: anywhere(), body: index === 59 ? {} : wrong }),
  )
  assert.ok(countOf(replies, 401) <= 10)
  assert.equal(countOf(replies, 401) + countOf(replies, 429) + countOf(replies, 200), 60)
})

test('guesses with a pause between them are not more than ten in any hour', async () => {
  let answered = 0
  for (let minute = 0; minute < 60; minute += 3) {
    const { status } = await tryLogin(app, { from: anywhere(), body: wrong })
    if (status === 401) answered++
    app.ctx.clock.advance(3 * 60 * SECOND)
  }
  assert.equal(answered, 10)
})

test('thirty failures an hour close an address, for every account; IPv6 by its /64', async () => {
  for (const addresses of [() => '203.0.113.7', () => `2001:db8:1:2::${(lastAddress++).toString(16)}`]) {
    const replies = await times(45, (index) =>
      tryLogin(app, { from: addresses(), body: { ...wrong, email: `guess${index}@example.com` } }),
    )
    assert.deepEqual([countOf(replies, 401), countOf(replies, 429)], [30, 15])
    assert.equal((await tryLogin(app, { from: addresses() })).status, 429)
    assert.equal((await tryLogin(app, { from: anywhere() })).status, 200)
  }
})

test('who guesses cannot lock the owner out of an address it has logged in from', async () => {
  await logIn(app, { from: '192.0.2.1' })
  await times(40, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  await logIn(app, { from: '192.0.2.1' })
  const own = await times(15, () => tryLogin(app, { from: '192.0.2.1', body: wrong }))
  assert.equal(countOf(own, 401), 10, 'and that address has its own limit')
  assert.equal((await tryLogin(app, { from: '192.0.2.1' })).status, 429)
})

test('nor the owner with two-factor, from anywhere', async () => {
  const login = await logIn(app, { from: '192.0.2.1' })
  const { secret, backupCodes } = await enroll(app, login)
  app.ctx.clock.advance(60 * SECOND)
  await times(40, () => tryLogin(app, { from: anywhere(), body: wrong }))
  const code = codeAt(secret, app.ctx.clock.real())
  const from = anywhere
  assert.equal((await tryLogin(app, { from: from() })).status, 429, 'the password alone says nothing now')
  assert.equal((await tryLogin(app, { from: from(), body: { ...wrong, code } })).status, 429)
  assert.equal((await tryLogin(app, { from: from(), body: { code: '000000' } })).status, 429)
  await logIn(app, { from: from(), body: { code } })
  await logIn(app, { from: from(), body: { backup_code: backupCodes[3] } })
})

test('a success forgives nothing: the failures before it still count', async () => {
  await times(9, () => tryLogin(app, { from: anywhere(), body: wrong }))
  await logIn(app, { from: anywhere() })
  const replies = await times(5, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.equal(countOf(replies, 401), 1)
})

test('two processes share the limits', async () => {
  const second = await startServer(app.ctx)
  const path = `/v1/developers/${app.seller.developer.id}/login.json`
  try {
    const statuses = await times(30, async (index) => {
      const reply = await fetch((index % 2 === 0 ? app.address : second.address) + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': anywhere() },
        body: JSON.stringify({ email: 'seller@example.com', password: 'wrong' }),
      })
      return reply.status
    })
    assert.equal(statuses.filter((status) => status === 401).length, 10)
  } finally {
    await second.stop()
  }
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
  const failures = (await auditOf(app, 'login.failure')).filter(({ ip }) => ip === '192.0.2.77')
  assert.deepEqual(
    failures.map(({ details }) => details),
    [
      { person: app.seller.developer.id, reason: 'invalid_credentials' },
      { person: null, reason: 'invalid_credentials' },
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
