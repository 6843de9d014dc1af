// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, waive, type Hosted } from './hosted.ts'
import { hasHeard, openIt, overlayShop, pay, prefill, thankedIn, told } from './overlay-shop.ts'
import { requireAccessibleEverywhere } from './watched.ts'

const WAIVER = /lose my right to withdraw/
const MARKETING = 'Send me news and offers about First product by email.'

describe('what a buyer agrees to', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_consents')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  const keptOf = (email: string) =>
    app.ctx.db
      .selectFrom('checkouts')
      .select(['state', 'waiver', 'waived_at', 'is_marketing_allowed'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()

  test('a consumer of the EU pays after a box for it was ticked, and the shop hears of the box', async (t) => {
    const sold = await overlayShop(app, browser, hosted.shop)
    const { page, frame, faults } = await sold.open(t)
    await openIt(page, frame)
    await prefill(frame)
    await frame.getByLabel('Email address').fill('waives@example.com')
    assert.equal(await frame.getByLabel(WAIVER).count(), 0, 'nobody is asked in the US')
    await frame.getByLabel('Country').selectOption('DE')
    await frame.getByLabel(WAIVER).waitFor()
    assert.equal(await frame.getByLabel(WAIVER).isChecked(), false)
    await pay(frame)
    await frame.getByText('Some details are missing.').waitFor()
    await frame.locator('[type=checkbox]:focus').waitFor()
    assert.equal((await keptOf('waives@example.com')).state, 'open')
    await waive(frame)
    await frame.getByText('Some details are missing.').waitFor({ state: 'detached' })
    await pay(frame)
    await thankedIn(frame)
    await hasHeard(page, 'purchaseCompleted')
    const { waiver, waived_at: at } = await keptOf('waives@example.com')
    assert.match(waiver ?? '', WAIVER)
    assert.notEqual(at, null)
    const heard = await told(page, /cooling-off|review-order|complete/)
    assert.deepEqual(heard, ['track cooling-off-waiver-toggled', 'track review-order', 'track complete'])
    assert.deepEqual(faults, [])
  })

  test('who turns out to be elsewhere, or a company, need not agree', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'moves@example.com')
    await page.getByLabel('Country').selectOption('FR')
    await page.getByLabel(WAIVER).waitFor()
    await payButton(page).click()
    await page.getByText('Some details are missing.').waitFor()
    await page.getByRole('button', { name: 'I buy for a company' }).click()
    await page.getByLabel('VAT ID').fill('FR40303265045')
    await page.getByLabel(WAIVER).waitFor({ state: 'detached' })
    await payButton(page).click()
    await thanked(page)
    assert.equal((await keptOf('moves@example.com')).waived_at, null)
  })

  test('it is asked in the language of the page', async (t) => {
    const { page } = await hosted.open(t, { locale: 'de' })
    await page.getByLabel('Land').selectOption('AT')
    await page.getByLabel(/Widerrufsrecht verliere/).waitFor()
    await page.getByLabel(/^Schickt mir Neuigkeiten und Angebote zu First product/).waitFor()
  })

  test('consent to marketing is asked for as the address says, and what is said is kept', async (t) => {
    for (const [gdpr, country, isTicked, click] of [
      ['default', 'DE', false, true],
      ['default', 'DE', false, false],
      ['opt_out', 'DE', false, false],
      ['opt_out', 'CH', false, true],
      ['opt_out', 'GB', false, false],
      ['opt_out', 'JP', true, false],
      ['opt_out', 'JP', true, true],
      ['default', 'JP', null, false],
      ['hidden', 'DE', null, false],
      ['something', 'JP', null, false],
    ] as const) {
      const about = `${gdpr} ${country} ${click}`
      const { page, close } = await hosted.open(t, { gdpr })
      const email = `${about.replaceAll(' ', '.')}@example.com`.toLowerCase()
      await fillIn(page, email)
      await page.getByLabel('Country').selectOption(country)
      await page.getByLabel('State').waitFor({ state: 'detached' })
      const isAsked = page.waitForResponse((one) => one.request().method() === 'PUT')
      await page.getByLabel('First name').fill('Grace')
      await isAsked
      const box = page.getByLabel(MARKETING)
      if (isTicked === null) assert.equal(await box.count(), 0, about)
      else await page.getByRole('checkbox', { name: MARKETING, checked: isTicked }).waitFor()
      if (click) await box.click()
      if (country === 'DE') await waive(page)
      await payButton(page).click()
      await thanked(page, 'Grace')
      const user = await app.ctx.db
        .selectFrom('product_users')
        .innerJoin('users', 'users.id', 'product_users.user_id')
        .select('is_marketing_allowed')
        .where('users.email', '=', email)
        .executeTakeFirstOrThrow()
      assert.equal(user.is_marketing_allowed, isTicked === null ? null : isTicked !== click, about)
      await close()
    }
  })

  test('both boxes and what is missing: accessible in light and dark, at 1280, 375 and 320 pixels', async (t) => {
    const { page, faults } = await hosted.open(t)
    await fillIn(page, 'accessible@example.com')
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel(MARKETING).waitFor()
    await payButton(page).click()
    await page.getByText('Some details are missing.').waitFor()
    await requireAccessibleEverywhere(page, 'both boxes')
    assert.deepEqual(faults, [])
  })
})
