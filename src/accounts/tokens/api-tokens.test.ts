import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, type Login, setPassword } from '../../../test/logins.ts'

let app: TestApp
let owner: Login
let tokens: string
before(async () => {
  app = await startTestApp('api_tokens')
  await setPassword(app)
  owner = await logIn(app)
  tokens = `/products/${app.seller.product.id}/tokens`
})
after(() => app.close())

const create = (body: object) => owner.call('POST', `${tokens}.json`, { body })
const statusWith = async (token: string) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users.json`, { token })).status

test('a token is created, shown once, and opens its product', async () => {
  const { status, json } = await create({ name: 'CI' })
  assert.equal(status, 201)
  assert.match(json.token, /^kw_[\w-]{40}$/)
  assert.equal(await statusWith(json.token), 200)
  const { text, json: list } = await owner.call('GET', `${tokens}.json`)
  assert.ok(!text.includes(json.token))
  const { token, ...shown } = json
  assert.deepEqual(list.tokens[0], shown)
  assert.equal(shown.hint, token.slice(-4))
  const kept = JSON.stringify(await app.ctx.db.selectFrom('api_tokens').selectAll().execute())
  assert.ok(!kept.includes(token))
})

test('a token may end by itself', async () => {
  const { json } = await create({ name: 'short', expires_in_days: 30 })
  assert.equal(json.expires_at, '2026-03-02 10:00:00')
  app.ctx.clock.advance(30 * DAY - 1000)
  assert.equal(await statusWith(json.token), 200)
  app.ctx.clock.advance(1000)
  assert.equal(await statusWith(json.token), 401)
  owner = await logIn(app)
  assert.equal((await create({ name: '', expires_in_days: 0 })).json.error.details.length, 2)
})

test('a revoked token opens nothing at once; of ten revocations at once one is made', async () => {
  const { id, token } = (await create({ name: 'leaked' })).json
  const revoke = () => owner.call('DELETE', `${tokens}/${id}.json`)
  const replies = await Promise.all(Array.from({ length: 10 }, revoke))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, ...Array<number>(9).fill(404)])
  assert.equal(await statusWith(token), 401)
  const { json } = await owner.call('GET', `${tokens}.json`)
  assert.ok(json.tokens.find((one: { id: string }) => one.id === id).revoked_at)
})

test('a token of the other product is not found in this one', async () => {
  const other = `/products/${app.seller.other.id}/tokens`
  const { id, token } = (await owner.call('POST', `${other}.json`, { body: { name: 'other' } })).json
  assert.equal((await owner.call('DELETE', `${tokens}/${id}.json`)).status, 404)
  assert.equal((await app.call('GET', `/products/${app.seller.other.id}/users.json`, { token })).status, 200)
  const { json } = await owner.call('GET', `${tokens}.json?count=50`)
  assert.ok(!json.tokens.some((one: { id: string }) => one.id === id))
})

test('a product token makes no other token', async () => {
  const reply = await app.call('POST', `${tokens}.json`, { body: { name: 'more' } })
  assert.equal(reply.status, 401)
})
