import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { DAY, HOUR, SECOND } from '../../lib/time.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import {
  auditOf,
  codeAt,
  enroll,
  type Enrolled,
  logIn,
  PASSWORD,
  setPassword,
  tryLogin,
} from '../../../test/logins.ts'
import { allOf } from '../../../test/whole-database.ts'

const STEP = 30 * SECOND
const TEN = Array.from({ length: 10 })

let app: TestApp
before(async () => {
  app = await startTestApp('two_factor')
  await setPassword(app)
})
after(() => app.close())
afterEach(async () => {
  await app.write(async ({ db }) => {
    for (const table of ['backup_codes', 'two_factor', 'login_failures'] as const) {
      await db.deleteFrom(table).execute()
    }
  })
  app.ctx.clock.advance(HOUR)
})

const codeNow = ({ secret }: Enrolled, steps = 0) => codeAt(secret, app.ctx.clock.real() + steps * STEP)
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)
const codeOf = (reply: Reply): string => reply.json?.error?.code ?? String(reply.status)

/** Logged in and with two-factor, a step after the code that switched it on. */
async function enrolled() {
  const login = await logIn(app)
  const own = await enroll(app, login)
  app.ctx.clock.advance(2 * STEP)
  return { ...login, ...own }
}

test('set-up takes the password, shows the secret once, and is on by a first code', async () => {
  const { call } = await logIn(app)
  const wrong = await call('POST', '/two_factor.json', { body: { current_password: 'wrong' } })
  assert.equal(codeOf(wrong), 'invalid_credentials')
  const { json } = await call('POST', '/two_factor.json', { body: { current_password: PASSWORD } })
  assert.match(json.secret, /^[A-Z2-7]{32}$/)
  assert.ok(json.otpauth_url.startsWith('otpauth://totp/Keywright:seller%40example.com?'))
  assert.ok(json.otpauth_url.includes(`secret=${json.secret}&`))
  await logIn(app, {})
  const confirm = (code: string) => call('POST', '/two_factor/confirm.json', { body: { code } })
  assert.equal(codeOf(await confirm('000000')), 'two_factor_invalid')
  const on = await confirm(codeNow(json))
  assert.equal(on.json.backup_codes.length, 10)
  for (const code of on.json.backup_codes) assert.match(code, /^[A-Z2-7]{24}$/)
  assert.equal((await call('GET', '/session.json')).json.person.auth, 'app2fa')
  const again = await call('POST', '/two_factor.json', { body: { current_password: PASSWORD } })
  assert.equal(codeOf(again), 'two_factor_on')
  assert.equal(codeOf(await confirm(codeNow(json, 1))), 'two_factor_on')
  assert.ok((await auditOf(app, 'two_factor.on')).length > 0)
})

test('a code before there is a secret is refused', async () => {
  const { call } = await logIn(app)
  const reply = await call('POST', '/two_factor/confirm.json', { body: { code: '123456' } })
  assert.equal(codeOf(reply), 'two_factor_not_begun')
})

test('a login without a code is told that one is required, a wrong one that it is wrong', async () => {
  const own = await enrolled()
  assert.equal(codeOf(await tryLogin(app)), 'two_factor_required')
  assert.equal(codeOf(await tryLogin(app, { account: null })), 'two_factor_required')
  assert.equal(codeOf(await tryLogin(app, { body: { code: '' } })), 'two_factor_required')
  for (const code of ['000000', '12345', '1234567', 'abcdef', '١٢٣٤٥٦']) {
    assert.equal(codeOf(await tryLogin(app, { body: { code } })), 'two_factor_invalid', code)
  }
  const wrongPassword = await tryLogin(app, { body: { password: 'wrong', code: codeNow(own) } })
  assert.equal(codeOf(wrongPassword), 'invalid_credentials', 'a code says nothing without the password')
  assert.equal((await tryLogin(app, { body: { code: codeNow(own) } })).status, 200)
})

test('a code is good one step early and late, and not two', async () => {
  const own = await enrolled()
  for (const [steps, status] of [
    [-2, 401],
    [2, 401],
    [-1, 200],
    [1, 200],
  ] as const) {
    assert.equal((await tryLogin(app, { body: { code: codeNow(own, steps) } })).status, status, String(steps))
  }
})

test('codes that were used under a clock that was ahead take none away when that comes back, and each is good once', async () => {
  const own = await enrolled()
  const now = app.ctx.clock.real()
  app.ctx.clock.advance(400 * DAY)
  assert.equal((await tryLogin(app, { body: { code: codeNow(own) } })).status, 200)
  app.ctx.clock.set(now)
  const replies = await Promise.all(TEN.map(() => tryLogin(app, { body: { code: codeNow(own) } })))
  assert.deepEqual(statuses(replies).toSorted(), [200, ...Array<number>(9).fill(401)])
})

test('a code is good once, and none of an earlier step after it', async () => {
  const own = await enrolled()
  const [earlier, code] = [codeNow(own, -1), codeNow(own)]
  assert.equal((await tryLogin(app, { body: { code } })).status, 200)
  assert.equal(codeOf(await tryLogin(app, { body: { code } })), 'two_factor_invalid')
  assert.equal(codeOf(await tryLogin(app, { body: { code: earlier } })), 'two_factor_invalid')
  app.ctx.clock.advance(STEP)
  assert.equal(
    codeOf(await tryLogin(app, { body: { code } })),
    'two_factor_invalid',
    'still within the drift',
  )
  assert.equal((await tryLogin(app, { body: { code: codeNow(own) } })).status, 200)
})

test('the code that switched two-factor on does not log in', async () => {
  const login = await logIn(app)
  const own = await enroll(app, login)
  assert.equal(codeOf(await tryLogin(app, { body: { code: codeNow(own) } })), 'two_factor_invalid')
})

test('of ten logins with one code at once one is let in', async () => {
  const own = await enrolled()
  const code = codeNow(own)
  const replies = await Promise.all(TEN.map(() => tryLogin(app, { body: { code } })))
  assert.deepEqual(statuses(replies).toSorted(), [200, ...Array<number>(9).fill(401)])
})

test('wrong codes are limited to ten an hour, and then the right one too', async () => {
  const own = await enrolled()
  const guesses = await Promise.all(
    Array.from({ length: 25 }, () => tryLogin(app, { body: { code: '000000' } })),
  )
  assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
  assert.equal(guesses.filter(({ status }) => status === 429).length, 15)
  const refused = await tryLogin(app, { body: { code: codeNow(own) } })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '3600')
  app.ctx.clock.advance(HOUR)
  assert.equal((await tryLogin(app, { body: { code: codeNow(own) } })).status, 200)
})

test('a backup code logs in once, however it is typed, and switches two-factor off', async () => {
  const own = await enrolled()
  const [first = '', second = ''] = own.backupCodes
  const typed = `${first.slice(0, 12).toLowerCase()} ${first.slice(12)}`
  const reply = await tryLogin(app, { body: { backup_code: typed } })
  assert.deepEqual([reply.status, reply.json.person?.auth], [200, 'password'])
  assert.equal((await tryLogin(app)).status, 200, 'the password is enough now')
  for (const backup_code of [first, second]) {
    const again = await tryLogin(app, { body: { backup_code } })
    assert.equal(codeOf(again), 'two_factor_invalid')
  }
  assert.equal((await auditOf(app, 'two_factor.off')).length, 1)
})

test('a wrong backup code is refused and changes nothing; the right one works after any number of wrong codes', async () => {
  const own = await enrolled()
  const wrong = await Promise.all(
    Array.from({ length: 12 }, () => tryLogin(app, { body: { backup_code: 'A'.repeat(24) } })),
  )
  assert.equal(wrong.filter(({ status }) => status === 200).length, 0)
  assert.equal(codeOf(await tryLogin(app)), 'two_factor_required')
  assert.equal((await tryLogin(app, { body: { backup_code: own.backupCodes[0] } })).status, 200)
})

test('of ten logins with one backup code at once one is let in', async () => {
  const own = await enrolled()
  const [backup_code] = own.backupCodes
  const replies = await Promise.all(TEN.map(() => tryLogin(app, { body: { backup_code } })))
  assert.deepEqual(statuses(replies).toSorted(), [200, ...Array<number>(9).fill(401)])
})

test('two-factor is removed by a code or a backup code, and by nothing less', async () => {
  const own = await enrolled()
  const remove = (body: object) => own.call('POST', '/two_factor/remove.json', { body })
  assert.equal(codeOf(await remove({})), 'two_factor_required')
  assert.equal(codeOf(await remove({ code: '000000' })), 'two_factor_invalid')
  assert.equal((await remove({ code: codeNow(own) })).status, 204)
  assert.equal(codeOf(await remove({ code: codeNow(own, 1) })), 'two_factor_off')
  assert.equal((await tryLogin(app)).status, 200)
  assert.equal(
    codeOf(await tryLogin(app, { body: { backup_code: own.backupCodes[0] } })),
    'two_factor_invalid',
  )
  app.ctx.clock.advance(2 * STEP)
  const second = await enroll(app, own)
  assert.equal((await remove({ backup_code: second.backupCodes[9] })).status, 204)
})

test('of ten removals at once one is made', async () => {
  const own = await enrolled()
  const code = codeNow(own)
  const remove = () => own.call('POST', '/two_factor/remove.json', { body: { code } })
  const replies = await Promise.all(TEN.map(remove))
  assert.equal(statuses(replies).filter((status) => status === 204).length, 1, String(statuses(replies)))
  assert.ok(statuses(replies).every((status) => status < 500))
})

test('of ten confirmations at once one gives backup codes, and there are ten', async () => {
  const { call } = await logIn(app)
  const { json } = await call('POST', '/two_factor.json', { body: { current_password: PASSWORD } })
  const code = codeNow(json)
  const replies = await Promise.all(
    TEN.map(() => call('POST', '/two_factor/confirm.json', { body: { code } })),
  )
  assert.equal(statuses(replies).filter((status) => status === 200).length, 1, String(statuses(replies)))
  assert.equal((await app.ctx.db.selectFrom('backup_codes').select('id').execute()).length, 10)
})

test('the database holds no usable secret, code or backup code', async () => {
  const own = await enrolled()
  const kept = JSON.stringify(await allOf(app.ctx.database))
  for (const secret of [own.secret, ...own.backupCodes]) assert.ok(!kept.includes(secret))
})

test('an answered password change does not get around two-factor', async () => {
  const own = await enrolled()
  const body = { current_password: PASSWORD, new_password: 'another long pass phrase' }
  assert.equal((await own.call('PUT', '/password.json', { body })).status, 204)
  const password = 'another long pass phrase'
  assert.equal(codeOf(await tryLogin(app, { body: { password } })), 'two_factor_required')
  await setPassword(app)
})
