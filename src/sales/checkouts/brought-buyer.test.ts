import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('brought_buyer')
  await coupon('MOVED', 'migrated')
  await coupon('LOYAL', 'previous')
  await coupon('FIRST', 'new')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

async function coupon(code: string, user_type: string): Promise<void> {
  const body = { code, user_type, discount: 100, discount_type: 'percentage', billing_cycles: '0' }
  assert.equal((await app.call('POST', path('/coupons.json'), { body })).status, 201)
}

let people = 0

/** A person who bought something elsewhere that was brought along. */
async function brought(source: string, more: object): Promise<string> {
  const email = `brought${++people}@example.com`
  const { planId, pricingId } = await offerFor(app, 1)
  const place = path(`/users/${await userOf(app, email)}/plans/${planId}/pricing/${pricingId}.json`)
  const body = { is_migration: true, source, license_key: `key-${people}`, ...more }
  expectOk(await app.call('POST', place, { body }))
  return email
}

/** What comes of a live purchase for which a coupon leaves nothing to pay. */
async function buys(user_email: string, code: string): Promise<string> {
  const { pricingId } = await offerFor(app, 1)
  await app.ctx.database.transaction((db) =>
    db.updateTable('pricing').set({ lifetime_price: 5_000 }).where('id', '=', pricingId).execute(),
  )
  const opened = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: {
      product_id: app.seller.product.id,
      pricing_id: pricingId,
      billing_cycle: 'lifetime',
      user_email,
      user_firstname: 'Ada',
      country_code: 'us',
      coupon: code,
    },
  })
  const { id } = expectOk(opened).json
  const paid = await app.call('POST', `/checkout/sessions/${id}/pay.json`, { token: null, body: {} })
  return paid.json.state ?? paid.json.error.code
}

for (const source of ['freemius', 'edd'])
  for (const [what, more] of [
    ['paid once', { billing_cycle: 0, gross: 30 }],
    [
      'pays by the month, with what was paid',
      { billing_cycle: 1, gross: 30, payment_external_id: `p-${source}` },
    ],
    ['pays by the month, of which no payment is known', { billing_cycle: 1, gross: 30 }],
  ] as const)
    test(`who ${what} at ${source} and was brought along has not bought here and is no newcomer`, async () => {
      const next = what === 'paid once' ? {} : { next_payment: '2026-02-20 00:00:00' }
      const email = await brought(source, { ...more, ...next })
      assert.equal(await buys(email, 'FIRST'), 'coupon_not_applicable')
      assert.equal(await buys(email, 'LOYAL'), 'coupon_not_applicable')
      assert.equal(await buys(email, 'MOVED'), 'paid')
      assert.equal(await buys(email, 'MOVED'), 'coupon_not_applicable')
      assert.equal(await buys(email, 'LOYAL'), 'paid')
    })
