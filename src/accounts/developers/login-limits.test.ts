import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { systemScope } from '../../access/scope.ts'
import { Refused } from '../../lib/errors.ts'
import { DAY, HOUR, SECOND } from '../../lib/time.ts'
import { startServer } from '../../start.ts'
import { checkLogin, logIn as logInNow } from '../sessions/login.ts'
import { type Reply, startTestApp, type TestApp } from '../../../test/app.ts'
import {
  anywhere,
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
  app = await startTestApp('login_limits', { config: FROM_ANYWHERE })
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
let lastInNetwork = 0

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

test('guesses that were made under a clock that was ahead shut nobody out when that comes back', async () => {
  const now = app.ctx.clock.real()
  app.ctx.clock.advance(400 * DAY)
  await times(10, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  app.ctx.clock.set(now)
  const replies = await times(60, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.deepEqual([countOf(replies, 401), countOf(replies, 429)], [10, 50])
})

test('every refused login is in the audit log, also one that a limit refuses before it looks at the password', async () => {
  await app.recorded()
  const before = (await auditOf(app, 'login.failure')).length
  await times(10, () => tryLogin(app, { from: anywhere(), body: wrong }))
  const late = [
    await tryLogin(app, { from: anywhere() }),
    await tryLogin(app, { from: anywhere(), body: wrong }),
  ]
  assert.equal(countOf(late, 429), 2)
  await app.recorded()
  const rows = (await auditOf(app, 'login.failure')).slice(before)
  const counts = { invalid_credentials: 0, too_many_requests: 0 }
  for (const { details } of rows) {
    counts[details['reason'] as keyof typeof counts] += Number(details['count'])
  }
  assert.deepEqual(counts, { invalid_credentials: 10, too_many_requests: 2 })
  assert.deepEqual(rows.at(-1)?.details['person'], app.seller.developer.id)
})

test('what the limit of an account refuses is not counted against the address it comes from', async () => {
  const from = anywhere()
  await times(10, () => tryLogin(app, { from, body: wrong }))
  for (let late = 0; late < 25; late++) assert.equal((await tryLogin(app, { from, body: wrong })).status, 429)
  const other = await tryLogin(app, { from, body: { email: 'nobody@example.com', password: 'wrong' } })
  assert.equal(other.status, 401)
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
  for (const addresses of [() => '203.0.113.7', () => `2001:db8:1:2::${(++lastInNetwork).toString(16)}`]) {
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

test('nor does a success make them count longer', async () => {
  await times(9, () => tryLogin(app, { from: anywhere(), body: wrong }))
  app.ctx.clock.advance(HOUR - SECOND)
  await logIn(app, { from: anywhere() })
  app.ctx.clock.advance(SECOND)
  const replies = await times(12, () => tryLogin(app, { from: anywhere(), body: wrong }))
  assert.equal(countOf(replies, 401), 10)
})

test('a right password that was on its way while the limit was reached is refused like any other', async () => {
  const { id } = app.seller.developer
  const input = { email: 'seller@example.com', password: PASSWORD, remember_me: false }
  for (const [what, guesses] of Object.entries({
    account: () => times(10, () => tryLogin(app, { from: anywhere(), body: wrong })),
    address: () =>
      times(30, (index) =>
        tryLogin(app, { from: '203.0.113.99', body: { ...wrong, email: `guess${index}@example.com` } }),
      ),
  })) {
    const scope = { ...systemScope({ developerId: id, productId: 0 }), ip: '203.0.113.99' }
    const checked = await checkLogin(app.ctx, scope, id, input)
    await guesses()
    const result = await app.write((tx) => logInNow(tx, scope, input, checked))
    assert.ok(result instanceof Refused, what)
    assert.equal(result.error.status, 429, what)
    app.ctx.clock.advance(HOUR)
  }
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
