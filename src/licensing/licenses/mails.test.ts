import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { eventsOfLicense, licenseOf, mailsOf, userOf } from '../../../test/licenses.ts'
import { mailKeys } from './mail-keys-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, MINUTE } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('licenses_mails')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}/licenses/${rest}.json`
const resend = (email: string) => app.call('POST', path('resend'), { body: { email } })
const of = async (email: string, body = {}) => {
  await userOf(app, email)
  return licenseOf(app, 1, { body: { email, ...body } })
}

test('all keys of an address are mailed to it, with 200 and no body', async () => {
  const first = await of('keys@example.com')
  const second = await of('keys@example.com', { expires_at: null })
  const foreign = await of('somebody@example.com')
  const reply = await resend(' Keys@Example.com ')
  assert.deepEqual([reply.status, reply.text], [200, ''])
  const [mail, ...more] = await mailsOf(app, 'license_keys')
  assert.equal(more.length, 0)
  assert.equal(mail?.recipient, 'keys@example.com')
  for (const { secret_key: key } of [first, second]) {
    assert.ok(mail?.text.includes(key))
    assert.ok(mail?.html.includes(key))
  }
  assert.ok(!mail?.text.includes(foreign.secret_key))
  assert.ok(mail?.text.includes('2027-01-31 10:00:00'))
})

test('who proves who it is learns what is wrong with an address', async () => {
  await userOf(app, 'without@example.com')
  const codes = await Promise.all(
    ['no address', 'nobody@example.com', 'without@example.com'].map(async (email) => {
      const { status, json } = await resend(email)
      return [status, json.error.code]
    }),
  )
  assert.deepEqual(codes, [
    [400, 'invalid_email'],
    [400, 'no_user'],
    [400, 'no_license'],
  ])
  assert.equal((await app.call('POST', path('resend'))).status, 402)
})

test('with the public key alone every address is answered the same, and nobody is mailed twice in ten minutes', async () => {
  await of('public@example.com')
  const as = asPublic(app)
  const ask = (email: string) => as('POST', '/licenses/resend.json', { email })
  const replies = await Promise.all(
    ['public@example.com', 'public@example.com', 'nobody@example.com', 'without@example.com'].map(ask),
  )
  assert.ok(replies.every(({ status, text }) => status === 200 && text === ''))
  const count = async () => {
    await runDue(app.ctx, [mailKeys])
    const mails = await mailsOf(app, 'license_keys')
    return mails.filter(({ recipient }) => recipient === 'public@example.com').length
  }
  assert.equal(await count(), 1)
  await ask('Public@Example.com')
  assert.equal(await count(), 1)
  app.ctx.clock.advance(10 * MINUTE)
  await ask('public@example.com')
  assert.equal(await count(), 2)
  assert.deepEqual(await app.ctx.db.selectFrom('key_requests').selectAll().execute(), [])
  assert.equal((await ask('no address')).json.error.code, 'invalid_email')
})

test('keys that were mailed under a clock that was ahead are mailed again when that comes back', async () => {
  await of('ahead@example.com')
  const as = asPublic(app)
  const { clock } = app.ctx
  const mailed = async () => {
    await as('POST', '/licenses/resend.json', { email: 'ahead@example.com' })
    await runDue(app.ctx, [mailKeys])
    return (await mailsOf(app, 'license_keys')).filter(({ recipient }) => recipient === 'ahead@example.com')
      .length
  }
  const now = clock.real()
  clock.advance(100 * DAY)
  assert.equal(await mailed(), 1)
  clock.set(now)
  assert.deepEqual([await mailed(), await mailed()], [2, 2])
})

test('with the public key alone the same statements run, whoever has the address and whenever it was mailed', async () => {
  const statements: string[] = []
  const watched = await startTestApp('licenses_mails_watched', {
    onStatement: (sql) => void statements.push(sql),
  })
  try {
    const users = `/products/${watched.seller.product.id}/users.json`
    const body = { email: 'public@example.com', name: 'Some Body', send_verification_email: false }
    await watched.call('POST', users, { body })
    await licenseOf(watched, 1, { body: { email: 'public@example.com' } })
    const as = asPublic(watched)
    const ran = async (email: string) => {
      await watched.recorded()
      statements.length = 0
      assert.equal((await as('POST', '/licenses/resend.json', { email })).status, 200)
      return statements.filter((sql) => !sql.includes('audit_log'))
    }
    const unknown = await ran('nobody@example.com')
    assert.ok(unknown.some((sql) => sql.includes('key_requests')))
    assert.deepEqual(await ran('public@example.com'), unknown)
    await runDue(watched.ctx, [mailKeys])
    assert.equal((await mailsOf(watched, 'license_keys')).length, 1)
    assert.deepEqual(await ran('public@example.com'), unknown)
  } finally {
    await watched.close()
  }
})

test('of any number of workers one mails an address that was asked for', async () => {
  await of('workers@example.com')
  await asPublic(app)('POST', '/licenses/resend.json', { email: 'workers@example.com' })
  const { signal } = new AbortController()
  await Promise.all([1, 2, 3, 4].map(() => mailKeys.run(app.ctx, signal, () => {})))
  const mails = await mailsOf(app, 'license_keys')
  assert.equal(mails.filter(({ recipient }) => recipient === 'workers@example.com').length, 1)
})

test('a license is mailed again to its owner, one of nobody is 400', async () => {
  const license = await of('again@example.com')
  const reply = await app.call('POST', path(`${license.id}/resend`))
  assert.deepEqual([reply.status, reply.text], [200, ''])
  const [mail] = await mailsOf(app, 'license')
  assert.ok(mail?.text.includes(license.secret_key))
  const orphan = await licenseOf(app)
  assert.equal((await app.call('POST', path(`${orphan.id}/resend`))).json.error.code, 'no_user')
})

test('a renewal is offered only where there is something to renew and somebody to tell', async () => {
  const renewable = await of('renew@example.com')
  const over = await of('over@example.com', { expires_at: '2026-01-01 00:00:00' })
  const lifetime = await of('ever@example.com', { expires_at: null })
  const cancelled = await of('gone@example.com')
  await app.call('DELETE', path(cancelled.id))
  const orphan = await licenseOf(app)
  const sent = async ({ id }: { id: string }) => (await app.call('POST', path(`${id}/renewals`))).json
  assert.deepEqual(await sent(renewable), { sent: true })
  assert.deepEqual(await sent(over), { sent: true })
  for (const license of [lifetime, cancelled, orphan]) assert.deepEqual(await sent(license), { sent: false })
  assert.deepEqual(
    (await mailsOf(app, 'license_expiring')).map(({ recipient }) => recipient),
    ['renew@example.com'],
  )
  assert.equal((await mailsOf(app, 'license_expired'))[0]?.recipient, 'over@example.com')
  assert.equal((await eventsOfLicense(app, renewable.id)).at(-1)?.type, 'license.renewal_reminder.sent')
})
