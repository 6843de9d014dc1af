import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, asUser } from '../../../test/callers.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { paymentRow, scopeOf, sell } from '../../../test/sales.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import { recordPayment, type NewPayment } from './record-payment.ts'
import type { UtcTime } from '../../lib/time.ts'

let app: TestApp
let sale: Awaited<ReturnType<typeof sell>>
let couponId: number
/** The payments of the product by what they are for. */
const ids: Record<string, number> = {}

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

before(async () => {
  app = await startTestApp('payments_list')
  sale = await sell(app)
  ids['first'] = sale.payment.id
  const coupon = { code: 'TEN', discount: 10, discount_type: 'percentage' }
  couponId = Number((await app.call('POST', path('/coupons.json'), { body: coupon })).json.id)
  const pay = async (name: string, more: Partial<NewPayment>) => {
    const row = paymentRow(sale.bought, app.ctx.clock.real(), more)
    ids[name] = (await app.write((tx) => recordPayment(tx, scopeOf(app), row))).id
    return ids[name]
  }
  const subscription = { subscription_id: sale.subscription.id }
  await pay('monthly', { billing_cycle: 1, processed_at: '2025-06-15 12:00:00' as UtcTime })
  await pay('lifetime', { billing_cycle: 0, currency: 'eur' })
  await pay('renewal', { ...subscription, is_renewal: true, currency: 'gbp' })
  await pay('coupon', {
    coupon_id: couponId,
    discounts: [{ type: 'prorate', discount: 500, coupon_id: couponId }],
  })
  const refunded = await pay('refunded', { ...subscription, gateway: null, is_renewal: true })
  const developer = await asDeveloper(app)
  const refund = await developer('POST', path(`/payments/${refunded}/refunds.json`), {
    amount: 1,
    reason: 'No use',
  })
  ids['refund'] = Number(expectOk(refund).json.id)
  const disputed = await pay('disputed', {})
  const dispute = { paymentId: disputed, minor: 5999, fee: 1500 }
  ids['dispute'] = (await app.write((tx) => openDispute(tx, scopeOf(app), dispute))).id
  ids['won'] = (
    await app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId: disputed, isWon: true }))
  ).id
  const bought = { ...sale.bought, licenseId: null }
  const lostOf = await app.write((tx) =>
    recordPayment(tx, scopeOf(app), paymentRow(bought, app.ctx.clock.real())),
  )
  ids['lost'] = lostOf.id
  await app.write((tx) => openDispute(tx, scopeOf(app), { paymentId: lostOf.id, minor: 5999, fee: 0 }))
  ids['chargeback'] = (
    await app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId: lostOf.id, isWon: false }))
  ).id
  ids['stranger'] = (await sell(app)).payment.id
})
after(() => app.close())

interface Listed {
  readonly id: string
  readonly email?: string
  readonly url?: string | null
  readonly billing_cycle?: number
  readonly plan_name?: string
  readonly refund_reason: string | null
}

const names = (payments: readonly Listed[]) =>
  payments.map(({ id }) => Object.entries(ids).find(([, one]) => one === Number(id))?.[0] ?? id)
const list = async (query: string) => {
  const reply = await app.call('GET', path(`/payments.json${query}`))
  return expectOk(reply).json as { payments: Listed[]; discounts: { entity_id: string }[] }
}
const found = async (query: string) => names((await list(query)).payments)
const KEPT = ['stranger', 'disputed', 'coupon', 'renewal', 'lifetime', 'monthly', 'first']

test('payments are listed newest first, by pages', async () => {
  const all = (await list('?count=50')).payments.map(({ id }) => Number(id))
  assert.equal(all.length, 14)
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b - a),
  )
  const pages = [await list('?count=8'), await list('?count=8&offset=8'), await list('?count=8&offset=16')]
  assert.deepEqual(
    pages.flatMap(({ payments }) => payments.map(({ id }) => Number(id))),
    all,
  )
})

test('filters keep what is of a type', async () => {
  assert.deepEqual(await found('?filter=all&count=2'), ['stranger', 'chargeback'])
  assert.deepEqual(await found('?filter=refunds'), ['refund'])
  assert.deepEqual(await found('?filter=not_refunded'), KEPT)
  assert.deepEqual((await found('?filter=disputed')).slice(1), ['dispute'])
  assert.deepEqual(await found('?filter=won_disputes'), ['won'])
  assert.deepEqual(await found('?filter=chargebacks'), ['chargeback'])
  assert.equal((await app.call('GET', path('/payments.json?filter=paid'))).status, 400)
})

test('cycle, currency, coupon, user and time narrow, alone and together', async () => {
  assert.deepEqual(await found('?billing_cycle=1'), ['monthly'])
  assert.deepEqual(await found('?billing_cycle=0'), ['lifetime'])
  assert.deepEqual(await found('?currency=gbp'), ['renewal'])
  assert.deepEqual(await found(`?coupon_id=${couponId}`), ['coupon'])
  assert.deepEqual(await found('?to=2025-12-31'), ['monthly'])
  assert.deepEqual(await found('?from=2025-06-15%2012:00:00&to=2025-06-15%2012:00:00'), ['monthly'])
  assert.deepEqual(await found('?from=2025-06-15%2012:00:01&billing_cycle=1'), [])
  assert.deepEqual(await found(`?search_user_id=${sale.owner.id}&currency=eur`), ['lifetime'])
  assert.deepEqual(await found('?currency=gbp&billing_cycle=1'), [])
  for (const query of ['?from=yesterday', '?currency=chf', '?billing_cycle=3', '?coupon_id=x']) {
    assert.equal((await app.call('GET', path(`/payments.json${query}`))).status, 400, query)
  }
})

test('a search finds by id, id at the gateway or the whole address of the user, in any case', async () => {
  assert.deepEqual(await found(`?search=${ids['coupon']}`), ['coupon'])
  assert.deepEqual(await found(`?search=${sale.payment.external_id}`), ['first'])
  const byMail = await found(`?search=${encodeURIComponent(sale.owner.email.toUpperCase())}&count=50`)
  assert.equal(byMail.length, 13)
  assert.deepEqual(await found(`?search=${sale.owner.email}&filter=refunds`), ['refund'])
  assert.deepEqual(await found('?search=example.com'), [])
})

test('extended adds who, where and what plan; discounts are one list', async () => {
  const install = await createInstallOf(app, sale.owner, { url: 'https://paid.example.com' })
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('payments')
      .set({ install_id: Number(install.id) })
      .where('id', '=', ids['coupon'] ?? 0)
      .execute(),
  )
  const { payments, discounts } = await list(`?coupon_id=${couponId}&extended=true`)
  const [one] = payments
  const { plan_name } = await app.ctx.db
    .selectFrom('plans')
    .select('name as plan_name')
    .where('id', '=', sale.offer.planId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [one?.email, one?.url, one?.billing_cycle, one?.plan_name],
    [sale.owner.email, 'https://paid.example.com', 12, plan_name],
  )
  assert.deepEqual(
    discounts.map(({ entity_id, ...rest }) => [Number(entity_id), (rest as { discount?: number }).discount]),
    [[ids['coupon'], 5]],
  )
  const [plain] = (await list(`?coupon_id=${couponId}`)).payments
  assert.equal(plain && 'email' in plain, false)
  const [refund] = (await list('?filter=refunds')).payments
  assert.equal(refund?.refund_reason, 'No use')
  assert.deepEqual(Object.keys((await list('?fields=id&count=1')).payments[0] ?? {}), ['id'])
})

test('the developer and the store list the same', async () => {
  const [developer, store] = [await asDeveloper(app), asStore(app)]
  for (const call of [developer, store]) {
    const reply = expectOk(await call('GET', path('/payments.json?filter=refunds')))
    assert.deepEqual(names(reply.json.payments), ['refund'])
  }
})

test('a user has payments of its own, filtered, also to the user itself', async () => {
  const mine = async (query: string) => {
    const reply = await app.call('GET', path(`/users/${sale.owner.id}/payments.json${query}`))
    const asMe = await asUser(app, sale.owner)('GET', `/payments.json${query}`)
    assert.deepEqual(asMe.json, expectOk(reply).json, query)
    return names(reply.json.payments)
  }
  assert.equal((await mine('?count=50')).length, 13)
  assert.deepEqual(await mine('?filter=refunds'), ['refund'])
  assert.deepEqual(
    await mine('?filter=not_refunded'),
    KEPT.filter((name) => name !== 'stranger'),
  )
  assert.deepEqual(await mine('?filter=not_refunded_renewals'), ['renewal'])
  assert.deepEqual(await mine('?billing_cycle=0'), ['lifetime'])
  assert.equal((await app.call('GET', path('/users/999999/payments.json'))).status, 404)
})

test('those of add-ons and bundles come when they are asked for', async () => {
  const { developer, store, product } = app.seller
  const owned = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addonId = await app.write((tx) => createAddon(tx, owned, 'Extra'))
  const offer = await offerFor(app, 1, { product: { id: addonId } })
  await app.ctx.database.transaction(async (db) => {
    const user = await db
      .selectFrom('product_users')
      .selectAll()
      .where('user_id', '=', sale.owner.id)
      .executeTakeFirstOrThrow()
    const row = { ...user, product_id: addonId, public_key: `pk_${addonId}`, gross: 0 }
    await db.insertInto('product_users').values(row).execute()
    const bundle = { bundle_id: app.seller.other.id, product_id: product.id }
    await db.insertInto('bundle_members').values(bundle).execute()
  })
  const pay = (productId: number, planId: number, pricingId: number) =>
    app.write((tx) =>
      recordPayment(
        tx,
        scopeOf(app, { id: productId }),
        paymentRow({ userId: sale.owner.id, planId, pricingId, licenseId: null }, app.ctx.clock.real()),
      ),
    )
  ids['addon'] = (await pay(addonId, offer.planId, offer.pricingId)).id
  const other = await offerFor(app, 1, { product: app.seller.other })
  ids['bundle'] = (await pay(app.seller.other.id, other.planId, other.pricingId)).id
  const newest = async (query: string) =>
    names(
      expectOk(await app.call('GET', path(`/users/${sale.owner.id}/payments.json?count=2${query}`))).json
        .payments,
    )
  assert.deepEqual(await newest(''), [
    'chargeback',
    names([{ id: String((ids['chargeback'] ?? 0) - 1), refund_reason: null }])[0],
  ])
  assert.equal((await newest('&include_addons=true'))[0], 'addon')
  assert.equal((await newest('&include_bundles=true'))[0], 'bundle')
  assert.deepEqual(await newest('&include_addons=true&include_bundles=true'), ['bundle', 'addon'])
})
