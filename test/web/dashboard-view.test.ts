// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { dashboard } from './dashboard.ts'
import { hostedCheckout, type Hosted } from './hosted.ts'
import { PATIENCE } from './watched.ts'

const HEIGHT = 400

describe('what a dashboard of WordPress has in view', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_dashboard_view')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  /** Low, narrow, and scrolled to the button that pays. */
  async function scrolledToPay(t: TestContext) {
    const query = new URLSearchParams({
      mode: 'dashboard',
      plugin_id: String(app.seller.product.id),
      plan_id: hosted.shop.plans.pro,
      ...hosted.shop.sandbox(),
    })
    const { page, frame, faults, allows } = await dashboard(t, { browser, app, path: `/?${query}` })
    await page.setViewportSize({ width: 600, height: HEIGHT })
    await frame.getByRole('button', { name: 'Prefill the form' }).click()
    await frame.getByLabel('State').waitFor()
    const button = frame.locator('form button.primary')
    await button.scrollIntoViewIfNeeded()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    assert.ok(await isInView(button))
    return { page, frame, faults, allows, button }
  }

  /** Whether the top of something is between the edges of what the window shows. */
  async function isInView(place: Locator): Promise<boolean> {
    const { y } = (await place.boundingBox()) ?? assert.fail(String(place))
    return y > -1 && y < HEIGHT
  }

  const seen = async (t: TestContext, place: Locator) => {
    await place.waitFor()
    await t.waitFor(
      async () => assert.ok(await isInView(place), `at ${(await place.boundingBox())?.y}`),
      PATIENCE,
    )
  }

  test('why it was not paid is in view where the dashboard is scrolled to the button', async (t) => {
    const { frame, faults, allows, button } = await scrolledToPay(t)
    allows('400 /pay.json')
    await frame.getByLabel('Test payment').selectOption('test_declined')
    await button.click()
    await seen(t, frame.getByRole('alert').getByText(/declined/))
    assert.deepEqual(faults, [])
  })

  test('what is waited for is in view there, and what was bought', async (t) => {
    const { frame, faults, button } = await scrolledToPay(t)
    await frame.getByLabel('Test payment').selectOption('test_needs_confirmation')
    await button.click()
    await seen(t, frame.getByRole('heading', { name: 'Waiting for your bank' }))
    await seen(t, frame.getByRole('heading', { name: 'Thank you' }))
    assert.deepEqual(faults, [])
  })
})
