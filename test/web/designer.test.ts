// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { html, startSite } from './site.ts'
import { requireAccessible, requireAccessibleEverywhere, watched } from './watched.ts'

/** What waits until a page is painted waits longer than a checkout takes to open, as on a busy machine. */
const PAINTS_LATE = `{
  const { setTimeout } = window
  window.requestAnimationFrame = (then) => setTimeout(then, 4000)
  window.setTimeout = (then, ms, ...more) => setTimeout(then, ms > 10 && ms < 200 ? 4000 : ms, ...more)
}`

const HOSTILE = '"><img src=x onerror=alert(1)></script><script>throw 1</script>'

describe('the designer of the checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let shop: ChangeShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_designer')
    shop = await changeShop(app)
    browser = await sharedBrowser()
  })
  after(async () => {
    await app.close()
  })

  async function open(t: TestContext, more: Readonly<Record<string, string>> = {}, options: object = {}) {
    const opened = await watched(browser, { origins: [app.address], ...options })
    t.after(opened.close)
    const query = new URLSearchParams({ plugin_id: String(app.seller.product.id), ...more })
    await opened.page.goto(`${app.address}/checkout/designer?${query}`)
    await opened.page.locator('h1').waitFor()
    return opened
  }

  const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]')
  const choose = (page: Page, form: string) => page.getByRole('radio', { name: form }).check()
  const code = (page: Page) => page.locator('pre').innerText()

  test('what is chosen is in the link, the script, the button and the preview', async (t) => {
    const { page, faults } = await open(t, shop.sandbox())
    await page.getByText('First product', { exact: true }).waitFor()
    await page.getByText('Test mode: what is bought').waitFor()
    await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'pro' })
    await page.getByLabel('Billing cycle').selectOption({ label: 'Monthly' })
    await page.getByText('How it looks').click()
    await page.getByLabel('Subtitle').fill('For one & all')
    await preview(page).getByText('For one & all').waitFor()
    await preview(page).getByText('$20.00').first().waitFor()
    const chosen = `plan_id=${shop.plans.pro}&billing_cycle=monthly`
    assert.equal(
      await code(page),
      `${app.address}/checkout/product/${app.seller.product.id}/?${chosen}&subtitle=For+one+%26+all`,
    )
    await choose(page, 'Script')
    assert.match(await code(page), /"subtitle": "For one & all"/)
    await choose(page, 'Button')
    assert.match(await code(page), /data-subtitle="For one &amp; all"/)
    await page.getByRole('button', { name: 'Clear all' }).click()
    assert.doesNotMatch(await code(page), /plan/)
    assert.deepEqual(faults, [])
  })

  test('the button that it makes opens the checkout on another site', async (t) => {
    const { page } = await open(t, { title: 'Ours "alone"', ...shop.sandbox() })
    await choose(page, 'Button')
    const made = await code(page)
    const site = await startSite({ '/': html(`<!doctype html><title>Shop</title>${made}`) })
    const { page: other, faults, close } = await watched(browser, { origins: [app.address, site.address] })
    t.after(async () => {
      await close()
      await site.close()
    })
    await other.goto(site.address)
    await other.getByRole('button', { name: 'Buy' }).click()
    await other
      .frameLocator('iframe[id^="fs-checkout-page"]')
      .getByRole('heading', { name: 'Ours "alone"' })
      .waitFor()
    assert.deepEqual(faults, [])
  })

  test('the sandbox of its address is that of the preview, and in no code', async (t) => {
    const { page } = await open(t, shop.sandbox())
    await page.locator('iframe').waitFor()
    assert.match((await page.locator('iframe').getAttribute('src')) ?? '', /sandbox=/)
    for (const form of ['Link', 'Script', 'Button']) {
      await choose(page, form)
      assert.doesNotMatch(await code(page), /sandbox|s_ctx/)
    }
    const { page: live } = await open(t)
    await live.getByText('This is the live checkout').waitFor()
  })

  test('code is copied by a click', async (t) => {
    const { page } = await open(t, {}, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await code(page))
  })

  test('a preview leaves no cart, and waits until nothing changes', async (t) => {
    const { page } = await open(t)
    await page.locator('iframe').waitFor()
    const shown: string[] = []
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) shown.push(frame.url())
    })
    await page.getByLabel('Coupon', { exact: true }).pressSequentially('SPRING')
    await page.locator('iframe[src*="coupon=SPRING"]').waitFor()
    await preview(page).locator('form, h1').first().waitFor()
    assert.ok(!shown.some((url) => /coupon=S(&|#|$)/.test(url)), shown.join(' '))
    assert.deepEqual(await app.ctx.db.selectFrom('carts').select('id').execute(), [])
  })

  test('a preview takes no focus from who is typing, and has it by the Tab key and by a click', async (t) => {
    const { page } = await open(t)
    await page.evaluate(PAINTS_LATE)
    await page.getByLabel('Coupon', { exact: true }).fill('SPRING')
    await page.locator('iframe[src*="coupon=SPRING"]').waitFor()
    const field = preview(page).getByLabel('Email address')
    await field.waitFor()
    // The checkout has drawn its form, and what it does as it opens is done.
    await preview(page)
      .locator('html')
      .evaluate(() => new Promise((done) => setTimeout(done)))
    await page.locator('#coupon:focus').waitFor()
    await page.keyboard.type('!')
    assert.equal(await page.getByLabel('Coupon', { exact: true }).inputValue(), 'SPRING!')
    await page.locator('iframe[src*="coupon=SPRING%21"]').waitFor()
    await field.click()
    await page.keyboard.type('a@b.example')
    assert.equal(await field.inputValue(), 'a@b.example')
    await page.getByRole('button', { name: 'Reload' }).focus()
    await page.keyboard.press('Tab')
    await preview(page).locator('button:focus').waitFor()
  })

  test('it asks nothing of the server but its files, the product and the preview', async (t) => {
    const { page } = await open(t)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.frame() === page.mainFrame()) asked.push(pathname)
    })
    await page.reload()
    await preview(page).locator('form, h1').first().waitFor()
    const own = asked.filter((path) => !/^\/(-\/web\/|favicon)/.test(path))
    const product = `/v1/checkout/products/${app.seller.product.id}.json`
    assert.deepEqual(own.toSorted(), ['/checkout/designer', product].toSorted())
  })

  test('what is chosen survives a reload; who buys is not in the address', async (t) => {
    const { page } = await open(t)
    await page.getByLabel('Coupon', { exact: true }).fill('SPRING')
    await page.getByText('Who buys').click()
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.waitForURL(/coupon=SPRING/)
    assert.doesNotMatch(page.url(), /ada/)
    await page.reload()
    assert.equal(await page.getByLabel('Coupon', { exact: true }).inputValue(), 'SPRING')
  })

  test('a product that is not there is said to be none; hostile values are text', async (t) => {
    const { page, faults, allows } = await open(t, { plugin_id: '987654', title: HOSTILE, plan_id: HOSTILE })
    allows('404 /products/987654.json')
    await page.getByText('There is no such product.').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    for (const form of ['Link', 'Script', 'Button']) await choose(page, form)
    assert.equal(await page.locator('img').count(), 0)
    await page.getByLabel('Product').fill('<b>')
    await page.getByText('There is no such product.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('it is accessible in light and dark, at 1280, 375 and 320 pixels, in German too', async (t) => {
    const { page, faults } = await open(t, shop.sandbox())
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })
    await preview(page).locator('form, h1').first().waitFor()
    await requireAccessibleEverywhere(page, 'the designer')
    const { page: german } = await open(t, {}, { locale: 'de-DE' })
    await german.getByRole('heading', { name: 'Checkout gestalten' }).waitFor()
    await requireAccessible(german, 'German')
    assert.deepEqual(faults, [])
  })

  test('nobody may hold it in a frame', async () => {
    const { headers } = await fetch(`${app.address}/checkout/designer`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-src 'self';.*frame-ancestors 'none'$/)
    assert.doesNotMatch(policy, /unsafe/)
  })
})
