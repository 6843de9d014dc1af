// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { LOOK, stylesOf } from '../../web/pricing/look.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { html, startSite } from './site.ts'
import { PATIENCE, requireAccessibleEverywhere, watched } from './watched.ts'
import { saysNoSite } from './words.ts'

describe('the pricing table', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let shop: ChangeShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_pricing')
    shop = await changeShop(app)
    browser = await sharedBrowser()
  })
  after(async () => {
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

  test('what a license counts is said in the language of the page', async (t) => {
    const { page, close } = await watched(browser, { origins: [app.address], locale: 'de-DE' })
    t.after(close)
    const setting = (singular: string, plural: string) =>
      app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
        body: {
          setting_type: 3,
          data: JSON.stringify({ selling_unit_singular: singular, selling_unit_plural: plural }),
        },
      })
    t.after(() => setting('Unit', 'Units'))
    assert.equal((await setting('Device', 'Devices')).status, 200)
    await page.goto(addressOf())
    await page.getByLabel('Anzahl (Geräte)').selectOption('5')
    await page.getByText('für 5 Geräte').first().waitFor()
    await saysNoSite(page, 'pricing')
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
    await t.waitFor(async () => {
      const height = await frame.locator('html').evaluate('document.documentElement.scrollHeight')
      const own = await page.evaluate("document.querySelector('iframe').clientHeight")
      assert.ok(Math.abs(Number(height) - Number(own)) <= 2, `${String(own)} for ${String(height)}`)
    }, PATIENCE)
    assert.deepEqual(faults, [])
  })

  /** A shop with the table in it, whose place has these CSS variables. */
  async function framed(t: TestContext, style: string, more = '') {
    const place = `<div id="place" data-keywright-pricing="${app.seller.product.id}" title="Prices"></div>`
    const script = `<script src="${app.address}/js/v1/pricing/"></script>`
    const styles = `<style>:root { ${style} } ${more}</style>`
    const site = await startSite({
      '/': html(`<!doctype html><title>Shop</title>${styles}${place}${script}`),
    })
    const { page, faults, close } = await watched(browser, { origins: [app.address, site.address] })
    t.after(async () => {
      await close()
      await site.close()
    })
    await page.goto(site.address)
    await page.frameLocator('iframe').getByText('$200.00').waitFor()
    const inner = page.frames().find((one) => one.url().startsWith(app.address)) ?? assert.fail()
    return { page, inner, faults }
  }

  const styleOf = (inner: Frame | Page, selector: string, name: string): Promise<unknown> =>
    inner.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`)

  const OWN = `--ground: rgb(20 40 60); --keywright-page: var(--ground); --keywright-panel: #1d3550;
    --keywright-text: oldlace; --keywright-accent: hsl(39 100% 50%); --keywright-border: #456;
    --keywright-radius: 14px; --keywright-font: 'Courier New', monospace`

  test('a table in a page has the look that the CSS variables of its place say, in light and dark', async (t) => {
    const { page, inner, faults } = await framed(t, OWN)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.equal(await styleOf(inner, 'body', 'background-color'), 'rgb(20, 40, 60)')
      assert.equal(await styleOf(inner, 'body', 'color'), 'rgb(253, 245, 230)')
      assert.equal(await styleOf(inner, '.plan', 'background-color'), 'rgb(29, 53, 80)')
      assert.equal(await styleOf(inner, '.plan', 'border-top-color'), 'rgb(68, 85, 102)')
      assert.equal(await styleOf(inner, '.plan', 'border-top-left-radius'), '14px')
      assert.equal(await styleOf(inner, '.buy', 'background-color'), 'rgb(255, 166, 0)')
      assert.equal(await styleOf(inner, '.buy', 'color'), 'rgb(0, 0, 0)')
      assert.equal(await styleOf(inner, 'body', 'font-family'), '"Courier New", monospace, sans-serif')
    }
    await requireAccessibleEverywhere(page, 'a table of another look', inner)
    assert.deepEqual(faults, [])
  })

  test('a table has the look that its address says', async (t) => {
    const { page, faults, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    await page.goto(addressOf('?page=fdf6e3&text=%23333&accent=0a7&radius=0'))
    assert.equal(await styleOf(page, 'body', 'background-color'), 'rgb(253, 246, 227)')
    assert.equal(await styleOf(page, 'body', 'color'), 'rgb(51, 51, 51)')
    assert.equal(await styleOf(page, '.buy', 'background-color'), 'rgb(0, 170, 119)')
    assert.equal(await styleOf(page, '.plan', 'border-top-left-radius'), '0px')
    await requireAccessibleEverywhere(page, 'a table of another look')
    assert.deepEqual(faults, [])
  })

  test('a look is drawn at once, before the script of the page is there', async (t) => {
    const { page, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    await page.route(/\/-\/web\/.*\.js/, (route) => route.abort())
    await page.goto(addressOf('?page=fdf6e3'))
    assert.equal(await styleOf(page, 'body', 'background-color'), 'rgb(253, 246, 227)')
  })

  test('text that could not be read on its ground gives way', async (t) => {
    for (const [asked, text] of [
      ['page=fff&text=fefefe', 'rgb(22, 24, 29)'],
      ['page=111', 'rgb(231, 233, 238)'],
    ] as const) {
      const { page, close } = await watched(browser, { origins: [app.address] })
      t.after(close)
      await page.goto(addressOf(`?${asked}&accent=777`))
      assert.equal(await styleOf(page, 'body', 'color'), text, asked)
      await requireAccessibleEverywhere(page, asked)
    }
  })

  const HOSTILE = [
    'url(https://evil.example/x)',
    '#fff; background: url(https://evil.example/x)',
    'expression(alert(1))',
    'var(--text)',
    '</style><script>alert(1)</script>',
    `#${'f'.repeat(10_000)}`,
    'a'.repeat(10_000),
    'image-set("https://evil.example/x" 1x)',
    '-1',
    '\\',
  ] as const

  const everywhere = (value: string) =>
    new URLSearchParams(LOOK.map((name): [string, string] => [name, value]))

  test('a value that is no colour, radius or list of fonts is not taken', async (t) => {
    const { page, faults, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    for (const value of HOSTILE) {
      assert.deepEqual(stylesOf(everywhere(value)), {}, value)
    }
    assert.deepEqual(stylesOf(new URLSearchParams({ font: 'a'.repeat(201), radius: '33px' })), {})
    for (const value of HOSTILE.filter(({ length }) => length < 100)) {
      await page.goto(addressOf(`?${everywhere(value)}`))
      assert.equal(await page.locator('html').getAttribute('style'), null, value)
    }
    assert.deepEqual(faults, [])
  })

  test('a hostile value of a place is not handed on', async (t) => {
    const long = 'f'.repeat(10_000)
    const style = `--keywright-page: url(https://evil.example/x); --keywright-text: ${long};
      --keywright-font: ${long}; --keywright-accent: rgb(0 0 0 / 50%); --keywright-radius: ${long}`
    const { inner, faults } = await framed(t, style)
    assert.equal(new URL(inner.url()).search, '')
    assert.equal(await inner.locator('html').getAttribute('style'), null)
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
