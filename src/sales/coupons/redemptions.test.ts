import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { transaction } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { takeRedemption } from './redemptions.ts'

let app: TestApp
let scope: Scope
const users: number[] = []
before(async () => {
  app = await startTestApp('redemptions')
  const { developer, product } = app.seller
  scope = systemScope({ developerId: developer.id, productId: product.id })
  for (let n = 0; n < 10; n++) {
    const body = { email: `u${n}@example.com`, name: 'Some Body', send_verification_email: false }
    users.push(Number((await app.call('POST', `/products/${product.id}/users.json`, { body })).json.id))
  }
})
after(() => app.close())

async function create(more: object): Promise<number> {
  const body = { code: 'RACE', discount: 10, discount_type: 'percentage', ...more }
  const { json, text, status } = await app.call('POST', `/products/${scope.productId}/coupons.json`, { body })
  assert.equal(status, 201, text)
  return Number(json.id)
}

const take = (couponId: number, userId = users[0] ?? 0) =>
  transaction(app.ctx, (tx) => takeRedemption(tx, scope, { couponId, environment: 0 }, userId))
const countOf = async (couponId: number) => {
  const { json } = await app.call('GET', `/products/${scope.productId}/coupons/${couponId}.json`)
  return json.redemptions as number
}
const rowsOf = (couponId: number) =>
  app.ctx.db.selectFrom('coupon_redemptions').selectAll().where('coupon_id', '=', couponId).execute()

test('ten redemptions of a coupon with three left: exactly three are taken', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await create({ redemptions_limit: 3 })
    const results = await Promise.all(users.map((userId) => take(id, userId)))
    assert.equal(results.filter(({ taken }) => taken).length, 3)
    for (const result of results) if (!result.taken) assert.equal(result.reason, 'coupon_used_up')
    assert.equal(await countOf(id), 3)
    assert.equal((await rowsOf(id)).length, 3)
  }
})

test('fifty takes of a coupon that is one per user by one user: exactly one is taken', async () => {
  const id = await create({ is_one_per_user: true })
  const results = await Promise.all(Array.from({ length: 50 }, () => take(id)))
  assert.equal(results.filter(({ taken }) => taken).length, 1)
  for (const result of results) if (!result.taken) assert.equal(result.reason, 'coupon_already_used')
  assert.equal(await countOf(id), 1)
  assert.equal((await rowsOf(id)).length, 1)
})

const onePerUser = (id: number) =>
  app.call('PUT', `/products/${scope.productId}/coupons/${id}.json`, { body: { is_one_per_user: true } })

test('who redeemed a coupon before it was one per user redeems it no more, however often at once', async () => {
  const id = await create({})
  await take(id)
  await take(id)
  assert.equal((await onePerUser(id)).status, 200)
  const results = await Promise.all(Array.from({ length: 20 }, () => take(id)))
  for (const result of results) assert.deepEqual(result, { taken: false, reason: 'coupon_already_used' })
  assert.equal((await take(id, users[1])).taken, true)
  assert.deepEqual([await countOf(id), (await rowsOf(id)).length], [3, 3])
})

test('a coupon that becomes one per user while one user redeems it is redeemed no more from then on', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await create({})
    const takes = () => Array.from({ length: 10 }, () => take(id))
    await Promise.all([...takes(), onePerUser(id), ...takes()])
    const rows = await rowsOf(id)
    const late = rows.filter(({ is_one_per_user: isOne }) => isOne === 1)
    assert.ok(late.length === 0 || rows.length === 1, JSON.stringify(rows))
    assert.equal(await countOf(id), rows.length)
  }
})

test('both limits at once are exact: the count is the number of rows, of different users', async () => {
  const id = await create({ is_one_per_user: true, redemptions_limit: 4 })
  const tries = Array.from({ length: 60 }, (_, n) => take(id, users[n % users.length]))
  const taken = (await Promise.all(tries)).filter((result) => result.taken)
  const rows = await rowsOf(id)
  assert.equal(taken.length, 4)
  assert.equal(await countOf(id), 4)
  assert.equal(new Set(rows.map(({ user_id: userId }) => userId)).size, 4)
})

test('a coupon without limits is redeemed by one user as often as it is used', async () => {
  const id = await create({})
  const results = await Promise.all(Array.from({ length: 8 }, () => take(id)))
  assert.ok(results.every(({ taken }) => taken))
  assert.equal(await countOf(id), 8)
})

test('a refusal leaves nothing, so that the next coupon of the code can be taken in the same transaction', async () => {
  const [first, second] = [await create({ is_one_per_user: true }), await create({})]
  assert.equal((await take(first)).taken, true)
  const [refused, taken] = await transaction(app.ctx, async (tx) => [
    await takeRedemption(tx, scope, { couponId: first, environment: 0 }, users[0] ?? 0),
    await takeRedemption(tx, scope, { couponId: second, environment: 0 }, users[0] ?? 0),
  ])
  assert.deepEqual(refused, { taken: false, reason: 'coupon_already_used' })
  assert.equal(taken?.taken, true)
  assert.deepEqual([await countOf(first), await countOf(second)], [1, 1])
})

test('a transaction that fails afterwards has taken nothing', async () => {
  const id = await create({ is_one_per_user: true })
  const failing = transaction(app.ctx, async (tx) => {
    await takeRedemption(tx, scope, { couponId: id, environment: 0 }, users[0] ?? 0)
    throw new Error('declined')
  })
  await assert.rejects(failing, /declined/)
  assert.equal(await countOf(id), 0)
  assert.equal((await take(id)).taken, true)
})

test("a deleted coupon and another product's cannot be taken", async () => {
  const id = await create({})
  const other = systemScope({ developerId: scope.developerId, productId: app.seller.other.id })
  assert.equal(
    (await app.write((tx) => takeRedemption(tx, other, { couponId: id, environment: 0 }, users[0] ?? 0)))
      .taken,
    false,
  )
  await app.call('DELETE', `/products/${scope.productId}/coupons/${id}.json`)
  assert.deepEqual(await take(id), { taken: false, reason: 'coupon_used_up' })
  assert.deepEqual(await rowsOf(id), [])
})
