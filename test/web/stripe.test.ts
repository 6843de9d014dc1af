// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startStripe } from '../stripe/server.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { countPayments, hostedCheckout, payButton, thanked, waive, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

/** Stripe's own script, played: a form of one field, whose text is the card that a token is made of. */
const SCRIPT = `window.Stripe = (key, options) => ({
  _registerWrapper() {}, registerAppInfo() {},
  elements: (about) => {
    window.stripeSays = [{ key, ...about }]
    let field
    return {
      create: (kind) => ({ mount: (place) => {
        field = document.createElement('input')
        field.setAttribute('aria-label', 'Card number')
        place.append(field)
      } }),
      update: (about) => window.stripeSays.push(about),
      submit: async () => (field.value === '' ? { error: { message: 'Your card number is incomplete.' } } : {}),
      card: () => field.value,
    }
  },
  createConfirmationToken: async ({ elements }) => ({ confirmationToken: { id: 'ctoken_card_' + elements.card() } }),
})`

describe('the card form of Stripe on the checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let stripe: Awaited<ReturnType<typeof startStripe>>
  before(async () => {
    stripe = await startStripe()
    app = await startWebApp('web_stripe', {
      config: { stripe: { ...stripe.config, publishableKey: 'pk_test_of_the_tests' } },
    })
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
    await stripe.close()
  })

  const openForm = async (t: TestContext) => {
    const { page, faults, allows } = await hosted.open(t, {}, { origins: ['https://js.stripe.com'] })
    // It is asked for before it is put in the place of Stripe's.
    allows('unanswered /endive/stripe.js')
    await page
      .context()
      .route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
      )
    await page.reload()
    await page.getByLabel('Card number').waitFor()
    await page.getByLabel('Email address').fill('card@example.com')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Country').selectOption('FR')
    await waive(page)
    return { page, faults }
  }

  test('it is at what is shown, and its token pays', async (t) => {
    const { page, faults } = await openForm(t)
    await page.getByLabel('Number of licenses').selectOption('5')
    await page.getByText('$800.00').first().waitFor()
    await page.getByLabel('Card number').fill('visa')
    await payButton(page).click()
    await thanked(page)
    const said = (await page.evaluate('window.stripeSays')) as {
      readonly amount: number
      readonly mode: string
    }[]
    assert.equal(said[0]?.mode, 'payment')
    const { total } = await app.ctx.db
      .selectFrom('payments')
      .select((row) => row('gross', '+', row.ref('tax')).as('total'))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(said.at(-1)?.amount, total)
    assert.deepEqual(faults, [])
  })

  test('a bank that asks the buyer: an accessible page leads to it, and goes on by itself', async (t) => {
    const { page, faults } = await openForm(t)
    await page.getByLabel('Card number').fill('threeDSecure2Required')
    const held = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/pay.json*', async (route) => {
      // The first pays; the next ones look whether the buyer has confirmed.
      if (asked++ > 0) await held.promise
      await route.continue()
    })
    await payButton(page).click()
    const way = page.getByRole('link', { name: 'Confirm' })
    await way.waitFor()
    assert.match((await way.getAttribute('href')) ?? '', /^https:\/\/hooks\.stripe\.com\//)
    await requireAccessibleEverywhere(page, 'confirming')
    held.resolve()
    await thanked(page)
    assert.deepEqual(faults, [])
  })

  test('a confirmation that is left for another card is ended, and that card alone is charged', async (t) => {
    const { page } = await openForm(t)
    const before = await countPayments(app)
    await page.getByLabel('Card number').fill('threeDSecure2Required')
    // Nobody confirms: what the page would hear of it is held back.
    let asked = 0
    await page.route('**/pay.json*', (route) =>
      asked++ === 0 || route.request().postData()?.includes('visa') ? route.continue() : undefined,
    )
    await payButton(page).click()
    await page.getByRole('button', { name: 'Pay in another way' }).click()
    await page.getByLabel('Card number').fill('visa')
    await payButton(page).click()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('a form that is not filled in says so itself, and everything typed stays', async (t) => {
    const { page } = await openForm(t)
    await payButton(page).click()
    await page.getByRole('alert').getByText('Your card number is incomplete.').waitFor()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'card@example.com')
  })
})
