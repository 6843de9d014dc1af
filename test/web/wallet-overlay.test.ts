// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import { startPaypal } from '../paypal/server.ts'
import { approve } from '../paypal/orders.ts'
import { startStripe } from '../stripe/server.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hasHeard, heardBy, namesOf, overlayShop, thankedIn, type OverlayShop } from './overlay-shop.ts'
import { PAYPAL_SCRIPT } from './paypal-script.ts'

const SITE = 'https://www.sandbox.paypal.com'

describe('a wallet in the overlay of a shop', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let sold: OverlayShop
  let paypal: Awaited<ReturnType<typeof startPaypal>>
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    ;[paypal, stripe] = [await startPaypal(), await startStripe()]
    app = await startWebApp('web_wallet_overlay')
    const cards = stripeGateway({ ...stripe.config, publishableKey: 'pk_test_of_the_tests' })
    Object.assign(app.ctx, { gateways: [cards, paypalGateway({ ...paypal.config, hasButton: true })] })
    paypal.books.now = () => app.ctx.clock.real()
    browser = await sharedBrowser()
    sold = await overlayShop(app, browser)
  })
  after(async () => {
    paypal.close()
    stripe.close()
    await app.close()
  })

  /** The overlay with its fields filled in; the scripts of gateways that are blocked never come. */
  async function opened(t: T, { isBlocked }: { readonly isBlocked: boolean }) {
    const { page, frame } = await sold.open(t)
    await page.context().route('https://js.stripe.com/**', (route) => route.abort())
    await page
      .context()
      .route('https://www.paypal.com/**', (route) =>
        isBlocked ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: PAYPAL_SCRIPT }),
      )
    await page.context().route(`${SITE}/**`, (route) => {
      approve(paypal.books, new URL(route.request().url()).searchParams.get('token') ?? assert.fail())
      return route.fulfill({ contentType: 'text/html', body: '<h1>At PayPal</h1>' })
    })
    await page.click('#buy')
    await frame.getByLabel('Email address').fill('overlay@example.com')
    await frame.getByLabel('First name').fill('Ada')
    await frame.getByLabel('Country').selectOption('US')
    await frame.getByLabel('State').selectOption('CA')
    return { page, frame }
  }

  const payments = async (page: Page) =>
    namesOf(await heardBy(page)).filter((name) => /cc|paypal|review|complete/.test(name))

  async function atPaypal(page: Page, click: () => Promise<void>): Promise<Page> {
    const [popup] = await Promise.all([page.waitForEvent('popup'), click()])
    await popup.getByRole('heading', { name: 'At PayPal' }).waitFor()
    return popup
  }

  const payIn = (frame: FrameLocator) => frame.getByRole('button', { name: /^Pay .*subscribe$/ })

  test('the shop hears which method is chosen, and that its owner is led to the wallet', async (t) => {
    const { page, frame } = await opened(t, { isBlocked: true })
    await frame.getByLabel('PayPal').check()
    await frame.getByLabel('Card', { exact: true }).check()
    await frame.getByLabel('PayPal').check()
    await atPaypal(page, () => payIn(frame).click())
    await thankedIn(frame)
    await hasHeard(page, 'purchaseCompleted')
    assert.deepEqual(await payments(page), [
      'track paypal',
      'track cc',
      'track paypal',
      'track review-order',
      'track paypal-express-checkout',
      'track complete',
    ])
  })

  test("the wallet's own button opens a window of its own out of the overlay, of which the shop hears the same", async (t) => {
    const { page, frame } = await opened(t, { isBlocked: false })
    await frame.getByLabel('PayPal').check()
    const own = frame.getByRole('button', { name: 'Pay with PayPal' })
    await atPaypal(page, () => own.click())
    const inner = page.frames().find((one) => one.url().startsWith(app.address)) ?? assert.fail()
    await inner.evaluate(`window.comeBack('approved')`)
    await thankedIn(frame)
    assert.deepEqual(await payments(page), [
      'track paypal',
      'track review-order',
      'track paypal-express-checkout',
      'track complete',
    ])
  })
})
