// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { startPaypal } from '../paypal/server.ts'
import { approve } from '../paypal/orders.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { countPayments, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { PAYPAL_SCRIPT } from './paypal-script.ts'
import { requireAccessibleEverywhere } from './watched.ts'

const SITE = 'https://www.sandbox.paypal.com'

describe('the button of a wallet on the checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let paypal: Awaited<ReturnType<typeof startPaypal>>
  const withButton = (hasButton: boolean) => {
    const config = { ...paypal.config, ...(hasButton && { hasButton: true as const }) }
    Object.assign(app.ctx, { gateways: [paypalGateway(config)] })
  }
  before(async () => {
    paypal = await startPaypal()
    app = await startWebApp('web_wallet_button')
    withButton(true)
    paypal.books.now = () => app.ctx.clock.real()
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    paypal.close()
    await app.close()
  })

  let people = 0
  /** The checkout with its fields filled in, after the script came or was blocked. */
  async function openForm(t: T, { isBlocked = false, isFilled = true, more = {} } = {}) {
    const opened = await hosted.open(t, {}, { origins: ['https://www.paypal.com'], own: true })
    const { page, faults } = opened
    // It is asked for at once, before it is answered here.
    opened.allows('unanswered /sdk/js')
    await page
      .context()
      .route('https://www.paypal.com/**', (route) =>
        isBlocked ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: PAYPAL_SCRIPT }),
      )
    await page.context().route(`${SITE}/**`, (route) => {
      const order = new URL(route.request().url()).searchParams.get('token') ?? assert.fail()
      approve(paypal.books, order)
      return route.fulfill({ contentType: 'text/html', body: '<h1>At PayPal</h1>' })
    })
    await page.goto(hosted.addressOf(more))
    await page.locator('form').waitFor()
    if (isFilled) await fill(page)
    return { page, faults }
  }

  async function fill(page: Page): Promise<void> {
    await page.getByLabel('Email address').fill(`button${++people}@example.com`)
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Country').selectOption('US')
    await page.getByLabel('State').selectOption('CA')
  }

  const own = (page: Page) => page.getByRole('button', { name: 'Pay with PayPal' })

  /** Clicks the button; the window that its script opens, at PayPal. */
  async function popupOf(page: Page): Promise<Page> {
    const [popup] = await Promise.all([page.waitForEvent('popup'), own(page).click()])
    await popup.getByRole('heading', { name: 'At PayPal' }).waitFor()
    return popup
  }
  const comeBack = (page: Page, how: 'approved' | 'cancelled') => page.evaluate(`window.comeBack('${how}')`)

  test('its script is loaded for the app and the currency, and what is approved in its window is paid once', async (t) => {
    const { page, faults } = await openForm(t)
    await own(page).waitFor()
    assert.equal(await payButton(page).count(), 0)
    await requireAccessibleEverywhere(page, 'the button of a wallet')
    const [asked] = (await page.evaluate('window.paypalSays')) as Record<string, string>[]
    assert.deepEqual(
      [asked?.['client-id'], asked?.['currency'], asked?.['locale']],
      [paypal.config.clientId, 'USD', 'en_US'],
    )
    const before = await countPayments(app)
    await popupOf(page)
    await comeBack(page, 'approved')
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
    assert.deepEqual(faults, [])
  })

  test('a buyer who cancels in its window is on the form with all that was typed, and pays once after that', async (t) => {
    const { page } = await openForm(t)
    const before = await countPayments(app)
    const orders = paypal.books.orders.size
    await page.context().unroute(`${SITE}/**`)
    await page
      .context()
      .route(`${SITE}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>At PayPal</h1>' }))
    await popupOf(page)
    await comeBack(page, 'cancelled')
    await own(page).waitFor()
    assert.equal(await page.getByLabel('First name').inputValue(), 'Ada')
    assert.equal(await countPayments(app), before)
    const popup = await popupOf(page)
    approve(paypal.books, new URL(popup.url()).searchParams.get('token') ?? assert.fail())
    await comeBack(page, 'approved')
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
    assert.equal(paypal.books.orders.size - orders, 1)
  })

  test('where its window is blocked a link leads to the same place', async (t) => {
    const { page } = await openForm(t)
    await own(page).waitFor()
    const before = await countPayments(app)
    await page.evaluate('window.open = () => null')
    await own(page).click()
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Confirm the payment' }).click(),
    ])
    await popup.getByRole('heading', { name: 'At PayPal' }).waitFor()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('where its script is blocked the page opens the window itself', async (t) => {
    const { page } = await openForm(t, { isBlocked: true })
    await payButton(page).waitFor()
    const before = await countPayments(app)
    await Promise.all([page.waitForEvent('popup'), payButton(page).click()])
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
    assert.equal(await own(page).count(), 0)
  })

  test('what is missing is said at its field before a window opens', async (t) => {
    const { page } = await openForm(t, { isFilled: false })
    await own(page).click()
    await page.getByLabel('Email address').and(page.locator('[aria-invalid=true]')).waitFor()
    assert.equal(page.context().pages().length, 1)
    await fill(page)
    await popupOf(page)
    await comeBack(page, 'approved')
    await thanked(page)
  })

  test('a payment that is refused closes its window, and says why', async (t) => {
    const { page } = await openForm(t)
    await own(page).waitFor()
    paypal.faults.push(...Array<number>(3).fill(503))
    const [popup] = await Promise.all([page.waitForEvent('popup'), own(page).click()])
    await page.getByRole('alert').getByText('does not answer').waitFor()
    if (!popup.isClosed()) await popup.waitForEvent('close')
  })

  test('another currency has a script of its own', async (t) => {
    const { page } = await openForm(t)
    await own(page).waitFor()
    const [asked] = await Promise.all([
      page.waitForRequest(/www\.paypal\.com.*currency=EUR/),
      page.getByLabel('Currency').selectOption('eur'),
    ])
    await asked.response()
    await own(page).waitFor()
    const said = (await page.evaluate('window.paypalSays')) as Record<string, string>[]
    assert.deepEqual(
      said.map(({ currency }) => currency),
      ['USD', 'EUR'],
    )
  })

  test('its script and what that needs are allowed where it is switched on, and nowhere else', async (t) => {
    // Of another address each: a page is known by heart while nothing is written.
    const policyOf = async (language: string) =>
      (await fetch(hosted.addressOf({ language }))).headers.get('content-security-policy') ?? ''
    const allowed = await policyOf('en')
    for (const part of [
      "script-src 'self' ",
      ' https://*.paypal.com https://*.paypalobjects.com;',
      "style-src 'self' 'unsafe-inline';",
      "frame-src 'self' https://*.paypal.com;",
    ])
      assert.ok(allowed.includes(part), allowed)
    assert.ok(!/script-src[^;]*unsafe/.test(allowed))
    withButton(false)
    t.after(() => withButton(true))
    const without = await policyOf('en-GB')
    assert.ok(!without.includes('paypal') && !without.includes('unsafe'), without)
    const { page } = await openForm(t, { more: { language: 'en-GB' } })
    await payButton(page).waitFor()
    assert.equal(await page.evaluate('window.paypalSays'), undefined)
  })
})
