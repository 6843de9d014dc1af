// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { mailsTo } from '../mails.ts'
import { textOfPdf } from '../pdf.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

describe('what a checkout shows who has paid', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_paid')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  test('the page alone gives key and invoice while no mail has gone out, and has the mail sent again', async (t) => {
    const { page, faults, allows } = await hosted.open(t)
    allows('404 /resend.json')
    await fillIn(page, 'no-mail@example.com')
    await payButton(page).click()
    await thanked(page)
    assert.match(await page.getByLabel('Your license key').inputValue(), /^sk_/)
    await page.getByText('Enter the key in First product to activate it.').waitFor()
    const link = page.getByRole('link', { name: 'Invoice (PDF)' })
    const response = await page.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href)
    assert.match(await textOfPdf(await response.body()), /Ada Lovelace/)
    await requireAccessibleEverywhere(page, 'paid, with an invoice')
    const before = (await mailsTo(app, 'no-mail@example.com')).length
    await page.route('**/resend.json*', (route) => route.fulfill({ status: 404, body: '{}' }))
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/resend.json*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sent again' }).waitFor()
    assert.equal((await mailsTo(app, 'no-mail@example.com')).length, before + 1)
    assert.deepEqual(faults, [])
  })

  test('it leads to the portal of the product, where a link is asked for', async (t) => {
    const { page, faults } = await hosted.open(t)
    await fillIn(page, 'portal@example.com')
    await payButton(page).click()
    await thanked(page)
    const portal = page.getByRole('link', { name: 'Manage your purchases' })
    await page.goto((await portal.getAttribute('href')) ?? '')
    await page.getByRole('heading', { level: 1, name: 'Your purchases' }).waitFor()
    await page.getByText('First product').waitFor()
    assert.deepEqual(faults, [])
  })
})
