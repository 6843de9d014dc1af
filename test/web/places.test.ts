// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { html, startSite } from './site.ts'
import { watched } from './watched.ts'

describe('a checkout where it is opened', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let hosted: Hosted
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_places')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  test('the way back is to who led here, and is not drawn where nobody did', async (t) => {
    const link = (id: string, rel: string) =>
      `<a id="${id}" target="_blank" rel="${rel}" href="${hosted.addressOf()}">Buy</a>`
    const site = await startSite({
      '/': html(`<h1>Shop</h1>${link('led', 'noopener')} ${link('alone', 'noopener noreferrer')}`),
    })
    const { page, close } = await watched(browser)
    t.after(async () => {
      await close()
      await site.close()
    })
    await page.goto(site.address)
    const openBy = async (id: string) => {
      const opening = page.context().waitForEvent('page')
      await page.click(`#${id}`)
      const opened = await opening
      await payButton(opened).waitFor()
      return opened
    }
    const led = await openBy('led')
    await led.getByRole('button', { name: 'Back' }).click()
    await led.waitForURL(`${site.address}/`)
    const alone = await openBy('alone')
    assert.equal(await alone.getByRole('button', { name: 'Back' }).count(), 0)
    await fillIn(alone, 'alone@example.com')
    await payButton(alone).click()
    await thanked(alone)
    assert.equal(await alone.getByRole('button', { name: 'Got it' }).count(), 0)
  })

  test('what is wrong in its address is named, and one without a product is none', async (t) => {
    const { page } = await hosted.open(t, { plan_id: 'x' })
    await page.getByText(/^Its address is wrong: .*plan_id/).waitFor()
    await page.goto(`${app.address}/checkout/`)
    await page.getByText('There is nothing at this address.').waitFor()
  })

  test('it is paid on an origin of its own, and by another name of its server', async (t) => {
    const other = app.address.replace('127.0.0.1', 'localhost')
    const { page } = await hosted.open(t, {}, { origins: [other] })
    for (const checkoutUrl of [other, undefined]) {
      Object.assign(app.ctx.config, { checkoutUrl })
      await page.goto(hosted.addressOf().replace(app.address, other))
      await fillIn(page, `origin${String(checkoutUrl !== undefined)}@example.com`)
      await payButton(page).click()
      await thanked(page)
    }
  })

  test('it says by which software it is made, unless the seller does not want that', async (t) => {
    const { page } = await hosted.open(t)
    await page.getByText('Made with Keywright').waitFor()
    const set = (keywright_badge: boolean) =>
      app.call('PUT', `${hosted.shop.base}/settings.json`, {
        body: { setting_type: 7, data: JSON.stringify({ keywright_badge }) },
      })
    assert.equal((await set(false)).status, 200)
    t.after(() => set(true))
    await page.goto(hosted.addressOf())
    await payButton(page).waitFor()
    assert.equal(await page.getByText('Made with Keywright').count(), 0)
  })
})
