// Runs on sqlite, in a browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { makeSpecial } from '../../src/sales/coupons/special.ts'
import { hasBrowser } from '../web/browser.ts'
import { dialog, press } from './hands.ts'
import { payWithCard } from './paying.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('a subscription in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_subscriptions')
  })
  after(() => app.close())

  test('the renewals of a subscription are discounted by the coupon against cancelling, which says what that comes to', async (t) => {
    const { productId } = app.demo
    const { id: coupon } = await app.ctx.db
      .selectFrom('coupons')
      .select('id')
      .where('has_renewals_discount', '=', true)
      .where('discount_type', '=', 'percentage')
      .where('product_id', '=', productId)
      .executeTakeFirstOrThrow()
    const scope = systemScope({ developerId: app.demo.developerId, productId })
    await transaction(app.ctx, (tx) =>
      makeSpecial(tx, scope, { coupon_id: coupon, special_id: 'subscription_cancellation' }),
    )
    const now = async () =>
      app.ctx.db
        .selectFrom('subscriptions')
        .select(['coupon_id', 'canceled_at'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const { id } = await app.ctx.db
      .selectFrom('subscriptions')
      .select('id')
      .where('product_id', '=', productId)
      .where('environment', '=', 0)
      .where('canceled_at', 'is', null)
      .where('coupon_id', 'is', null)
      .orderBy('next_payment', 'desc')
      .executeTakeFirstOrThrow()
    await payWithCard(app, id)
    const { page, faults } = await app.at(t, `subscriptions/${id}`, `Subscription #${id}`)
    await press(page, 'Discount renewals')
    await dialog(page)
      .getByText(/is taken off all renewals: .+ in place of .+, without tax\./)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Discount renewals' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal((await now()).coupon_id, coupon)
    await page.getByRole('button', { name: 'Discount renewals' }).waitFor({ state: 'detached' })
    await press(page, 'Cancel subscription')
    await dialog(page).getByRole('button', { name: 'Cancel subscription' }).click()
    await page.locator('.page-title .state', { hasText: 'Cancelled' }).waitFor()
    await press(page, 'Let it go on')
    await dialog(page).getByRole('button', { name: 'Let it go on' }).click()
    await page.locator('.page-title .state', { hasText: 'Active' }).waitFor()
    assert.equal((await now()).canceled_at, null)
    assert.deepEqual(faults, [])
  })
})
