import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { userOf } from '../../../test/licenses.ts'
import { toUtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'

const KEY = 'sk_Secret0Secret0Secret0Secre'
const DOWNLOAD = 'https://keys.example.com/download/secret-download?a=1&b=2'
const PORTAL = 'https://keys.example.com/portal/login?token=secret-portal'

let app: TestApp
before(async () => {
  app = await startTestApp('product_mails')
})
after(() => app.close())
beforeEach(() => app.write(({ db }) => db.deleteFrom('mails').execute()))

const call = (method: Method, path: string, { id, token } = app.seller.product) =>
  app.call(method, `/products/${id}${path}`, { token })

/** Puts the mail of a license into the outbox; its id. */
async function mailed(
  userId: number | null = null,
  { id: productId } = app.seller.product,
  environment: 0 | 1 = 0,
): Promise<number> {
  await app.write((tx) =>
    queueMail(tx, {
      developerId: app.seller.developer.id,
      productId,
      userId,
      environment,
      recipient: 'ada@example.com',
      template: 'license',
      name: 'Ada',
      values: {
        keys: [{ key: KEY, plan: 'Pro', ends: null, isCancelled: false }],
        downloads: [{ link: DOWNLOAD, product: '' }],
        portal: PORTAL,
      },
    }),
  )
  const row = await app.ctx.db
    .selectFrom('mails')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return row.id
}

const change = (id: number, to: object) =>
  app.write(({ db }) => db.updateTable('mails').set(to).where('id', '=', id).execute())

const sent = { state: 'sent', content: null, due_at: null, sent_at: 1_000_000 }

const idsAt = async (query: string) => {
  const { json, text } = await call('GET', `/mails.json${query}`)
  assert.ok(Array.isArray(json.mails), text)
  return json.mails.map((mail: { id: string }) => Number(mail.id))
}

test('mails of a product are listed newest first, in pages, by user and by state', async () => {
  const user = Number(await userOf(app, 'listed@example.com'))
  await app.write(({ db }) => db.deleteFrom('mails').execute())
  const first = await mailed(user)
  const second = await mailed()
  const third = await mailed(user)
  await mailed(null, app.seller.other)
  await change(first, sent)
  await change(second, { state: 'failed', due_at: null, keep_until: 1 })
  assert.deepEqual(await idsAt(''), [third, second, first])
  assert.deepEqual(await idsAt('?count=1&offset=1'), [second])
  assert.deepEqual(await idsAt(`?user_id=${user}`), [third, first])
  assert.deepEqual(await idsAt('?state=failed'), [second])
  assert.deepEqual(await idsAt(`?state=sent&user_id=${user}`), [first])
  const { json } = await call('GET', '/mails.json?state=sent')
  const { created, ...mail } = json.mails[0]
  assert.match(created, /^\d{4}-/)
  assert.deepEqual(mail, {
    id: String(first),
    kind: 'license',
    email: 'ada@example.com',
    user_id: String(user),
    environment: 0,
    state: 'sent',
    attempts: 0,
    sent: toUtcTime(1_000_000),
    next_attempt: null,
    error: null,
    is_kept: false,
  })
})

test('mails of the sandbox and live ones are listed each by themselves, by user and state too', async () => {
  const user = Number(await userOf(app, 'both@example.com'))
  await app.write(({ db }) => db.deleteFrom('mails').execute())
  const live = await mailed(user)
  const tried = await mailed(user, app.seller.product, 1)
  assert.deepEqual(await idsAt(''), [tried, live])
  for (const narrowed of ['', `&user_id=${user}`, '&state=pending']) {
    assert.deepEqual(await idsAt(`?environment=0${narrowed}`), [live])
    assert.deepEqual(await idsAt(`?environment=1${narrowed}`), [tried])
  }
})

test('whose address was only typed is not told by it: a mail to nobody who is a user has it masked', async () => {
  const id = await mailed()
  const { json, text } = await call('GET', `/mails/${id}.json`)
  assert.equal(json.email, 'a…@e….com')
  assert.ok(!text.includes('ada@example.com'))
})

test('each list of mails is read by an index that has its order', async () => {
  if (app.ctx.database.engine !== 'sqlite') return
  for (const narrowed of [
    '',
    'and environment = 0',
    "and state = 'failed' and environment + 0 = 0",
    'and user_id = 7',
  ]) {
    const { rows } = await app.write(({ db }) =>
      sql<{ detail: string }>`explain query plan select * from mails where product_id = 1
        ${sql.raw(narrowed)} order by id desc limit 25`.execute(db),
    )
    const plan = rows.map(({ detail }) => detail).join('; ')
    assert.match(plan, /^SEARCH mails USING INDEX mails_/, plan)
    assert.ok(!plan.includes('TEMP B-TREE'), plan)
  }
})

test('a mail that waits says what it says, without the links and keys that would let its sender act as who gets it', async () => {
  const id = await mailed()
  const { json, text } = await call('GET', `/mails/${id}.json`)
  const { subject, text: plain, html } = json.content
  assert.match(subject, /^Your license/)
  assert.match(plain, /Hello Ada,/)
  assert.match(plain, /…ecre/)
  assert.match(plain, /https:\/\/keys\.example\.com\/…/)
  for (const secret of [KEY, 'secret-download', 'secret-portal', 'token='])
    assert.ok(!text.includes(secret), `${secret} in ${text}`)
  assert.deepEqual([...new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to))], ['#'])
})

test('what an earlier version wrote, of which nobody knows where its secrets are, is not shown', async () => {
  const id = await mailed()
  const content = app.ctx.keys.seal(
    JSON.stringify({ subject: 'Old', text: PORTAL, html: PORTAL, sender: null }),
    'mails.content',
  )
  await change(id, { content })
  assert.equal((await call('GET', `/mails/${id}.json`)).json.content, null)
})

test('a mail that was given up is sent again at once, and one that was sent is not', async () => {
  const id = await mailed()
  await change(id, {
    state: 'failed',
    due_at: null,
    keep_until: 99,
    attempts: 6,
    last_error: 'no such mailbox',
  })
  const { status, json } = await call('POST', `/mails/${id}/retry.json`)
  assert.equal(status, 200)
  assert.deepEqual(
    [json.state, json.attempts, json.next_attempt, json.is_kept],
    ['pending', 0, toUtcTime(app.ctx.clock.real()), true],
  )
  await change(id, sent)
  const refused = await call('POST', `/mails/${id}/retry.json`)
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'mail_not_kept'])
})

test("another product's mail is neither shown nor sent again", async () => {
  const id = await mailed(null, app.seller.other)
  assert.equal((await call('GET', `/mails/${id}.json`)).status, 404)
  await change(id, { state: 'failed', due_at: null })
  assert.equal((await call('POST', `/mails/${id}/retry.json`)).status, 404)
  const row = await app.ctx.db
    .selectFrom('mails')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.state, 'failed')
})
