// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { WebOperation } from '../../src/http/other-replies.ts'
import { buildServer } from '../../src/http/server.ts'
import { createLog } from '../../src/log.ts'
import { startServer } from '../../src/start.ts'
import type { Unbuilt } from '../../src/web/build.ts'
import { replyUnbuilt } from '../../src/web/pages.ts'
import { testContext } from '../app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { dashboard } from './dashboard.ts'
import { escape, frameIn, hasHeard, told } from './overlay-shop.ts'
import { startShop } from './shop.ts'
import { requireAccessibleEverywhere, watched } from './watched.ts'

describe('a checkout whose page is not built', { skip: !hasBrowser && 'no browser here' }, () => {
  let browser: Browser
  let why: Unbuilt = 'failed'
  let address = ''
  const ends: (() => Promise<unknown>)[] = []
  before(async () => {
    browser = await sharedBrowser()
    const log = createLog('silent', { write: () => {} })
    const { ctx, drop } = await testContext('web_unbuilt_frame', { log })
    const running = await startServer(ctx)
    const handle = async () => replyUnbuilt(why)
    const root: WebOperation = { reply: 'web', id: 'unbuilt', paths: ['/'], handle }
    const server = buildServer(running.server.frame, [root], () => {})
    address = await server.listen({ port: 0, host: '127.0.0.1' })
    ends.push(
      () => server.close(),
      () => running.stop(),
      drop,
    )
  })
  after(async () => {
    for (const end of ends) await end()
  })

  async function openShop(t: TestContext, state: Unbuilt) {
    why = state
    const site = await startShop({ address }, { options: { product_id: '1' } })
    const { page, faults, allows, close } = await watched(browser, { origins: [address, site.address] })
    allows('503')
    t.after(async () => {
      await close()
      await site.close()
    })
    await page.goto(site.address)
    await page.click('#buy')
    const frame = frameIn(page)
    await frame.getByRole('button', { name: 'Close' }).waitFor()
    await hasHeard(page, 'afterOpen')
    return { page, frame, faults }
  }

  test('tells the shop that it is there, and says why', async (t) => {
    const { page, frame, faults } = await openShop(t, 'failed')
    await frame.getByText('This page could not be built.').waitFor()
    assert.deepEqual(await told(page, /./), ['track load', 'afterOpen'])
    const inner = page.frames().find((one) => one.url().startsWith(address)) ?? assert.fail()
    await requireAccessibleEverywhere(page, 'a page that is not built', inner)
    assert.deepEqual(faults, [])
  })

  test('is closed by its button, by Escape and by the shop', async (t) => {
    for (const way of ['button', 'escape', 'shop'] as const) {
      const { page, frame, faults } = await openShop(t, 'failed')
      if (way === 'button') await frame.getByRole('button', { name: 'Close' }).click()
      if (way === 'escape') escape(page)
      if (way === 'shop') await page.evaluate('window.checkout.close()')
      await hasHeard(page, 'afterClose')
      await page.locator('iframe').waitFor({ state: 'detached' })
      assert.deepEqual(await told(page, /cancel|success|afterClose/), ['cancel', 'afterClose'], way)
      assert.deepEqual(faults, [], way)
    }
  })

  test('looks again while it is built, and still knows its shop then', async (t) => {
    const { page } = await openShop(t, 'building')
    await page.waitForFunction("window.said.filter((type) => type === 'loaded').length >= 2")
  })

  test('has no way to close in a tab, or in a dashboard, and tells that nothing', async (t) => {
    why = 'failed'
    const { page, close } = await watched(browser, { origins: [address] })
    t.after(close)
    await page.goto(`${address}/?plugin_id=1`)
    await page.getByText('This page could not be built.').waitFor()
    assert.equal(await page.getByRole('button').count(), 0)
    const wp = await dashboard(t, { browser, app: { address }, path: '/?plugin_id=1&mode=dashboard' })
    await wp.frame.getByText('This page could not be built.').waitFor()
    assert.equal(await wp.frame.getByRole('button').count(), 0)
    assert.deepEqual(await wp.heard(), [])
  })

  test('runs its own script alone', async () => {
    const policy = (await fetch(address)).headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-/)
    assert.ok(!policy.includes('unsafe'))
  })
})
