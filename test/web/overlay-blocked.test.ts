// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import {
  hasHeard,
  innerOf,
  namesOf,
  heardBy,
  openIt,
  overlayShop,
  pay,
  prefill,
  pressAway,
  thankedIn,
  told,
  type OverlayShop,
} from './overlay-shop.ts'

/** As a browser does that blocks whatever a frame of another site would keep. */
const THROWS = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })
  Object.defineProperty(document, 'cookie', { get() { throw new DOMException('blocked', 'SecurityError') } })
`

const COOKIE = `document.cookie = 'tried=1; SameSite=None; Secure', document.cookie.includes('tried=1')`

describe(
  'the overlay of shops in browsers that keep little',
  { skip: !hasBrowser && 'no browser here' },
  () => {
    let app: TestApp
    let sold: OverlayShop
    let browser: Browser
    before(async () => {
      app = await startWebApp('web_overlay_blocked')
      browser = await openBrowser({ blocksThirdParties: true })
      sold = await overlayShop(app, browser)
    })
    after(async () => {
      await browser.close()
      await app.close()
    })

    test('with cookies of third parties blocked it is bought from', async (t) => {
      const { page, frame, faults } = await sold.open(t)
      await openIt(page, frame)
      const inner = innerOf(page, app) ?? assert.fail()
      assert.equal(await inner.evaluate(COOKIE), false, 'the browser blocks them')
      await prefill(frame)
      await pay(frame)
      await thankedIn(frame)
      await hasHeard(page, 'purchaseCompleted')
      assert.deepEqual(await told(page, /purchaseCompleted/), ['purchaseCompleted'])
      assert.deepEqual(faults, [])
    })

    test('with storage that throws inside of the frame it is bought from', async (t) => {
      const { page, frame, faults } = await sold.open(t)
      await page.addInitScript(`if (window !== top) { ${THROWS} }`)
      await page.reload()
      await openIt(page, frame)
      const inner = innerOf(page, app) ?? assert.fail()
      await assert.rejects(inner.evaluate('localStorage.length'), /blocked/)
      await prefill(frame)
      await pay(frame)
      await thankedIn(frame)
      pressAway(frame, 'Got it')
      await hasHeard(page, 'afterClose')
      assert.deepEqual(await told(page, /purchaseCompleted|success|cancel/), ['purchaseCompleted', 'success'])
      assert.deepEqual(faults, [])
    })

    /** Notes in order when the frame of the checkout has loaded, as the editor of a WordPress plugin hears of it. */
    const noteLoad = (page: Page) =>
      page.evaluate(`new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          const frame = node.querySelector?.('iframe')
          frame?.addEventListener('load', () => window.heard.push(['iframe load']))
        }
    }).observe(document.body, { childList: true, subtree: true })`)

    test('it says that it loads before its frame has loaded, cold and warm', async (t) => {
      const { page, frame } = await sold.open(t)
      for (const place of ['cold', 'warm']) {
        await noteLoad(page)
        await openIt(page, frame)
        await page.waitForFunction("window.heard.some(([name]) => name === 'iframe load')")
        const order = namesOf(await heardBy(page)).filter((name) => /^(track load|iframe load)$/.test(name))
        assert.deepEqual(order, ['track load', 'iframe load'], place)
        await page.reload()
      }
    })

    test('the first field of the frame that is empty has the focus', async (t) => {
      for (const [options, name] of [
        [{}, 'email'],
        [{ user_email: 'known@example.com' }, 'country'],
      ] as const) {
        const { page, frame } = await sold.open(t, { options })
        await openIt(page, frame)
        await frame.locator(`[name="${name}"]:focus`).waitFor()
        await page.waitForFunction("document.activeElement?.tagName === 'IFRAME'")
      }
    })
  },
)
