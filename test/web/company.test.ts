// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { proofOf } from '../checkouts.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, waive, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

describe('a company that is bought for', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_company')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(() => app.close())

  const lastKept = () =>
    app.ctx.db
      .selectFrom('checkouts')
      .select(['state', 'business_name', 'address_street', 'address_apt', 'address_city'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()

  test('is typed behind a button, paid for, and there when its buyer comes back', async (t) => {
    const { page, faults } = await hosted.open(t)
    await fillIn(page, 'company@example.com')
    await page.getByLabel('Country').selectOption('DE')
    assert.equal(await page.getByLabel('Company').count(), 0)
    await page.getByRole('button', { name: 'I buy for a company' }).click()
    await page.locator('#field-company:focus').fill('Acme GmbH')
    await page.getByLabel('Street and number').fill('Hauptstr. 1')
    await page.getByLabel('Address line 2').fill('Hof')
    await page.getByLabel('City').fill('Berlin')
    await requireAccessibleEverywhere(page, 'a company')
    await waive(page)
    await payButton(page).click()
    await thanked(page)
    assert.deepEqual(await lastKept(), {
      state: 'paid',
      business_name: 'Acme GmbH',
      address_street: 'Hauptstr. 1',
      address_apt: 'Hof',
      address_city: 'Berlin',
    })
    assert.deepEqual(faults, [])

    const proof = await proofOf(app, 'company@example.com')
    const again = (await hosted.open(t, { ...proof, plan_id: hosted.shop.plans.basic })).page
    assert.equal(await again.getByLabel('Company').inputValue(), 'Acme GmbH')
    assert.equal(await again.getByLabel('City').inputValue(), 'Berlin')
    assert.equal(await again.getByLabel('Country').inputValue(), 'DE')
  })

  test('is shown at once where the address of the page names one', async (t) => {
    const { page } = await hosted.open(t, {
      business_name: 'Linked Ltd',
      address_city: 'Leeds',
      locale: 'de',
    })
    assert.equal(await page.getByLabel('Firma').inputValue(), 'Linked Ltd')
    assert.equal(await page.getByLabel('Ort').inputValue(), 'Leeds')
  })
})
