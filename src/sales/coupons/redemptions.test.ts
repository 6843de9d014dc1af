import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { payCheckout } from '../../../test/reports.ts'
import { scopeOf } from '../../../test/sales.ts'
import { systemScope } from '../../access/scope.ts'
import { countRedemption } from './redemption-rows.ts'
import { writeRedemption } from './redemptions.ts'

const MOST = 24

let app: TestApp
const prices: number[] = []
before(async () => {
  app = await startTestApp('redemptions')
  for (let n = 0; n < MOST; n++) prices.push((await offerFor(app, 1)).pricingId)
})
after(() => app.close())

const coupons = () => `/products/${app.seller.product.id}/coupons`

let codes = 0
async function create(more: object): Promise<{ readonly id: number; readonly code: string }> {
  const body = { code: `RACE${++codes}`, discount: 10, discount_type: 'percentage', ...more }
  const { json, text, status } = await app.call('POST', `${coupons()}.json`, { body })
  assert.equal(status, 201, text)
  return { id: Number(json.id), code: body.code }
}

let people = 0
const somebody = () => `u${++people}@example.com`

/** Checkouts with a coupon, of one price each: `buyers[n]` has the n-th. */
const openAll = (code: string, buyers: readonly string[]): Promise<string[]> =>
  app.write(async (tx) => {
    const tokens: string[] = []
    for (const [n, email] of buyers.entries()) {
      const wanted = { pricingId: prices[n] ?? 0, email, coupon: code }
      tokens.push(await openSandboxCheckout(tx, scopeOf(app), wanted))
    }
    return tokens
  })

/** What becomes of a checkout: `paid`, or the code of the refusal. */
async function pays(token: string): Promise<string> {
  const { json } = await payCheckout(app, token, 'test_succeeds')
  return json.error?.code ?? json.state
}

const payAll = (tokens: readonly string[]) => Promise.all(tokens.map(pays))
const paidOf = (answers: readonly string[]) => answers.filter((answer) => answer === 'paid').length
const times = (count: number, email: string) => Array.from({ length: count }, () => email)
const countOf = async (id: number) => (await redemptionsOf(app, id)).sandbox
const rowsOf = (id: number) =>
  app.ctx.db.selectFrom('coupon_redemptions').selectAll().where('coupon_id', '=', id).execute()
const onePerUser = (id: number) =>
  app.call('PUT', `${coupons()}/${id}.json`, { body: { is_one_per_user: true } })

test('ten checkouts race for three redemptions: exactly three are paid', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, code } = await create({ redemptions_limit: 3 })
    const answers = await payAll(await openAll(code, Array.from({ length: 10 }, somebody)))
    assert.deepEqual(answers.toSorted(), [
      ...Array.from({ length: 7 }, () => 'coupon_used_up'),
      ...Array.from({ length: 3 }, () => 'paid'),
    ])
    assert.deepEqual([await countOf(id), (await rowsOf(id)).length], [3, 3])
  }
})

test('who redeemed a coupon before it was one per user redeems it no more, however often at once', async () => {
  const { id, code } = await create({})
  const email = somebody()
  const [first = '', second = '', ...rest] = await openAll(code, times(MOST, email))
  assert.deepEqual([await pays(first), await pays(second)], ['paid', 'paid'])
  assert.equal((await onePerUser(id)).status, 200)
  for (const answer of await payAll(rest)) assert.equal(answer, 'coupon_not_applicable')
  assert.deepEqual(await payAll(await openAll(code, [somebody()])), ['paid'])
  assert.deepEqual([await countOf(id), (await rowsOf(id)).length], [3, 3])
})

test('a coupon that becomes one per user while one user redeems it is redeemed no more from then on', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, code } = await create({})
    const tokens = await openAll(code, times(MOST, somebody()))
    const paying = tokens.slice(0, MOST / 2).map(pays)
    const changing = onePerUser(id)
    await Promise.all([...paying, changing, ...tokens.slice(MOST / 2).map(pays)])
    const rows = await rowsOf(id)
    const late = rows.filter(({ is_one_per_user: isOne }) => isOne)
    assert.ok(late.length === 0 || rows.length === 1, JSON.stringify(rows))
    assert.equal(await countOf(id), rows.length)
  }
})

test('both limits at once are exact: the count is the number of rows, of different users', async () => {
  const { id, code } = await create({ is_one_per_user: true, redemptions_limit: 4 })
  const buyers = Array.from({ length: 8 }, somebody)
  const tokens = await openAll(
    code,
    Array.from({ length: MOST }, (_, n) => buyers[n % buyers.length] ?? ''),
  )
  assert.ok(paidOf(await payAll(tokens)) <= 4)
  // A place is free again where one of two purchases of a buyer had it and was refused.
  await payAll(tokens)
  const rows = await rowsOf(id)
  assert.deepEqual([rows.length, await countOf(id)], [4, 4])
  assert.equal(new Set(rows.map(({ user_id: userId }) => userId)).size, 4)
})

test('a coupon without limits is redeemed by one user as often as it is used', async () => {
  const { id, code } = await create({})
  assert.equal(paidOf(await payAll(await openAll(code, times(8, somebody())))), 8)
  assert.deepEqual([await countOf(id), (await rowsOf(id)).length], [8, 8])
})

test('a redemption that its user has already is taken off the count', async () => {
  const { id } = await create({ is_one_per_user: true })
  const userId = Number(await userOf(app, somebody()))
  const counted = { couponId: id, environment: 1 } as const
  const redeem = () =>
    app.write(async (tx) => {
      await countRedemption(tx.db, scopeOf(app), counted)
      return writeRedemption(tx, scopeOf(app), { ...counted, userId })
    })
  assert.deepEqual([await redeem(), await redeem()], [true, false])
  assert.deepEqual([await countOf(id), (await rowsOf(id)).length], [1, 1])
})

test("a deleted coupon and another product's are not counted", async () => {
  const { id } = await create({})
  const { developer, other } = app.seller
  const elsewhere = systemScope({ developerId: developer.id, productId: other.id })
  const counts = (scope: typeof elsewhere) =>
    app.write((tx) => countRedemption(tx.db, scope, { couponId: id, environment: 1 }))
  assert.equal(await counts(elsewhere), undefined)
  await app.call('DELETE', `${coupons()}/${id}.json`)
  assert.equal(await counts(scopeOf(app)), undefined)
  assert.equal(await countOf(id), 0)
})
