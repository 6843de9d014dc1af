import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CONTENT_PLACE } from '../../mail/outbox.ts'
import { DAY } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('confirm')
})
after(() => app.close())

let count = 0

/** A user that was mailed a link; the link's path on this server. */
async function mailed(
  more: { readonly email?: string; readonly after_email_confirm_url?: string } = {},
  { id, token } = app.seller.product,
) {
  const { email = `confirm${++count}@example.com` } = more
  const body = { name: 'Connie <b>Firm</b>', ...more, email }
  const { status, json, text } = await app.call('POST', `/products/${id}/users.json`, { body, token })
  assert.equal(status, 200, text)
  const mail = await app.ctx.db
    .selectFrom('mails')
    .select('content')
    .where('recipient', '=', email)
    .where('product_id', '=', id)
    .executeTakeFirst()
  const content = JSON.parse(app.ctx.keys.open(mail?.content ?? '', CONTENT_PLACE)) as {
    text: string
    html: string
  }
  assert.ok(content.html.includes('Connie') && !content.html.includes('<b>Firm'), 'a name is no markup')
  const path = /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(content.text)?.[1] ?? ''
  return { id: String(json.id), email, path }
}

const open = (path: string, method = 'GET') => fetch(app.address + path, { method, redirect: 'manual' })
const user = async (id: string) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)).json

test('opening the link uses nothing up; the button confirms', async () => {
  const { id, path } = await mailed()
  for (let times = 0; times < 3; times++) assert.equal((await open(path)).status, 200)
  assert.equal((await user(id)).is_verified, false)
  const done = await open(path, 'POST')
  assert.equal(done.status, 200)
  assert.equal((await user(id)).is_verified, true)
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${id}/events.json`)
  assert.deepEqual(
    json.events.map((event: { type: string; event_trigger: string }) => [event.type, event.event_trigger])[0],
    ['user.email.verified', 'user'],
  )
})

test('a link works once, also when it is used ten times at once', async () => {
  const { path } = await mailed()
  const tenAtOnce = (method: 'GET' | 'POST') =>
    Promise.all(Array.from({ length: 10 }, () => open(path, method)))
  // Connections to the database are open by then, so that transactions overlap.
  await tenAtOnce('GET')
  const replies = await tenAtOnce('POST')
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array<number>(9).fill(404)])
})

test('two links of one person, of two products, prove its address once, also when both are used at once', async () => {
  const people = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const first = await mailed()
      return { first, second: await mailed({ email: first.email }, app.seller.other) }
    }),
  )
  const replies = await Promise.all(
    people.flatMap(({ first, second }) => [open(first.path, 'POST'), open(second.path, 'POST')]),
  )
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  for (const { first, second } of people) {
    assert.equal(first.id, second.id)
    const events = await app.ctx.db
      .selectFrom('events')
      .select('type')
      .where('user_id', '=', Number(first.id))
      .where('type', '=', 'user.email.verified')
      .execute()
    assert.equal(events.length, 1)
  }
})

test('a link works for 24 hours', async () => {
  const { path } = await mailed()
  app.ctx.clock.advance(DAY - 1000)
  assert.equal((await open(path)).status, 200)
  app.ctx.clock.advance(1000)
  assert.equal((await open(path, 'POST')).status, 404)
})

test('after confirming, the person is led to a host on the list of the product, and nowhere else', async () => {
  const { path } = await mailed({ after_email_confirm_url: 'https://shop.example.com/welcome?a=1' })
  const page = await open(path)
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /form-action 'self' https:\/\/shop\.example\.com;/,
  )
  const done = await open(path, 'POST')
  assert.deepEqual([done.status, done.headers.get('location')], [303, 'https://shop.example.com/welcome?a=1'])
  for (const url of [
    'https://evil.example.com/',
    'https://shop.example.com.evil.com/',
    'javascript:alert(1)',
    '//shop.example.com/',
  ]) {
    const body = { email: 'redirect@example.com', name: 'Re Direct', after_email_confirm_url: url }
    const { status, json } = await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
    assert.equal(status, 400, url)
    assert.equal(json.error.details[0].field, 'after_email_confirm_url')
  }
  const { json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/users.json?email=redirect@example.com`,
  )
  assert.deepEqual(json.users, [], 'nothing is stored')
})

test('a token that is none is told no more than an old one', async () => {
  const unknown = await open('/confirm-email/unknown')
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /no longer works/)
})
