// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { startWebApp } from './app.ts'
import {
  escape,
  hasHeard,
  heardBy,
  innerOf,
  namesOf,
  openIt,
  overlayShop,
  pay,
  prefill,
  pressAway,
  pressClose,
  thankedIn,
  type OverlayShop,
} from './overlay-shop.ts'

describe(
  'the overlay of shops, unmodified from the registry',
  { skip: !hasBrowser && 'no browser here' },
  () => {
    let app: TestApp
    let sold: OverlayShop
    let browser: Browser
    before(async () => {
      app = await startWebApp('web_overlay')
      browser = await sharedBrowser()
      sold = await overlayShop(app, browser)
    })
    after(async () => {
      await app.close()
    })

    test('opens, is bought from, and tells the shop: each once, in order, and gives the focus back', async (t) => {
      const { page, frame, faults } = await sold.open(t)
      await openIt(page, frame)
      await hasHeard(page, 'afterOpen')
      assert.deepEqual(namesOf(await heardBy(page)), ['track load', 'afterOpen'])
      await page.waitForFunction("document.activeElement?.tagName === 'IFRAME'")
      await prefill(frame)
      await pay(frame)
      await thankedIn(frame)
      await hasHeard(page, 'purchaseCompleted')
      const bought = (await heardBy(page)).filter(([name]) => name === 'purchaseCompleted')
      assert.equal(bought.length, 1)
      const [, response] = bought[0] as unknown as [
        string,
        { user: { email: string }; purchase: Record<string, unknown> },
      ]
      assert.equal(response.user.email, 'buyer@example.com')
      assert.equal(typeof response.purchase['id'], 'string')
      assert.equal(response.purchase['initial_amount'], 200)
      pressAway(frame, 'Got it')
      await hasHeard(page, 'afterClose')
      const names = namesOf(await heardBy(page))
      assert.deepEqual(
        names.filter((name) => !name.startsWith('track') || name === 'track complete'),
        ['afterOpen', 'track complete', 'purchaseCompleted', 'success', 'afterClose'],
      )
      await page.locator('#buy:focus').waitFor()
      assert.deepEqual(faults, [])
    })

    test('Escape, the cross, the backdrop and close() each cancel once, and the shop is as it was', async (t) => {
      const ways: Readonly<Record<string, (page: Page, frame: FrameLocator) => Promise<unknown>>> = {
        Escape: async (page, frame) => {
          await frame.getByLabel('Email address').focus()
          escape(page)
        },
        cross: async (_, frame) => pressClose(frame),
        backdrop: (page) => page.mouse.click(20, 400),
        'close()': (page) => page.evaluate('window.checkout.close()'),
      }
      for (const [name, close] of Object.entries(ways)) {
        const { page, frame } = await sold.open(t)
        await openIt(page, frame)
        await close(page, frame)
        await hasHeard(page, 'afterClose')
        const said = (await heardBy(page)).map(([what]) => what).filter((what) => what !== 'track')
        assert.deepEqual(said, ['afterOpen', 'cancel', 'afterClose'], name)
        await page.locator('iframe[id^="fs-checkout-page"]').waitFor({ state: 'detached' })
      }
    })

    test('what cannot be opened says why and can be closed', async (t) => {
      const { page, frame } = await sold.open(t, { options: { plan_id: '999' } })
      await page.click('#buy')
      await frame.getByRole('heading', { name: 'This checkout cannot be opened' }).waitFor()
      await frame.getByRole('button', { name: 'Close' }).click()
      await hasHeard(page, 'afterClose')
    })

    test('over a shop with a dark system the shop stays visible', async (t) => {
      const { page, frame } = await sold.open(t, { dark: true })
      await openIt(page, frame)
      const inside = innerOf(page, app) ?? assert.fail()
      const background = await inside.evaluate(
        '(({ backgroundColor: colour, colorScheme: scheme }) => ({ colour, scheme }))(getComputedStyle(document.documentElement))',
      )
      assert.deepEqual(background, { colour: 'rgba(0, 0, 0, 0)', scheme: 'light' })
    })

    test('our own script needs no address, and its frame may use wallets and the clipboard', async (t) => {
      const { page, frame } = await sold.open(t, { script: `${app.address}/js/v1/` })
      await openIt(page, frame)
      const allow = await page.locator('iframe[id^="fs-checkout-page"]').getAttribute('allow')
      assert.equal(allow, 'payment *; clipboard-write *')
    })

    test('a button with data- attributes opens the checkout of what it names', async (t) => {
      const { page, frame } = await sold.open(t, { script: `${app.address}/js/v1/` })
      const { s_ctx_ts: ts, sandbox } = sold.shop.sandbox()
      const options = `data-keywright-product="${app.seller.product.id}" data-plan-id="${sold.shop.plans.pro}" data-licenses="5"`
      const link = `<a id="own" ${options} data-sandbox="${sandbox}" data-s_ctx_ts="${ts}" href="#">Five</a>`
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(link)})`)
      await page.click('#own')
      await frame.getByText('$800.00').first().waitFor()
    })
  },
)
