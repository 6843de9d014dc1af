// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { dashboard } from './dashboard.ts'
import { fillIn, hostedCheckout, payButton, thanked, waive, type Hosted } from './hosted.ts'
import { innerOf, openIt, overlayShop, pressClose } from './overlay-shop.ts'
import { requireAccessibleEverywhere } from './watched.ts'

describe('a checkout at each moment and place', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let hosted: Hosted
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_moments')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  const pay = async (page: Page, token: string, email: string) => {
    await fillIn(page, email)
    await page.getByLabel('Test payment').selectOption(token)
    await payButton(page).click()
  }

  test('one that is still opening is accessible', async (t) => {
    const { page } = await hosted.open(t)
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/checkout/sessions.json*', (route) => held.promise.then(() => route.continue()))
    await page.goto(hosted.addressOf({ user_email: 'opening@example.com' }))
    await page.getByRole('status').getByText('Opening the checkout').waitFor()
    await requireAccessibleEverywhere(page, 'opening')
    held.resolve()
    await payButton(page).waitFor()
  })

  test('one over a shop keeps its top where it is while it opens', async (t) => {
    const { page, frame } = await (await overlayShop(app, browser, hosted.shop)).open(t)
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/checkout/sessions.json*', (route) => held.promise.then(() => route.continue()))
    await page.click('#buy')
    await frame.getByRole('status').getByText('Opening the checkout').waitFor()
    const box = frame.locator('.box')
    const before = await box.boundingBox()
    held.resolve()
    await frame.locator('form button.primary').waitFor()
    const after = await box.boundingBox()
    assert.deepEqual([after?.x, after?.y, after?.width], [before?.x, before?.y, before?.width])
    assert.ok(Number(after?.height) > Number(before?.height), 'it has grown')
  })

  test('one that another window pays, and one that its price has changed of, are accessible', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'other-window@example.com')
    await page.getByText('$200.00').first().waitFor()
    const asOther = (state: 'paying' | 'open') =>
      app.write(({ db }) =>
        db
          .updateTable('checkouts')
          .set({ state })
          .where('email', '=', 'other-window@example.com')
          .executeTakeFirstOrThrow(),
      )
    await page.waitForResponse(/\/v1\/checkout\/sessions\//)
    await asOther('paying')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'This purchase is being paid in another window.' }).waitFor()
    await requireAccessibleEverywhere(page, 'another window')
    await asOther('open')
    await page.getByText('The payment in the other window was not made.').waitFor()
    await repriced(t)
    await payButton(page).click()
    await page
      .getByRole('alert')
      .getByText(/price has changed/)
      .waitFor()
    await requireAccessibleEverywhere(page, 'repriced')
  })

  /** The dearer plan at another price until the test ends. */
  async function repriced(t: T): Promise<void> {
    const developer = await asDeveloper(app)
    const path = `${hosted.shop.base}/plans/${hosted.shop.plans.pro}/pricing`
    const { json } = await developer('GET', `${path}.json`)
    const { id } = json.pricing.find(
      (one: { licenses: number; currency: string }) => one.licenses === 1 && one.currency === 'usd',
    )
    const set = (annual_price: number) => developer('PUT', `${path}/${id}.json`, { annual_price })
    assert.equal((await set(210)).status, 200)
    t.after(() => set(200))
  }

  test('one over a shop is accessible, with its offer to who leaves', async (t) => {
    const coupon = { code: 'STAYS', discount: 20, discount_type: 'percentage', plans: hosted.shop.plans.pro }
    const { json } = await app.call('POST', `${hosted.shop.base}/coupons.json`, { body: coupon })
    const special = `${hosted.shop.base}/coupons/${json.id}/special/exit_intent.json`
    assert.equal((await app.call('PUT', special)).status, 201)
    t.after(() => app.call('DELETE', special))
    const { page, frame, faults } = await (await overlayShop(app, browser, hosted.shop)).open(t)
    await openIt(page, frame)
    const inner = innerOf(page, app) ?? assert.fail()
    await requireAccessibleEverywhere(page, 'over a shop', inner)
    pressClose(frame)
    await frame.getByRole('dialog', { name: 'Before you go' }).waitFor()
    await requireAccessibleEverywhere(page, 'leaving', inner)
    assert.deepEqual(faults, [])
  })

  test('one in a dashboard of WordPress is accessible, as a form and paid', async (t) => {
    const query = {
      mode: 'dashboard',
      plugin_id: String(app.seller.product.id),
      plan_id: hosted.shop.plans.pro,
      ...hosted.shop.sandbox(),
    }
    const path = (admin: string) =>
      `/?${new URLSearchParams({ ...query, return_url: `${admin}/wp-admin/?_wpnonce=1` })}`
    const { page, frame, faults } = await dashboard(t, { browser, app, path })
    await frame.getByLabel('Country').waitFor()
    const inner = innerOf(page, app) ?? assert.fail()
    await requireAccessibleEverywhere(page, 'in a dashboard', inner)
    await frame.getByLabel('Email address').fill('dashboard@example.com')
    await frame.getByLabel('Country').selectOption('DE')
    await waive(frame)
    await frame.locator('form button.primary').click()
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor()
    await frame.getByLabel('Your license key').waitFor()
    await requireAccessibleEverywhere(page, 'paid in a dashboard', inner)
    assert.deepEqual(faults, [])
  })

  test('one that is being paid is accessible, and can be told from one that waits for a click', async (t) => {
    const { page, faults } = await hosted.open(t)
    const held = Promise.withResolvers<void>()
    await page.route('**/pay.json*', (route) => held.promise.then(() => route.continue()))
    const asked = page.waitForRequest(/\/pay\.json/)
    await pay(page, 'test_succeeds', 'held@example.com')
    await asked
    await page.getByRole('button', { name: 'Paying' }).waitFor()
    await requireAccessibleEverywhere(page, 'paying')
    held.resolve()
    await thanked(page)
    assert.deepEqual(faults, [])
  })

  test('one whose bank asks is waited for, and thanked for', async (t) => {
    const { page } = await hosted.open(t)
    await pay(page, 'test_needs_confirmation', 'asked@example.com')
    await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
    await thanked(page)
  })
})
