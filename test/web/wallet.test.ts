// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import { textsFor } from '../../web/checkout/texts/texts.ts'
import { startStripe } from '../stripe/server.ts'
import { startAsking } from '../paypal/asking.ts'
import { approve } from '../paypal/orders.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { countPayments, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

const WALLET = 'https://www.sandbox.paypal.com'

describe('a wallet on the checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let wallets: Awaited<ReturnType<typeof startAsking>>
  before(async () => {
    wallets = await startAsking()
    app = await startWebApp('web_wallet')
    Object.assign(app.ctx, { gateways: [wallets.bare] })
    wallets.books.now = () => app.ctx.clock.real()
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    wallets.paypal.close()
    await app.close()
  })

  let people = 0
  /** The checkout with its fields filled in; at the wallet's site its owner approves unless they leave. */
  async function openForm(t: T, { leaves = false, language = 'en' } = {}) {
    const texts = textsFor(language)
    const { page, faults } = await hosted.open(t, { locale: language })
    await page.context().route(`${WALLET}/**`, (route) => {
      const order = new URL(route.request().url()).searchParams.get('token') ?? assert.fail()
      if (!leaves) approve(wallets.books, order)
      return route.fulfill({ contentType: 'text/html', body: '<title>PayPal</title><h1>Approved</h1>' })
    })
    await page.getByLabel(texts.email).fill(`wallet${++people}@example.com`)
    await page.getByLabel(texts.firstName).fill('Ada')
    await page.getByLabel(texts.country).selectOption('US')
    await page.getByLabel(texts.state).selectOption('CA')
    return { page, faults }
  }

  const popupOf = async (page: Page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), payButton(page).click()])
    return popup
  }

  test('it is confirmed in a window of its own, which closes when it is paid', async (t) => {
    const { page, faults } = await openForm(t)
    await page.getByText('You confirm the payment at PayPal, in a window of its own.').waitFor()
    await requireAccessibleEverywhere(page, 'a wallet')
    const before = await countPayments(app)
    const popup = await popupOf(page)
    await thanked(page)
    if (!popup.isClosed()) await popup.waitForEvent('close')
    assert.equal((await countPayments(app)) - before, 1)
    assert.deepEqual(faults, [])
  })

  test('where the window is blocked a link leads to the same place', async (t) => {
    const { page } = await openForm(t)
    await page.evaluate('window.open = () => null')
    await payButton(page).click()
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Confirm the payment' }).click(),
    ])
    await popup.getByRole('heading', { name: 'Approved' }).waitFor()
    await thanked(page)
  })

  test('beside a card form the buyer chooses, and the wallet that is chosen is charged', async (t) => {
    const stripe = await startStripe()
    const cards = stripeGateway({ ...stripe.config, publishableKey: 'pk_test_of_the_tests' })
    Object.assign(app.ctx, { gateways: [cards, wallets.bare] })
    t.after(() => {
      Object.assign(app.ctx, { gateways: [wallets.bare] })
      stripe.close()
    })
    // The script of the cards never comes: the wallet waits for nothing of it.
    const { page } = await openForm(t)
    await page.getByLabel('Card', { exact: true }).waitFor()
    await page.getByLabel('PayPal').check()
    await requireAccessibleEverywhere(page, 'card or wallet')
    await popupOf(page)
    await thanked(page)
    const { gateway } = await app.ctx.db
      .selectFrom('payments')
      .select('gateway')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(gateway, 'paypal')
  })

  /** Cards beside the wallet, whose script never comes. */
  async function withCards(t: T) {
    const stripe = await startStripe()
    const cards = stripeGateway({ ...stripe.config, publishableKey: 'pk_test_of_the_tests' })
    Object.assign(app.ctx, { gateways: [wallets.bare, cards] })
    t.after(() => {
      Object.assign(app.ctx, { gateways: [wallets.bare] })
      stripe.close()
    })
  }

  for (const [language, said] of [
    [
      'en',
      'This way of paying (PayPal) does not answer at the moment; nothing was charged. You can take the other one: Card.',
    ],
    [
      'de',
      'Diese Zahlungsart (PayPal) antwortet im Moment nicht; es wurde nichts abgebucht. Du kannst die andere nehmen: Karte.',
    ],
  ] as const)
    test(`a wallet that does not answer is said to, with what else can be taken, and what was typed stays (${language})`, async (t) => {
      await withCards(t)
      const { page } = await openForm(t, { language })
      const { email, firstName, country, state, card, done } = textsFor(language)
      const typed = () =>
        Promise.all([email, firstName, country, state].map((label) => page.getByLabel(label).inputValue()))
      const before = await typed()
      wallets.times(2, 'reset')
      const popup = await popupOf(page)
      await page.getByRole('alert').getByText(said).waitFor()
      if (!popup.isClosed()) await popup.waitForEvent('close')
      assert.deepEqual(await typed(), before)
      await requireAccessibleEverywhere(page, `a wallet that does not answer, ${language}`)
      await page.getByLabel(card, { exact: true }).check()
      await page.getByLabel('PayPal').check()
      await popupOf(page)
      await page.getByRole('heading', { name: done.replace('{name}', 'Ada') }).waitFor()
    })

  test('a buyer who leaves the window pays in another way, once', async (t) => {
    const { page } = await openForm(t, { leaves: true })
    const before = await countPayments(app)
    const popup = await popupOf(page)
    await popup.getByRole('heading', { name: 'Approved' }).waitFor()
    await popup.close()
    await page.getByRole('button', { name: 'Pay in another way' }).click()
    await page.context().unroute(`${WALLET}/**`)
    await page.context().route(`${WALLET}/**`, (route) => {
      approve(wallets.books, new URL(route.request().url()).searchParams.get('token') ?? assert.fail())
      return route.fulfill({ contentType: 'text/html', body: '<h1>Approved</h1>' })
    })
    await popupOf(page)
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })
})
