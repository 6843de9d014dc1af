// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { isTooWide, watched } from './watched.ts'

const HOSTILE = {
  script: '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  'right to left': '\u202e\u2066gnitteL\u0000\ud800',
  address: 'javascript:alert(1)',
  'as long as a book': 'x'.repeat(10_000),
} as const

/** With these being wrong a checkout cannot be opened, which is another page. */
const OPENS =
  /_id$|^(licenses|billing_cycle|currency|default_currency|trial|license_key|authorization|user_|country|zip|vat|sandbox|s_ctx|cart|__fs|dunning|is_payment|coupon|mode)/

const sourceOf = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8')

/** What is text to the server as well. */
const KEPT = ['user_firstname', 'user_lastname', 'coupon', 'address_city', 'affiliate_user_id']

/** Each parameter that the page reads: by its name in a call, or in the list of those that go on as they are. */
async function readByPage(): Promise<string[]> {
  const text = await sourceOf('web/checkout/address.ts')
  const [, same = ''] = /\nconst SAME = \[([^\]]*)\]/.exec(text) ?? []
  const calls = [...text.matchAll(/\b(?:get|is)\(((?:'\w+'(?:, )?)+)\)/g)].map(([, names = '']) => names)
  return [same, ...calls].flatMap((names) => names.match(/\w+/g) ?? [])
}

/** The same, and each that the documents name, also those that are ignored. */
async function parameters(): Promise<string[]> {
  const text = await sourceOf('docs/selling.md')
  const [, section = ''] = /\n## Parameters\n([^]*?)\n## /.exec(text) ?? []
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll(/\([^)]*\)/g, '').match(/`\w+`/g),
  )
  const documented = cells.map((name) => (name ?? '').replaceAll('`', ''))
  return [...new Set([...documented, ...(await readByPage())])]
}

describe('what is hostile in any parameter of a checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let names: string[] = []
  before(async () => {
    app = await startWebApp('web_hostile')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
    names = await parameters()
    assert.ok(names.length > 60, `${names.length} parameters are documented`)
  })
  after(async () => {
    await app.close()
  })

  type Values = Readonly<Record<string, string>>

  /** With an address that may be longer than a server takes it, of a page that came by a shorter one. */
  async function open(t: TestContext, more: Values) {
    const { page, faults, allows, close } = await watched(browser, { origins: [app.address] })
    allows('400 /sessions.json', '404 /sessions.json', '413 /sessions.json')
    t.after(close)
    page.on('dialog', (dialog) => faults.push(`said ${dialog.message()}`))
    await page.route(
      ({ pathname, search }) => pathname.startsWith('/checkout/') && search.length > 8_000,
      async (route) => route.fulfill({ response: await route.fetch({ url: hosted.addressOf() }) }),
    )
    await page.goto(hosted.addressOf(more))
    return { page, faults }
  }

  async function requireText(page: Page, heading: RegExp) {
    await page.locator('form, h1:not(.loading)').first().waitFor()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    assert.equal(await isTooWide(page), false)
    const foreign = '#app script, #app [onerror], #app img, #app a:not([href^="http"]), #app iframe'
    assert.equal(await page.locator(foreign).count(), 0)
  }

  async function requireHarmless(t: TestContext, more: Values, heading: RegExp) {
    const { page, faults } = await open(t, more)
    await requireText(page, heading)
    const address = page.url().replace(/[?#].*/, '')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForLoadState('networkidle')
    assert.ok(page.url() === 'about:blank' || page.url().startsWith(address), page.url())
    assert.deepEqual(faults, [])
  }

  const all = (value: string, which: (name: string) => boolean): Values =>
    Object.fromEntries(names.filter(which).map((name) => [name, value]))
  const opens = (name: string) => OPENS.test(name) && name !== 'mode'
  const ofProduct = /^(product|plugin|app)(_id)?$/

  for (const [name, value] of Object.entries(HOSTILE)) {
    test(`${name}: in all that says how it looks it is text, or nothing`, (t) =>
      requireHarmless(
        t,
        all(value, (one) => !OPENS.test(one)),
        /./,
      ))

    test(`${name}: in all that a checkout is opened with it says that it cannot be opened`, (t) =>
      requireHarmless(
        t,
        all(value, (one) => opens(one) && !ofProduct.test(one)),
        /cannot be opened/,
      ))

    // Text that turns what stands beside it around is refused, as is text that is too long.
    const isKept = name === 'script' || name === 'address'
    test(`${name}: in what a checkout keeps of its buyer it is ${isKept ? 'text' : 'refused'}`, async (t) => {
      const { page, faults } = await open(t, Object.fromEntries(KEPT.map((one) => [one, value])))
      await requireText(page, isKept ? /First product/ : /cannot be opened/)
      if (isKept) assert.equal(await page.getByLabel('First name').inputValue(), value)
      assert.deepEqual(faults, [])
    })
  }

  // Of these, one that is refused hides what the others would do; what says how it looks is seen together above.
  test('alone in each that a checkout is opened with a script is text, or it cannot be opened', async (t) => {
    const { page, faults } = await open(t, {})
    const alone = names.filter((name) => OPENS.test(name))
    assert.ok(alone.length > 30, `${alone.length} parameters`)
    for (const one of alone) {
      await page.goto(hosted.addressOf({ [one]: HOSTILE.script }))
      await requireText(page, /./)
      assert.deepEqual(faults, [], one)
    }
  })

  const NOWHERE = ['javascript:alert(1)', '//evil.example/']

  test('no way back that is no address of the web is gone after paying, or when leaving', async (t) => {
    for (const [at, url] of NOWHERE.entries()) {
      const ways = { return_url: url, cancel_url: url, redirect_url: url, success_url: url }
      const site = { mode: 'dashboard', install_data: JSON.stringify({ site_url: url, return_url: url }) }
      const { page, faults } = await open(t, { ...ways, ...site })
      await fillIn(page, `led-nowhere-${at}@example.com`)
      const before = new URL(page.url())
      await payButton(page).click()
      await thanked(page)
      await page.waitForLoadState('networkidle')
      const { origin, pathname } = new URL(page.url())
      assert.deepEqual([origin, pathname], [before.origin, before.pathname], url)
      assert.deepEqual(faults, [])
    }
  })
})
