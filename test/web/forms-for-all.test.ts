// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { isTooWide } from './watched.ts'

/** What the browser may fill in by itself, by the tokens of HTML. */
const TOKENS = {
  email: 'email',
  first: 'given-name',
  last: 'family-name',
  country: 'country',
  region: 'address-level1',
  zip: 'postal-code',
} as const

/** What has the focus: what it is, whether it is in view and not covered, and its outline. */
const FOCUSED = `(() => {
  const one = document.activeElement
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const y = Math.min(Math.max((top + bottom) / 2, top + 4), bottom)
  const at = document.elementFromPoint((left + right) / 2, y)
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  return {
    name: one.getAttribute('name') ?? one.textContent.slice(0, 30) ?? one.tagName,
    isPay: one.matches('button.primary'),
    isBody: one === document.body,
    isSeen: at !== null && (one.contains(at) || at.contains(one) && at.closest('label') !== null),
    outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
  }
})()`

interface Focused {
  readonly name: string
  readonly isPay: boolean
  readonly isBody: boolean
  readonly isSeen: boolean
  readonly outline: number
}

/** Every stop of the Tab key from the first field to the button that pays. */
async function stops(page: Page): Promise<Focused[]> {
  const found: Focused[] = []
  await page.getByLabel('Email address').focus()
  for (let tabs = 0; tabs < 40; tabs++) {
    await page.keyboard.press('Tab')
    const focused = (await page.evaluate(FOCUSED)) as Focused
    found.push(focused)
    if (focused.isPay) return found
  }
  assert.fail(`never at the button: ${found.map(({ name }) => name).join(', ')}`)
}

describe('the form of a checkout, for everybody', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_forms_for_all')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  test('each field about the buyer has its autofill token, and takes what is pasted', async (t) => {
    const { page } = await hosted.open(t)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Country').selectOption('US')
    await page.getByLabel('State').waitFor()
    const told = (await page.evaluate(`Object.fromEntries(
      [...document.querySelectorAll('.buyer [name]')].map((one) => [one.name, one.autocomplete]))`)) as object
    assert.deepEqual(Object.fromEntries(Object.entries(told).filter(([name]) => name in TOKENS)), TOKENS)
    await page.evaluate("navigator.clipboard.writeText('pasted@example.com')")
    await page.getByLabel('Email address').press('Control+V')
    assert.equal(await page.getByLabel('Email address').inputValue(), 'pasted@example.com')
  })

  test('the first field that is wrong gets the focus, and is told why', async (t) => {
    const { page } = await hosted.open(t)
    await page.getByLabel('Email address').fill('someone@example.com')
    await payButton(page).click()
    await page.getByRole('alert').getByText('Some details are missing.').waitFor()
    const country = page.getByLabel('Country')
    await page.locator('[name="country"]:focus').waitFor()
    assert.match((await country.getAttribute('aria-describedby')) ?? '', /field-country-error/)
  })

  test('at 400 % zoom it is bought by keyboard: each stop is in view, and nothing covers it', async (t) => {
    const { page } = await hosted.open(t, {}, { viewport: { width: 320, height: 256 } })
    await fillIn(page, 'zoomed@example.com')
    const found = await stops(page)
    assert.deepEqual(
      found.filter(({ isSeen }) => !isSeen).map(({ name }) => name),
      [],
    )
    assert.equal(await isTooWide(page), false)
    await page.keyboard.press('Enter')
    await thanked(page)
    assert.equal(await isTooWide(page), false)
  })

  test('in forced colours fields and buttons keep their borders, and the focus its ring', async (t) => {
    const { page } = await hosted.open(t, { billing_cycle_selector: 'list' }, { forcedColors: 'active' })
    await fillIn(page, 'forced@example.com')
    const borderless =
      await page.evaluate(`[...document.querySelectorAll('input, select, .primary, .cycle, .box')]
      .filter((one) => !one.matches('[type=radio], [type=checkbox]'))
      .filter((one) => parseFloat(getComputedStyle(one).borderTopWidth) < 1)
      .map((one) => one.outerHTML.slice(0, 80))`)
    assert.deepEqual(borderless, [])
    const found = await stops(page)
    assert.deepEqual(
      found.filter(({ outline }) => outline < 2).map(({ name }) => name),
      [],
    )
  })

  for (const [reducedMotion, moves] of [
    ['reduce', false],
    ['no-preference', true],
  ] as const) {
    test(`${reducedMotion}: what waits ${moves ? 'moves' : 'stands still'}`, async (t) => {
      const { page } = await hosted.open(t, {}, { reducedMotion })
      await fillIn(page, `${reducedMotion}@example.com`)
      await page.getByLabel('Test payment').selectOption('test_pending')
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
      assert.equal(await page.evaluate('document.getAnimations().length > 0'), moves)
    })
  }
})
