// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { createInstallOf, createOwner } from '../installs.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { contextOf } from '../site-context.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { dashboard } from './dashboard.ts'
import { codeOf, placed } from './documents.ts'
import { countPayments, fillIn, payButton, thanked, waive } from './hosted.ts'
import { frameIn, pay, prefill, pressAway, thankedIn } from './overlay-shop.ts'
import { bundledReact } from './react.ts'
import { html, startSite } from './site.ts'
import { PATIENCE, watched } from './watched.ts'

describe('each way of selling that the documents show', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let shop: ChangeShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_ways')
    shop = await changeShop(app)
    browser = await sharedBrowser()
  })
  after(async () => {
    await app.close()
  })

  /** A page of a shop on another origin, with what it says in its console. */
  async function openShop(t: TestContext, body: string, script = '') {
    const site = await startSite({
      '/': html(`<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`),
      '/shop.js': { type: 'text/javascript', body: script },
      '/thanks': html('<h1>Thanks</h1>'),
    })
    const { page, faults, close } = await watched(browser, { origins: [app.address, site.address] })
    t.after(async () => {
      await close()
      await site.close()
    })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(site.address)
    return { page, faults, said, site }
  }

  /** The options that make a script sell in the sandbox, as the documents say them. */
  function inSandbox(code: string): string {
    const { s_ctx_ts: ctx, sandbox: token } = shop.sandbox()
    const options = JSON.stringify({ ctx, token })
    return code.replace(`plan_id: '${shop.plans.pro}'`, (plan) => `${plan}, sandbox: ${options}`)
  }

  async function buyOver(page: Page, frame: FrameLocator): Promise<void> {
    await page.getByRole('button', { name: 'Buy' }).click()
    await prefill(frame)
    await pay(frame)
    await thankedIn(frame)
  }

  async function requireBought(work: () => Promise<void>): Promise<void> {
    const before = await countPayments(app)
    await work()
    assert.equal(await countPayments(app), before + 1)
  }

  test('a link', async (t) => {
    const [code = ''] = await codeOf('link')
    const link = placed(code, app, shop).replace('?', `?${new URLSearchParams(shop.sandbox())}&`)
    const { page, faults } = await openShop(t, link)
    await page.getByRole('link', { name: 'Buy' }).click()
    await requireBought(async () => {
      await fillIn(page, 'link@example.com')
      await payButton(page).click()
      await thanked(page)
    })
    assert.deepEqual(faults, [])
  })

  test('a button with data- attributes', async (t) => {
    const [code = ''] = await codeOf('script')
    const { s_ctx_ts: ctx, sandbox: token } = shop.sandbox()
    const more = ` data-sandbox="${token}" data-s-ctx-ts="${ctx}">Buy`
    const { page, faults } = await openShop(t, placed(code, app, shop).replace('>Buy', more))
    await requireBought(() => buyOver(page, frameIn(page)))
    assert.deepEqual(faults, [])
  })

  test('a script', async (t) => {
    const [, code = ''] = await codeOf('script')
    const { page, faults, said, site } = await openShop(t, inSandbox(placed(code, app, shop)))
    await requireBought(() => buyOver(page, frameIn(page)))
    await t.waitFor(() => assert.match(said.join('\n'), /^buyer@example\.com \d+$/m), PATIENCE)
    pressAway(frameIn(page), 'Got it')
    await page.waitForURL(`${site.address}/thanks`)
    assert.deepEqual(faults, [])
  })

  test('a component of React', async (t) => {
    const [code = ''] = await codeOf('react')
    const script = await bundledReact(inSandbox(placed(code, app, shop)), 'BuyButton')
    const body = '<div id="root"></div><script type="module" src="/shop.js"></script>'
    const { page, faults, said } = await openShop(t, body, script)
    await requireBought(() => buyOver(page, frameIn(page)))
    await t.waitFor(() => assert.match(said.join('\n'), /^buyer@example\.com \d+$/m), PATIENCE)
    assert.deepEqual(faults, [])
  })

  test('the dashboard of a WordPress site, at the address that its configuration says', async (t) => {
    const [code = ''] = await codeOf('wordpress')
    const [, address = ''] =
      /^define\( 'FS_CHECKOUT__ADDRESS', '([^']+)' \);$/m.exec(placed(code, app, shop)) ?? []
    const site = await createInstallOf(app, await createOwner(app, 'wordpress@example.com'), {
      url: 'https://way.example',
    })
    const path = (admin: string) =>
      `/?${new URLSearchParams({
        mode: 'dashboard',
        plugin_id: String(app.seller.product.id),
        plan_id: shop.plans.pro,
        ...contextOf(app, site),
        ...shop.sandbox(),
        return_url: `${admin}/wp-admin/`,
      })}`
    const { page, frame, faults } = await dashboard(t, { browser, app: { address }, path })
    await requireBought(async () => {
      await frame.getByLabel('Country').selectOption('DE')
      await waive(frame)
      await frame.locator('form button.primary').click()
      await page.waitForFunction('window.forwarded')
    })
    assert.deepEqual(faults, [])
  })

  test('a page of your own, which makes the calls by itself', async (t) => {
    const [code = ''] = await codeOf('own-page')
    const options = Object.entries(shop.sandbox()).map(([name, value]) => `${name}: '${value}'`)
    const own = placed(code, app, shop).replace(/plan_id: '\d+'/, (plan) => [plan, ...options].join(', '))
    const { page, faults } = await openShop(t, own)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.accept()
    })
    await page.getByLabel('Email address').fill('own@example.com')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Country').fill('de')
    await requireBought(async () => {
      await page.getByRole('button', { name: 'Buy' }).click()
      await page
        .getByRole('status')
        .getByText(/^Your license key is \S{20,}\.$/)
        .waitFor()
    })
    assert.match(asked.join(), /^Pay [\d.]+ usd\?\n\n.*withdraw/s)
    assert.deepEqual(faults, [])
  })
})
