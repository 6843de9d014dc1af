// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('how the dashboard changes things', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_changing')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = (page: Page) => page.getByRole('dialog')
  const wide = (page: Page) => page.setViewportSize({ width: 1280, height: 800 })

  test('a license gets another plan after it was told what that changes, and what it is charged stays', async (t) => {
    const { db } = app.ctx
    const renewed = await db
      .selectFrom('subscriptions')
      .innerJoin('licenses', 'licenses.id', 'subscriptions.license_id')
      .select(['subscriptions.id', 'subscriptions.renewal_amount', 'licenses.id as license_id'])
      .where('subscriptions.product_id', '=', app.demo.productId)
      .where('subscriptions.canceled_at', 'is', null)
      .where('subscriptions.currency', '=', 'usd')
      .where('licenses.quota', '=', 5)
      .where('licenses.is_trial', '=', false)
      .executeTakeFirstOrThrow()
    const { page, faults } = await at(t, `licenses/${renewed.license_id}`, /^License #/)
    await press(page, 'Change plan')
    const preview = dialog(page).getByRole('region', { name: 'What changes' })
    await preview.getByText('File uploads: 10 GB → not included').waitFor()
    await dialog(page)
      .getByLabel('Plan and number of sites')
      .selectOption({ label: 'Professional, 1 site (USD)' })
    await preview.getByText('Plan: Professional, as now').waitFor()
    await preview.getByText('5 sites → 1 site').waitFor()
    await preview.getByText('Features: the same').waitFor()
    await preview.getByText(`$${renewed.renewal_amount / 100}`).waitFor()
    await requireAccessibleEverywhere(page, 'another plan')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Change plan' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText(/\d+ of 1$/).waitFor()
    const after = await db
      .selectFrom('subscriptions')
      .innerJoin('pricing', 'pricing.id', 'subscriptions.pricing_id')
      .select(['subscriptions.renewal_amount', 'pricing.licenses'])
      .where('subscriptions.id', '=', renewed.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(after, { renewal_amount: renewed.renewal_amount, licenses: 1 })
    assert.deepEqual(faults, [])
  })
})
