// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { createInstallOf, createOwner } from '../installs.ts'
import { contextOf } from '../site-context.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { hostedCheckout, type Hosted } from './hosted.ts'
import { html, startSite } from './site.ts'
import { watched } from './watched.ts'

/** A dashboard as the WordPress SDK makes it: a frame that does not scroll, as high as the page says. */
const PARENT = `<!doctype html><html lang="en"><head><title>Dashboard</title></head><body style="margin: 0">
<iframe id="fs-frame" scrolling="no" style="width: 100%; height: 800px; border: 0"></iframe>
<script>
  const frame = document.getElementById('fs-frame')
  const address = new URL(location.hash.slice(1))
  window.heard = []
  window.addEventListener('message', ({ data, origin }) => {
    if (origin !== address.origin) return
    const message = JSON.parse(data)
    window.heard.push([message.type, message.data])
    if (message.type === 'height') frame.style.height = message.data.height + 'px'
    if (message.type === 'forward') window.forwarded = message.data.url
  })
  frame.src = address.href + '#' + encodeURIComponent(location.origin + '/wp-admin/')
</script></body></html>`

describe('the checkout in a dashboard of WordPress', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_dashboard')
    browser = await openBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await browser.close()
    await app.close()
  })

  async function openDashboard(t: TestContext, more: Readonly<Record<string, string>>) {
    const { address: admin, close: stop } = await startSite({ '/': html(PARENT) })
    const { page, faults, close } = await watched(browser, { origins: [app.address, admin] })
    t.after(async () => {
      await close()
      await stop()
    })
    const query = new URLSearchParams({
      mode: 'dashboard',
      plugin_id: String(app.seller.product.id),
      plan_id: hosted.shop.plans.pro,
      ...hosted.shop.sandbox(),
      return_url: `${admin}/wp-admin/?_wpnonce=1`,
      page: 'my-plugin-pricing',
      ...more,
    })
    await page.goto(`${admin}/#${app.address}/?${query}`)
    const frame = page.frameLocator('#fs-frame')
    await frame.getByLabel('Country').waitFor()
    return { page, frame, faults, admin }
  }

  test('it says how high it is as often as that changes, and has no way to close', async (t) => {
    const { page, frame, faults } = await openDashboard(t, {})
    const height = () => page.evaluate("document.getElementById('fs-frame').clientHeight") as Promise<number>
    const before = await height()
    await frame.getByLabel('Country').selectOption('US')
    await frame.getByLabel('State').waitFor()
    await page.waitForFunction(`document.getElementById('fs-frame').clientHeight > ${before}`)
    assert.equal(await frame.getByRole('button', { name: 'Close' }).count(), 0)
    const cut = await frame.locator('html').evaluate('(html) => html.scrollHeight - html.clientHeight')
    assert.ok(Number(cut ?? 0) <= 1, `${String(cut)} pixels cannot be reached`)
    assert.deepEqual(faults, [])
  })

  test('a site that is connected is led back to its dashboard, and what was bought is of it', async (t) => {
    const owner = await createOwner(app, 'site-owner@example.com')
    const site = await createInstallOf(app, owner, { url: 'https://site.example' })
    const context = contextOf(app, site)
    const { page, frame, admin } = await openDashboard(t, context)
    await frame.getByLabel('Country').selectOption('DE')
    await frame.locator('form button.primary').click()
    await page.waitForFunction('window.forwarded')
    assert.equal(await page.evaluate('window.forwarded'), `${admin}/wp-admin/?_wpnonce=1`)
    const heard = (await page.evaluate('window.heard')) as [string, unknown][]
    assert.equal(heard.filter(([type]) => type === 'purchaseCompleted').length, 1)
    const bought = heard.find(([type]) => type === 'purchaseCompleted')?.[1]
    const { purchase } = bought as { readonly purchase: { readonly install_id: string } }
    assert.equal(purchase.install_id, site.id)
  })

  test('nobody is led to a page of somebody else', async (t) => {
    const owner = await createOwner(app, 'other-owner@example.com')
    const site = await createInstallOf(app, owner, { url: 'https://other-site.example' })
    const context = contextOf(app, site)
    const { page, frame } = await openDashboard(t, { ...context, return_url: 'https://evil.example/' })
    await frame.getByLabel('Country').selectOption('DE')
    await frame.locator('form button.primary').click()
    await frame.getByRole('heading', { name: /Thank you/ }).waitFor()
    assert.equal(await page.evaluate('window.forwarded'), undefined)
  })
})
