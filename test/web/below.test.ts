// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hostedCheckout, payButton, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

describe('what a checkout says below its form', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_below')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  async function say(settings: object): Promise<void> {
    const { status, text } = await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
      body: { setting_type: 7, data: JSON.stringify(settings) },
    })
    assert.equal(status, 200, text)
  }

  const TERMS = 'https://shop.example/terms'
  const PRIVACY = 'https://shop.example/privacy'

  test('the terms and the privacy policy of the seller, each where it is told', async (t) => {
    for (const [terms_url, privacy_url, english, german] of [
      [null, null, null, null],
      [
        TERMS,
        null,
        'By paying you accept the terms.',
        'Mit der Zahlung stimmst du den Geschäftsbedingungen zu.',
      ],
      [
        TERMS,
        PRIVACY,
        'By paying you accept the terms and the privacy policy.',
        'Mit der Zahlung stimmst du den Geschäftsbedingungen und der Datenschutzerklärung zu.',
      ],
      [
        null,
        PRIVACY,
        'How your data is used is told in the privacy policy.',
        'Wie deine Daten verwendet werden, steht in der Datenschutzerklärung.',
      ],
    ] as const) {
      await say({ terms_url, privacy_url })
      const links = [terms_url, privacy_url].filter((one) => one !== null)
      for (const [locale, text] of [
        ['en_US', english],
        ['de_DE', german],
      ] as const) {
        const { page, faults } = await hosted.open(t, { locale })
        await payButton(page).waitFor()
        const legal = page.locator('.legal', { has: page.locator('a') })
        assert.deepEqual(await legal.allTextContents(), text === null ? [] : [text])
        const hrefs = await legal.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
        assert.deepEqual(hrefs, links)
        assert.deepEqual(faults, [])
      }
    }
  })

  test('no button to pay where payments are not set up, and why', async (t) => {
    const { page, faults } = await hosted.open(t, { sandbox: '', s_ctx_ts: '' })
    await page.getByText('Payments are not set up here yet.').waitFor()
    assert.equal(await payButton(page).count(), 0)
    await requireAccessibleEverywhere(page, 'payments are not set up')
    assert.deepEqual(faults, [])
  })
})
