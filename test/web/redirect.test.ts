// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, type Hosted } from './hosted.ts'

/**
 * What `processRedirect` of `@freemius/sdk` answers for an address, by the steps that it is documented to take; null: it
 * refuses the address.
 */
function processRedirect(address: string, secretKey: string): Readonly<Record<string, string>> | null {
  const { href, searchParams } = new URL(address.replaceAll('%20', '+'))
  const [signed = '', signature] = href.split('&signature=')
  if (signature !== createHmac('sha256', secretKey).update(signed).digest('hex')) return null
  const values = Object.fromEntries(searchParams)
  const isWhole = ['user_id', 'plan_id', 'pricing_id', 'email'].every((name) => values[name])
  return isWhole ? values : null
}

const SELLER = 'https://seller.example'

describe('where a buyer ends who has paid', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_redirect')
    browser = await openBrowser()
    hosted = await hostedCheckout(app, browser)
    const checkout_redirect_url = `${SELLER}/thanks%20you?from=mail%20one`
    const { status, text } = await app.call('PUT', `${hosted.shop.base}/settings.json`, {
      body: { setting_type: 7, data: JSON.stringify({ checkout_redirect_url }) },
    })
    assert.equal(status, 200, text)
  })
  after(async () => {
    await browser.close()
    await app.close()
  })

  test('on the page of the seller, at an address that the SDK of sellers takes', async (t) => {
    const { page, faults } = await hosted.open(
      t,
      { return_url: 'https://elsewhere.example/' },
      { origins: [app.address, SELLER] },
    )
    await page.route(`${SELLER}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Thanks</title><h1>Thanks</h1>' }),
    )
    const before = page.url()
    await fillIn(page, 'led+away@example.com')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Thanks' }).waitFor()
    const { secretKey, publicKey } = app.seller.product
    const values = processRedirect(page.url(), secretKey) ?? assert.fail(page.url())
    assert.deepEqual(
      [values['email'], values['plan_id'], values['amount'], values['action'], values['from']],
      ['led+away@example.com', hosted.shop.plans.pro, '200', 'purchase', 'mail one'],
    )
    assert.equal(processRedirect(page.url(), publicKey), null)
    await page.goBack()
    assert.notEqual(page.url(), before, 'the way back is not to what was paid')
    assert.deepEqual(faults, [])
  })

  test('on the page itself, where nothing is told of the owner of a license', async (t) => {
    const { key } = await hosted.shop.buy()
    const { page } = await hosted.open(t, { license_key: key })
    await page.getByLabel('Country').selectOption('DE')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.getByText('Your license is updated.').waitFor()
    assert.ok(page.url().startsWith(app.address))
  })
})
