// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { en } from '../../web/checkout/texts/en.ts'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hostedCheckout, waive, type Hosted } from './hosted.ts'
import { isTooWide, watched } from './watched.ts'

type Query = Readonly<Record<string, string>>
type Texts = { readonly [name: string]: string | Texts }

/** The English texts as a build writes them: a key and a literal. */
const written = (texts: Texts): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [`${name}:\`${text}\``] : written(text),
  )

/** A build whose texts stand in brackets, so that what is written anywhere else stands out; `more` ends each. */
function inBrackets(script: string, more: (length: number) => string): string {
  let changed = script
  for (const text of written(en)) {
    assert.ok(script.includes(text), `the build has ${text}`)
    const end = `${more(text.length - text.indexOf('`') - 2)}]\``
    changed = changed.replaceAll(text, text.replace(':`', ':`[').replace(/`$/, end))
  }
  return changed
}

/** Two fifths of so many letters, in words. */
const longer = (length: number): string => 'lengthened '.repeat(10).slice(0, Math.ceil(length * 0.4))

/** All that a buyer reads or hears, but choices that are data: countries, states, numbers, currencies. */
const READ = `(() => {
  const isShown = (one) => one.checkVisibility() && !one.closest('script, style, option[value=""] ~ option')
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
  const all = []
  while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) all.push(walker.currentNode.data)
  for (const one of document.querySelectorAll('#app [aria-label], #app [title], #app [placeholder], #app img[alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) all.push(one.getAttribute(name) ?? '')
  return all
})()`

/** What the seller, the buyer or the law has written, and figures. */
const DATA = [
  /First product/g,
  /\b(pro|basic)\b/g,
  /\b(USD|EUR)\b/g,
  /\S+@example\.com/g,
  /request/g,
  /NONE/g,
  /I agree that I am given access at once, .*/g,
]

/** What stands outside of the window, or is wider than what it stands in. */
const OUTSIDE = `[...document.querySelectorAll('#app *')].filter((one) => {
  if (!one.checkVisibility() || one.closest('svg, select')) return false
  const { left, right } = one.getBoundingClientRect()
  const isCut = getComputedStyle(one).display !== 'inline' && one.scrollWidth > one.clientWidth + 1
  return left < -1 || right > innerWidth + 1 || (isCut && !one.matches('input'))
}).map((one) => one.outerHTML.slice(0, 100))`

/** From left to right and from right to left, at each width. */
async function requireRoom(page: Page, name: string): Promise<void> {
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    for (const width of [1280, 375, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await page.evaluate(OUTSIDE), [], `${name}, ${dir}, ${width}`)
      assert.equal(await isTooWide(page), false, `${name}, ${dir}, ${width}`)
    }
  }
}

async function requireBracketed(page: Page, name: string): Promise<void> {
  const texts = await page.evaluate<string[]>(READ)
  assert.ok(
    texts.some((text) => text.includes('[')),
    name,
  )
  const strange = texts.map((text) => {
    const rest = DATA.reduce((left, data) => left.replaceAll(data, ''), text.replaceAll(/\[[^\]]*\]/g, ''))
    return /\p{L}/u.test(rest) ? text : ''
  })
  assert.deepEqual(
    strange.filter((text) => text !== ''),
    [],
    name,
  )
}

describe('the words of the checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_pseudo_language')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  async function open(t: TestContext, more: Query = {}, lengthen: typeof longer = () => '') {
    const { page, close } = await watched(browser, { origins: [app.address] })
    t.after(close)
    await page.route('**/-/web/checkout-*.js', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: inBrackets(await response.text(), lengthen) })
    })
    await page.goto(hosted.addressOf(more))
    await page.locator('form, h1').first().waitFor()
    return page
  }
  const pay = (page: Page) => page.locator('form button.primary').click()
  const fillIn = async (page: Page, token: string) => {
    await page.getByRole('button', { name: '[Prefill the form]' }).click()
    await page.getByLabel('[Test payment]').selectOption(token)
    await page.getByLabel('[Email address]').fill(`${token.replaceAll('_', '-')}@example.com`)
  }

  test('all stand in the texts of a language, in every state of the page', async (t) => {
    const page = await open(t)
    await requireBracketed(page, 'empty')
    await pay(page)
    await page.getByText('[Some details are missing.]').waitFor()
    await page.getByRole('button', { name: '[Add a coupon]' }).click()
    await requireBracketed(page, 'fields missing')
    await page.getByLabel('[Coupon code]').fill('NONE')
    await page.getByRole('button', { name: '[Apply]' }).click()
    await page.getByText('[There is no such coupon.]').waitFor()
    await requireBracketed(page, 'coupon that is none')
    await page.getByRole('button', { name: '[Remove]' }).click()
    await fillIn(page, 'test_declined')
    await page.getByLabel('[Country]').selectOption('DE')
    await page.getByRole('button', { name: '[I buy for a company]' }).click()
    await waive(page)
    await requireBracketed(page, 'filled in')
    await pay(page)
    await page.getByText('[The card was declined').waitFor()
    await requireBracketed(page, 'declined')
    await page.getByLabel('[Test payment]').selectOption('test_pending')
    await pay(page)
    await page.getByRole('heading', { name: '[Waiting for your bank]' }).waitFor()
    await requireBracketed(page, 'waiting')
  })

  test('also of what was bought, of a list of cycles, and of what cannot be opened', async (t) => {
    const page = await open(t, { billing_cycle_selector: 'list' })
    await fillIn(page, 'test_succeeds')
    await requireBracketed(page, 'list of cycles')
    await pay(page)
    await page.getByRole('heading', { name: '[Thank you, Ada]' }).waitFor()
    await requireBracketed(page, 'paid')
    const failed = await open(t, { license_key: 'nobody' })
    await failed.getByRole('heading', { name: '[This checkout cannot be opened]' }).waitFor()
    await requireBracketed(failed, 'failed')
  })

  test('may be two fifths longer and run from right to left: nothing is cut off or stands outside', async (t) => {
    const texts = (name: string) => new RegExp(`^\\[${name}`)
    const page = await open(t, { billing_cycle_selector: 'responsive_list' }, longer)
    await page.getByRole('button', { name: texts('Prefill') }).click()
    await page.getByLabel(texts('Country')).selectOption('DE')
    await page.getByRole('button', { name: texts('I buy for a company') }).click()
    await page.getByRole('button', { name: texts('Add a coupon') }).click()
    await page.getByLabel(texts('Coupon code')).fill('NONE')
    await page.getByRole('button', { name: texts('Apply') }).click()
    await page.getByText(texts('There is no such coupon.')).waitFor()
    await requireRoom(page, 'form')
    await pay(page)
    await page.getByText(texts('Some details are missing.')).waitFor()
    await requireRoom(page, 'what is missing')
    await page.getByRole('button', { name: texts('Remove') }).click()
    await waive(page)
    await page.getByLabel(texts('Test payment')).selectOption('test_needs_confirmation')
    await pay(page)
    await page.getByRole('heading', { name: texts('Waiting') }).waitFor()
    await requireRoom(page, 'waiting')
    await page.getByRole('heading', { name: texts('Thank you') }).waitFor()
    await requireRoom(page, 'paid')
    const failed = await open(t, { license_key: 'nobody' }, longer)
    await failed.getByRole('heading', { name: texts('This checkout cannot') }).waitFor()
    await requireRoom(failed, 'failed')
  })
})
