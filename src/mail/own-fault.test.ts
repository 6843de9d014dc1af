// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pino from 'pino'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { startSmtp, type TestSmtp } from '../../test/smtp.ts'
import { deliverMails } from '../jobs/deliver-mails.ts'
import { prune } from '../jobs/prune.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { retryFailedMails } from './mail-rows.ts'

const FAULTS = ['no connection', 'login', 'sender'] as const

let fault: (typeof FAULTS)[number] | null
let answer: string | undefined
let server: TestSmtp
let closedPort: number
let app: TestApp
const logged: string[] = []
before(async () => {
  const gone = await startSmtp()
  closedPort = gone.settings.port
  await gone.close()
  const unless = (at: typeof fault, responseCode: number) =>
    fault === at ? Object.assign(new Error('no'), { responseCode }) : null
  server = await startSmtp({
    rcpt: () => answer,
    server: {
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(unless('login', 535), { user: 'shop' }),
      onMailFrom: (_address, _session, done) => done(unless('sender', 550)),
    },
  })
  const smtp = { ...server.settings, login: { user: 'shop', password: 'secret-password' } }
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  app = await startTestApp('mail_own_fault', { config: { mail: { smtp, from: null } }, log })
})
after(async () => {
  await app.close()
  await server.close()
})
beforeEach(() => {
  fault = null
  answer = undefined
  logged.length = 0
})

let people = 0

/** A user of the product, to whom the mail waits that confirms its address. */
async function user() {
  const email = `Own.Fault${++people}@example.com`
  const reply = await app.call('POST', `/products/${app.seller.product.id}/users.json`, {
    body: { email, name: 'Some Body' },
  })
  assert.equal(reply.status, 200, reply.text)
  return { email: String(reply.json.email), id: Number(reply.json.id) }
}

async function deliver(): Promise<void> {
  const { ctx } = app
  const { smtp, from } = ctx.config.mail
  const isDown = fault === 'no connection' && smtp !== null
  const mail = isDown ? { from, smtp: { ...smtp, port: closedPort } } : ctx.config.mail
  await runDue({ ...ctx, config: { ...ctx.config, mail } }, [deliverMails])
}

const mailTo = (email: string) =>
  app.ctx.db.selectFrom('mails').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow()

const statusOf = async (id: number) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)).json.email_status

for (const kind of FAULTS) {
  test(`half a day of our own fault (${kind}) costs no mail and no status: it is tried every two hours at least`, async () => {
    const { email, id } = await user()
    fault = kind
    const until = app.ctx.clock.real() + 12 * HOUR
    let tried = 0
    for (; app.ctx.clock.real() < until; tried++) {
      await deliver()
      const { state, attempts, content, due_at } = await mailTo(email)
      assert.deepEqual([state, attempts, content === null], ['pending', 0, false])
      const wait = (due_at ?? 0) - app.ctx.clock.real()
      assert.ok(wait >= MINUTE && wait <= 2 * HOUR, `${wait} ms`)
      app.ctx.clock.advance(wait)
    }
    assert.ok(tried < 20, `${tried} times`)
    assert.equal(await statusOf(id), null)
    fault = null
    // The server puts it off once more: the failures before it do not count.
    answer = '451 4.7.1 Greylisted'
    await deliver()
    assert.equal((await mailTo(email)).state, 'pending')
    answer = undefined
    app.ctx.clock.advance(MINUTE)
    await deliver()
    assert.deepEqual([(await mailTo(email)).state, await statusOf(id)], ['sent', 'delivered'])
  })
}

test('after five days of our own fault it is given up with an error in the log, and sent when it is retried', async () => {
  const { email, id } = await user()
  fault = 'login'
  await deliver()
  app.ctx.clock.advance(5 * DAY - 1)
  await deliver()
  assert.equal((await mailTo(email)).state, 'pending')
  app.ctx.clock.advance(2 * HOUR)
  await deliver()
  const { state, content, due_at, last_error } = await mailTo(email)
  assert.deepEqual([state, content === null, due_at], ['failed', false, null])
  assert.match(last_error ?? '', /Invalid login/)
  assert.equal(await statusOf(id), null)
  const levels = logged.map((line) => JSON.parse(line).level)
  assert.deepEqual(levels, [50, 50, 50])
  fault = null
  app.ctx.clock.advance(29 * DAY)
  const retry = () => app.write(({ db, clock }) => retryFailedMails(db, clock.real(), 10))
  assert.deepEqual([await retry(), await retry()], [1, 0])
  await deliver()
  assert.deepEqual([(await mailTo(email)).state, await statusOf(id)], ['sent', 'delivered'])
})

test('what a mail said that was given up is kept for 30 days', async () => {
  const { email } = await user()
  answer = '550 5.1.1 No such mailbox'
  await deliver()
  app.ctx.clock.advance(30 * DAY - HOUR)
  await runDue(app.ctx, [prune])
  assert.notEqual((await mailTo(email)).content, null)
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [prune])
  const { state, content, keep_until } = await mailTo(email)
  assert.deepEqual([state, content, keep_until], ['failed', null, null])
})

test('an answer that repeats the recipient, however it is written, leaves the address out of log and error', async () => {
  const { email } = await user()
  for (const said of [
    `450 4.2.0 <${email}>: Greylisted`,
    `451 ${email.toUpperCase()} and ${email.toLowerCase()} are busy`,
    `421 4.7.0 ${email.toLowerCase()} later`,
    `550 5.1.1 <${email.toUpperCase()}>: No such mailbox`,
  ]) {
    answer = said
    app.ctx.clock.advance(5 * MINUTE)
    await deliver()
    const { last_error } = await mailTo(email)
    assert.match(last_error ?? '', /…/)
    assert.doesNotMatch(`${last_error} ${logged.join()}`, /own\.fault\d+@/i)
  }
  assert.equal(logged.length, 4)
})
