import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { userOf } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'

let app: TestApp
let userId: string
before(async () => {
  app = await startTestApp('portal_login')
  userId = String(await userOf(app, 'ada@example.com'))
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

/** What the product hands out for its user. */
async function link(): Promise<{ link: string; token: string }> {
  const body = { id: userId }
  const { json, text, status } = await app.call(
    'POST',
    `/products/${app.seller.product.id}/portal/login.json`,
    {
      body,
    },
  )
  assert.equal(status, 201, text)
  return { ...json, link: json.link.replace('http://keywright.test', app.address) }
}
const follow = (address: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(address, { method, headers, redirect: 'manual' })
const tokens = async () => (await app.ctx.db.selectFrom('access_tokens').select('id').execute()).length

test('a portal link shows whom it lets in, and is exchanged by its button for the own access token of the user', async () => {
  const { link: address } = await link()
  const before = await tokens()
  const page = await follow(address)
  const html = await page.text()
  assert.deepEqual(
    [page.status, html.includes('ada@example.com'), html.includes('method="post"')],
    [200, true, true],
  )
  assert.equal(await tokens(), before, 'a scanner that follows it changes nothing')
  const reply = await follow(address, 'POST')
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const { user_token: given } = (await reply.json()) as {
    user_token: { person: { id: string; email: string }; token: { access: string; expires: number } }
  }
  assert.deepEqual([given.person.id, given.person.email], [userId, 'ada@example.com'])
  const headers = { authorization: `FSA ${userId}:${given.token.access}` }
  const own = await app.call('GET', `/users/${userId}.json`, { token: null, headers })
  assert.equal(own.json.email, 'ada@example.com')
  const others = await app.call('GET', '/users/987654321.json', { token: null, headers })
  assert.equal(others.status, 401)
  assert.equal((await auditOf(app, 'user_login.success')).length, 1)
})

test('a portal link works for five minutes, for its own purpose, and leads nowhere else', async () => {
  const { link: address, token } = await link()
  const body = { email: 'ada@example.com' }
  const issued = await app.call(
    'POST',
    `/products/${app.seller.product.id}/users/${userId}/tokens/checkout.json`,
    { body },
  )
  assert.ok(issued.status < 300, issued.text)
  const before = await tokens()
  for (const wrong of [`${token}x`, '', issued.json.token as string]) {
    for (const method of ['GET', 'POST']) {
      assert.equal((await follow(`${app.address}/portal/login?token=${wrong}`, method)).status, 404)
    }
  }
  assert.equal((await follow(`${app.address}/portal/login`, 'POST')).status, 404)
  assert.equal((await follow(`${address}&token=${token}`, 'POST')).status, 404, 'said twice')
  assert.equal(await tokens(), before)
  const elsewhere = await follow(`${address}&redirect_url=https%3A%2F%2Fevil.example%2F`, 'POST')
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('location')], [200, null])
  app.ctx.clock.advance(5 * MINUTE - SECOND)
  assert.equal((await follow(address)).status, 200)
  app.ctx.clock.advance(SECOND)
  for (const method of ['GET', 'POST']) assert.equal((await follow(address, method)).status, 404)
})

test('a portal link lets nobody in once its user has another address', async () => {
  const { link: address } = await link()
  const rename = (email: string) =>
    app.ctx.database.transaction((db) =>
      db.updateTable('users').set({ email, email_folded: email }).where('id', '=', Number(userId)).execute(),
    )
  await rename('ada@example.net')
  for (const method of ['GET', 'POST']) assert.equal((await follow(address, method)).status, 404)
  await rename('ada@example.com')
  assert.equal((await follow(address)).status, 200)
})

test('a portal link of a user that the product has no more lets nobody in', async () => {
  const { link: address } = await link()
  await app.ctx.database.transaction((db) =>
    db.deleteFrom('product_users').where('user_id', '=', Number(userId)).execute(),
  )
  for (const method of ['GET', 'POST']) assert.equal((await follow(address, method)).status, 404)
})
