// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { html, startSite } from './site.ts'
import { requireAccessibleEverywhere, watched } from './watched.ts'

describe('the pricing table', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let shop: ChangeShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_pricing')
    shop = await changeShop(app)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await app.close()
  })

  const addressOf = (query = '') => `${app.address}/pricing/product/${app.seller.product.id}/${query}`

  test('currency, cycle and number of licenses change the prices and where to buy, without a reload', async (t) => {
    const { page, faults, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    let loads = 0
    page.on('request', () => loads++)
    await page.goto(addressOf())
    await page.waitForLoadState('networkidle')
    const before = loads
    const pro = page.getByRole('region', { name: 'pro' })
    await pro.getByText('$200.00').waitFor()
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await pro.getByText('$20.00').waitFor()
    await page.getByRole('radio', { name: 'Yearly' }).check()
    await page.getByLabel('How many').selectOption('5')
    await pro.getByText('$800.00').waitFor()
    await pro.getByText('$160.00 each').waitFor()
    await page.getByRole('region', { name: 'basic' }).getByText('Not sold this way').waitFor()
    const link = new URL((await pro.getByRole('link', { name: 'Buy pro' }).getAttribute('href')) ?? '')
    const product = app.seller.product.id
    assert.equal(
      link.pathname,
      `/checkout/product/${product}/plan/${shop.plans.pro}/licenses/5/currency/usd/`,
    )
    assert.equal(link.searchParams.get('billing_cycle'), 'annual')
    await page.getByLabel('How many').selectOption('1')
    await page.getByLabel('Currency').selectOption('eur')
    await pro.getByText('€180.00').waitFor()
    assert.equal(loads, before)
    assert.deepEqual(faults, [])
  })

  test('what a year saves is computed: the least of all plans, and never rounded up', async (t) => {
    const { page, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    await page.goto(addressOf())
    await page.getByText('save 16%').waitFor()
  })

  test('without scripts it is complete, and leads to the checkout', async (t) => {
    const { page, close } = await watched(browser, { origins: [app.address], javaScriptEnabled: false })
    t.after(close)
    await page.goto(addressOf('?currency=eur'))
    await page.getByRole('region', { name: 'basic' }).getByText('€90.00').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Buy basic' }).count(), 1)
  })

  test('the language is that of the address, else of the browser', async (t) => {
    const { page, close } = await watched(browser, { origins: [app.address], locale: 'de-DE' })
    t.after(close)
    await page.goto(addressOf())
    await page.getByRole('heading', { name: 'Preise von First product' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de-DE')
    await page.goto(addressOf('?locale=en_US'))
    await page.getByRole('heading', { name: 'Pricing of First product' }).waitFor()
  })

  test('it is accessible in light and dark, at 1280, 375 and 320 pixels', async (t) => {
    const { page, faults, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    await page.goto(addressOf())
    await requireAccessibleEverywhere(page, 'the table')
    assert.deepEqual(faults, [])
  })

  test('a script puts it into any page, as high as it is', async (t) => {
    const place = `<div data-keywright-pricing="${app.seller.product.id}" data-currency="eur" title="Prices"></div>`
    const script = `<script src="${app.address}/js/v1/pricing/"></script>`
    const site = await startSite({ '/': html(`<!doctype html><title>Shop</title>${place}${script}`) })
    const { page, faults, close } = await watched(browser, { origins: [app.address, site.address] })
    t.after(async () => {
      await close()
      await site.close()
    })
    await page.goto(site.address)
    const frame = page.frameLocator('iframe[title="Prices"]')
    await frame.getByText('€180.00').waitFor()
    await page.waitForFunction("document.querySelector('iframe').style.height !== '600px'")
    const height = await frame.locator('html').evaluate('document.documentElement.scrollHeight')
    const own = await page.evaluate("document.querySelector('iframe').clientHeight")
    assert.ok(Math.abs(Number(height) - Number(own)) <= 2, `${String(own)} for ${String(height)}`)
    assert.deepEqual(faults, [])
  })

  test('a product that is not there is 404, and one id is not another', async () => {
    for (const path of ['/pricing/product/999/', '/pricing/product/x/', '/pricing/product/1e3/']) {
      assert.equal((await fetch(app.address + path)).status, 404, path)
    }
    const other = await (await fetch(`${app.address}/pricing/product/${app.seller.other.id}/`)).text()
    assert.match(other, /Nothing is sold here/)
    assert.ok(!other.includes('$200.00'))
  })
})
