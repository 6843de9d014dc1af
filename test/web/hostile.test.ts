// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { hostedCheckout, type Hosted } from './hosted.ts'
import { isTooWide } from './watched.ts'

const HOSTILE = {
  script: '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  'right to left': '\u202e\u2066gnitteL\u0000\ud800',
  address: 'javascript:alert(1)',
  'as long as a server takes it': 'x'.repeat(10_000),
} as const

/** With these being wrong a checkout cannot be opened, which is another page. */
const OPENS =
  /_id$|^(licenses|billing_cycle|currency|default_currency|trial|license_key|authorization|user_|country|zip|vat|sandbox|s_ctx|cart|__fs|dunning|is_payment|coupon|mode)/

/** Each parameter that the documents name, also those that are ignored. */
async function parameters(): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, '../../docs/selling.md'), 'utf8')
  const [, section = ''] = /\n## Parameters\n([^]*?)\n## /.exec(text) ?? []
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll(/\([^)]*\)/g, '').match(/`\w+`/g),
  )
  return [...new Set(cells.map((name) => (name ?? '').replaceAll('`', '')))]
}

describe('what is hostile in any parameter of a checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let names: string[] = []
  before(async () => {
    app = await startWebApp('web_hostile')
    browser = await openBrowser()
    hosted = await hostedCheckout(app, browser)
    names = await parameters()
    assert.ok(names.length > 60, `${names.length} parameters are documented`)
  })
  after(async () => {
    await browser.close()
    await app.close()
  })

  async function requireHarmless(t: TestContext, more: Readonly<Record<string, string>>, heading: RegExp) {
    const { page, faults } = await hosted.open(t, more)
    page.on('dialog', (dialog) => faults.push(`said ${dialog.message()}`))
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    assert.equal(await isTooWide(page), false)
    const foreign = '#app script, #app [onerror], #app img, #app a:not([href^="http"]), #app iframe'
    assert.equal(await page.locator(foreign).count(), 0)
    const address = page.url().replace(/[?#].*/, '')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForLoadState('networkidle')
    assert.ok(page.url() === 'about:blank' || page.url().startsWith(address), page.url())
    assert.deepEqual(faults, [])
  }

  for (const [name, value] of Object.entries(HOSTILE)) {
    test(`${name}: in all that says how it looks it is text, or nothing`, async (t) => {
      const looks = names.filter((one) => !OPENS.test(one))
      const values = Object.fromEntries(looks.map((one) => [one, value]))
      if (value.length < 1_000) return requireHarmless(t, values, /./)
      // All of them at once are more than an address may have.
      for (const one of ['title', 'subtitle', 'modal_title', 'id', 'locale'])
        await requireHarmless(t, { [one]: value }, /./)
    })

    test(`${name}: in all that a checkout is opened with it says that it cannot be opened`, async (t) => {
      const values = names.filter((one) => OPENS.test(one) && one !== 'product_id' && one !== 'mode')
      if (value.length < 1_000) {
        const all = Object.fromEntries(values.map((one) => [one, value]))
        return requireHarmless(t, all, /cannot be opened/)
      }
      for (const one of ['plan_id', 'license_key']) {
        await requireHarmless(t, { [one]: value }, /cannot be opened/)
      }
    })
  }
})
