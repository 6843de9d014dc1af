// Runs beside others.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper, type CallAs } from '../../test/callers.ts'
import { anotherProcess, dyingProcess } from '../../test/dying.ts'
import { startSmtp, type TestSmtp } from '../../test/smtp.ts'
import { deliverMails, officeOf } from '../jobs/deliver-mails.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { deliverDueMails, MailRefused, type Transport } from './deliver.ts'

const goOn = new AbortController().signal

/** What the mail server says to the next recipients; undefined: it takes them. */
let answer: string | undefined
let server: TestSmtp
let app: TestApp
let developer: CallAs
before(async () => {
  server = await startSmtp({ rcpt: () => answer })
  const from = { name: 'The Company', address: 'mail@company.example.com' }
  app = await startTestApp('smtp_delivery', { config: { mail: { smtp: server.settings, from } } })
  developer = await asDeveloper(app)
})
after(async () => {
  await app.close()
  await server.close()
})
beforeEach(() => {
  answer = undefined
  server.received.length = 0
})

let people = 0

/** A user of the product, to whom the mail waits that confirms its address. */
async function user() {
  const email = `smtp${++people}@example.com`
  const reply = await app.call('POST', `/products/${app.seller.product.id}/users.json`, {
    body: { email, name: 'Some Body' },
  })
  assert.equal(reply.status, 200, reply.text)
  const id = Number(reply.json.id)
  return { email, id }
}

const deliver = () => runDue(app.ctx, [deliverMails])

const mailTo = (email: string) =>
  app.ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const statusOf = async (id: number) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)).json.email_status

/** What was told of the user's mail, with the products it was told in. */
const told = async (userId: number) =>
  app.ctx.db
    .selectFrom('events')
    .select(['type', 'product_id', 'event_trigger'])
    .where('user_id', '=', userId)
    .where('type', 'like', 'user.email_status.%')
    .orderBy('id')
    .execute()
const typesTold = async (userId: number) => (await told(userId)).map(({ type }) => type)

/** Has the mail of an address wait once more. */
const again = (email: string) =>
  app.write(async ({ db, keys }) => {
    const row = await db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const { id: _id, ...rest } = row
    const content = keys.seal(
      JSON.stringify({ subject: 'x', text: 'x', html: 'x', sender: null }),
      'mails.content',
    )
    const due = app.ctx.clock.real()
    await db
      .insertInto('mails')
      .values({
        ...rest,
        content,
        state: 'pending',
        attempts: 0,
        due_at: due,
        lease_until: 0,
        fence: 0,
        sent_at: null,
        keep_until: null,
      })
      .execute()
  })

test('a mail arrives by SMTP once, from this server, and its user has an address that works; no event tells the first', async () => {
  const { email, id } = await user()
  assert.equal(await statusOf(id), null)
  await deliver()
  await deliver()
  const [mail, ...more] = server.received
  assert.deepEqual(more, [])
  assert.deepEqual([mail?.from, mail?.to], ['mail@company.example.com', email])
  assert.equal(mail?.headers.get('From'), 'The Company <mail@company.example.com>')
  assert.match(mail?.headers.get('Message-ID') ?? '', /^<mail-\d+\.\d+@keywright\.test>$/)
  assert.deepEqual([(await mailTo(email)).state, await statusOf(id)], ['sent', 'delivered'])
  assert.deepEqual(await typesTold(id), [])
})

test('a mailbox that is not there ends the mail at once; its user is told of as bounced, and as delivered when it works again', async () => {
  const { email, id } = await user()
  answer = '550 5.1.1 No such mailbox'
  await deliver()
  const { state, attempts, keep_until, due_at, last_error } = await mailTo(email)
  assert.deepEqual([state, attempts, due_at], ['failed', 1, null])
  assert.equal(keep_until, app.ctx.clock.real() + 30 * DAY)
  assert.match(last_error ?? '', /^550 5\.1\.1 No such mailbox/)
  assert.equal(await statusOf(id), 'bounce')
  answer = undefined
  await again(email)
  await deliver()
  assert.equal(await statusOf(id), 'delivered')
  assert.deepEqual(await told(id), [
    { type: 'user.email_status.bounced', product_id: app.seller.product.id, event_trigger: 'system' },
    { type: 'user.email_status.delivered', product_id: app.seller.product.id, event_trigger: 'system' },
  ])
  answer = '554 5.7.1 We do not take it'
  await again(email)
  await deliver()
  await again(email)
  await deliver()
  assert.equal(await statusOf(id), 'dropped')
  assert.deepEqual((await typesTold(id)).slice(2), ['user.email_status.dropped'])
})

test('a server that is busy says nothing of the mailbox: the mail comes again, and once it was refused six times it is dropped', async () => {
  const [soon, never] = [await user(), await user()]
  answer = '451 4.3.0 Come back later'
  await deliver()
  for (const { email, id } of [soon, never]) {
    const { state, attempts, due_at } = await mailTo(email)
    assert.deepEqual([state, attempts, due_at], ['pending', 1, app.ctx.clock.real() + MINUTE])
    assert.equal(await statusOf(id), null)
  }
  await app.write(({ db }) =>
    db.updateTable('mails').set({ attempts: 5 }).where('recipient', '=', never.email).execute(),
  )
  app.ctx.clock.advance(MINUTE)
  answer = undefined
  await app.write(({ db }) =>
    db
      .updateTable('mails')
      .set({ due_at: app.ctx.clock.real() + HOUR })
      .where('recipient', '=', never.email)
      .execute(),
  )
  await deliver()
  assert.deepEqual(
    [server.received.map(({ to }) => to), await statusOf(soon.id)],
    [[soon.email], 'delivered'],
  )
  answer = '451 4.3.0 Come back later'
  app.ctx.clock.advance(HOUR)
  await deliver()
  assert.deepEqual([(await mailTo(never.email)).state, await statusOf(never.id)], ['failed', 'dropped'])
  assert.deepEqual(await typesTold(never.id), ['user.email_status.dropped'])
})

test('a process that dies between the mail and its mark sends it again with the same Message-ID, and loses none', async () => {
  let repeated = 0
  for (let n = 1, isDead = true; isDead; n++) {
    const { email, id } = await user()
    const died = dyingProcess(app, n)
    await runDue(died.ctx, [deliverMails]).catch(() => {})
    isDead = died.isDead()
    await died.close()
    const isSent = (await mailTo(email)).state === 'sent'
    assert.equal(await statusOf(id), isSent ? 'delivered' : null, `died before statement ${n}`)
    app.ctx.clock.advance(2 * MINUTE)
    await deliver()
    assert.deepEqual([(await mailTo(email)).state, await statusOf(id)], ['sent', 'delivered'])
    const ids = server.received
      .filter(({ to }) => to === email)
      .map(({ headers }) => headers.get('Message-ID'))
    assert.ok(ids.length >= 1, `died before statement ${n}: the mail is lost`)
    assert.equal(new Set(ids).size, 1)
    if (ids.length > 1) repeated++
  }
  assert.ok(repeated > 0, 'some died between the mail and its mark')
})

test('who has lost its claim on a mail to another one says nothing of the user', async () => {
  const { id } = await user()
  const other = anotherProcess(app)
  const refuses: Transport = {
    reachesPeople: true,
    close() {},
    deliver: () => Promise.reject(new MailRefused('bounce', '550 5.1.1 No such mailbox')),
  }
  const slow: Transport = {
    ...refuses,
    async deliver() {
      app.ctx.clock.advance(2 * MINUTE)
      await deliverDueMails(officeOf(other.ctx), () => refuses, goOn)
    },
  }
  await deliverDueMails(officeOf(app.ctx), () => slow, goOn)
  await other.close()
  assert.equal(await statusOf(id), 'bounce')
  assert.deepEqual(await typesTold(id), ['user.email_status.bounced'])
})

test('of four processes each mail is sent once', async () => {
  const users = await Promise.all([1, 2, 3, 4, 5, 6].map(() => user()))
  const others = [1, 2, 3, 4].map(() => anotherProcess(app))
  await Promise.all(others.map(({ ctx }) => runDue(ctx, [deliverMails])))
  await Promise.all(others.map((other) => other.close()))
  assert.deepEqual(server.received.map(({ to }) => to).toSorted(), users.map(({ email }) => email).toSorted())
})

test('a mail to an address that its user has no more says nothing of the user', async () => {
  const { email, id } = await user()
  await app.write(({ db }) =>
    db
      .updateTable('users')
      .set({ email: `other-${email}`, email_folded: `other-${email}` })
      .where('id', '=', id)
      .execute(),
  )
  answer = '550 5.1.1 No such mailbox'
  await deliver()
  assert.equal(await statusOf(id), null)
  assert.deepEqual(await typesTold(id), [])
})

test('what comes back is reported for an address, in each product of its user, once', async () => {
  const { email, id } = await user()
  await app.call('POST', `/products/${app.seller.other.id}/users.json`, {
    body: { email, name: 'Some Body', send_verification_email: false },
    token: app.seller.other.token,
  })
  const report = (body: object) => developer('POST', '/bounces.json', body)
  for (const body of [{ email: email.toUpperCase() }, { email, status: 'bounce' }]) {
    const { status, json, text } = await report(body)
    assert.equal(status, 200, text)
    assert.deepEqual(json, { id: String(id), email, email_status: 'bounce' })
  }
  assert.equal(await statusOf(id), 'bounce')
  assert.deepEqual(
    (await told(id)).map(({ product_id: product, type, event_trigger: by }) => [product, type, by]),
    [app.seller.product.id, app.seller.other.id].map((product) => [
      product,
      'user.email_status.bounced',
      'developer',
    ]),
  )
  await report({ email, status: 'dropped' })
  assert.equal(await statusOf(id), 'dropped')
  assert.equal((await report({ email: 'nobody-here@example.com' })).status, 404)
  assert.equal((await report({ email, status: 'opened' })).status, 400)
})
