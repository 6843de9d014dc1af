// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Freemius } from '@freemius/sdk'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, waive, type Hosted } from './hosted.ts'

/** What the SDK of sellers answers for an address; null: it refuses the address. */
const processRedirect = (address: string, { product }: TestApp['seller'], secretKey = product.secretKey) =>
  new Freemius({
    productId: String(product.id),
    apiKey: product.token,
    publicKey: product.publicKey,
    secretKey,
  }).checkout.processRedirect(address)

const SELLER = 'https://seller.example'

describe('where a buyer ends who has paid', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_redirect')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
    const checkout_redirect_url = `${SELLER}/thanks%20you?from=mail%20one`
    const { status, text } = await app.call('PUT', `${hosted.shop.base}/settings.json`, {
      body: { setting_type: 7, data: JSON.stringify({ checkout_redirect_url }) },
    })
    assert.equal(status, 200, text)
  })
  after(async () => {
    await app.close()
  })

  test('on the page of the seller, at an address that the SDK of sellers takes', async (t) => {
    const { page, faults } = await hosted.open(
      t,
      { return_url: 'https://elsewhere.example/' },
      { origins: [SELLER] },
    )
    await page.route(`${SELLER}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Thanks</title><h1>Thanks</h1>' }),
    )
    const before = page.url()
    await fillIn(page, 'led+away@example.com')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Thanks' }).waitFor()
    const info = (await processRedirect(page.url(), app.seller)) ?? assert.fail(page.url())
    const { email, plan_id, amount, action, quota, currency, billing_cycle, expiration } = info
    assert.deepEqual(
      { email, plan_id, amount, action, quota, currency, billing_cycle },
      {
        email: 'led+away@example.com',
        plan_id: hosted.shop.plans.pro,
        amount: 200,
        action: 'purchase',
        quota: 1,
        currency: 'USD',
        billing_cycle: 'yearly',
      },
    )
    assert.deepEqual([info.isSubscription(), expiration?.toISOString()], [true, '2027-02-01T10:00:00.000Z'])
    assert.equal(new URL(page.url()).searchParams.get('from'), 'mail one')
    assert.equal(await processRedirect(page.url(), app.seller, app.seller.product.publicKey), null)
    await page.goBack()
    assert.notEqual(page.url(), before, 'the way back is not to what was paid')
    assert.deepEqual(faults, [])
  })

  test('on the page itself, where nothing is told of the owner of a license', async (t) => {
    const { key } = await hosted.shop.buy()
    const { page } = await hosted.open(t, { license_key: key })
    await page.getByLabel('Country').selectOption('DE')
    await waive(page)
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.getByText('Your license is updated.').waitFor()
    assert.ok(page.url().startsWith(app.address))
  })
})
