// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller does by hand', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_by_hand')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)

  test('a license is issued to somebody who is no customer yet, by a name', async (t) => {
    const { page, faults } = await at(t, 'licenses', 'Licenses')
    await press(page, 'Issue a license')
    await dialog(page).getByLabel('Email address').fill('nell@newcomer.example')
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await dialog(page).locator('[aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Name of a new customer').fill('Nell Newcomer')
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await page.getByRole('heading', { level: 1, name: /^License #\d+$/ }).waitFor()
    await page.getByRole('link', { name: 'Nell Newcomer' }).waitFor()
    assert.deepEqual(
      faults.filter((one) => !one.includes('400')),
      [],
    )
  })

  test('a customer is added by hand, and gets a license on its page', async (t) => {
    const { page, faults } = await at(t, 'customers', 'Customers')
    await press(page, 'Add a customer')
    await dialog(page).getByLabel('Email address').fill('hanna@byhand.example')
    await dialog(page).getByLabel('Name').fill('Hanna Byhand')
    await requireAccessibleEverywhere(page, 'add a customer')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Add a customer' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'Hanna Byhand' }).waitFor()
    await press(page, 'Issue a license')
    await dialog(page).getByText('hanna@byhand.example').waitFor()
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await page.getByRole('heading', { level: 1, name: /^License #\d+$/ }).waitFor()
    await page.getByRole('link', { name: 'Hanna Byhand' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('who gives back what was paid elsewhere is told that no money moves', async (t) => {
    const found = app.ctx.db.selectFrom('payments').select('id').where('type', '=', 'payment')
    const paid = found
      .where('product_id', '=', 1)
      .where('environment', '=', 0)
      .where('refunded_gross', '=', 0)
    const { id } = await paid.where('gateway', 'is', null).executeTakeFirstOrThrow()
    const { page } = await at(t, `payments/${id}`, /^\$|^€|^£/)
    await press(page, 'Refund')
    await dialog(page).getByText('It was paid elsewhere: no money moves from here.').waitFor()
    await page.goto(`${app.product}/payments/1`)
    await press(page, 'Refund')
    await dialog(page).getByText('Nothing is left of the payment then').waitFor()
    assert.equal(await dialog(page).getByText('It was paid elsewhere').count(), 0)
  })
})
