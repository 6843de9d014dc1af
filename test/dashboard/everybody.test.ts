// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, shown } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { BORDERLESS, FOCUSED, isLost, type Focused } from './stops.ts'

/** A list, a form, and one with many parts. */
const PAGES = [
  ['licenses', 'Licenses'],
  ['settings', 'Settings'],
  ['licenses/1', 'License #1'],
] as const

/** More stops than a page has rows. */
const STOPS = 60

/** How well the ring of what has the focus is told from what is around it, 1 to 21, as WCAG counts it. */
const RING = `(() => {
  const one = document.activeElement
  const row = one.closest('tr')
  const has = (of) => of && getComputedStyle(of).outlineStyle !== 'none'
  const ringed = has(one) ? one : has(row) ? row : null
  if (!ringed) return 0
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const luminance = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const grounds = []
  for (let of = ringed.parentElement; of; of = of.parentElement)
    grounds.unshift(getComputedStyle(of).backgroundColor)
  const [light, dark] = [luminance(...grounds), luminance(...grounds, getComputedStyle(ringed).outlineColor)]
    .toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
})()`

/** The least that the ring must be told by. */
const LEAST_RING = 3

/** The stops of the Tab key from the beginning of a page. */
async function stops(page: Page): Promise<Focused[]> {
  const found: Focused[] = []
  while (found.length < STOPS) {
    await page.keyboard.press('Tab')
    const focused = (await page.evaluate(FOCUSED)) as Focused
    if (focused.isBody) break
    found.push(focused)
  }
  return found
}

const filled = (page: Page) =>
  page
    .getByRole('button', { name: /^(Save changes|Export|Change plan)$/ })
    .first()
    .waitFor()

/** Waits until what has the focus has this text. */
const requireFocusOn = (page: Page, text: string) =>
  page.locator(':focus', { hasText: new RegExp(`^${text}$`) }).waitFor()

const GROUND = 'getComputedStyle(document.body).backgroundColor'
/** The same once the styles are there, before which a browser paints nothing. */
const FIRST_GROUND = `new Promise((done) => {
  const look = () => {
    const isStyled = [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)
    if (isStyled && document.body) done(${GROUND})
    else setTimeout(look, 10)
  }
  look()
})`
const LIGHT = 'rgb(255, 255, 255)'
const DARK = 'rgb(20, 22, 27)'

describe('the dashboard, for everybody', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_everybody')
  })
  after(() => app.close())

  test('5, 32: in forced colours each stop of Tab is in view, uncovered and has a ring, and fields keep their borders', async (t) => {
    for (const [path, title] of PAGES) {
      const { page, faults } = await app.at(t, path, title)
      await page.emulateMedia({ forcedColors: 'active' })
      await filled(page)
      const found = await stops(page)
      assert.ok(found.length > 20, `${found.length} stops`)
      const lost = found.filter(isLost)
      assert.deepEqual(lost, [], path)
      assert.deepEqual(await page.evaluate(BORDERLESS), [], path)
      assert.deepEqual(faults, [])
    }
  })

  test('5: the ring around what has the focus is told from its ground by 3:1, in light and dark', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults } = await app.at(t, 'licenses', 'Licenses')
      await page.emulateMedia({ colorScheme })
      await filled(page)
      let count = 0
      for (; count < STOPS; count++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate('document.activeElement === document.body')) break
        const told = Number(await page.evaluate(RING))
        const at = await page.evaluate('document.activeElement.outerHTML.slice(0, 100)')
        assert.ok(told >= LEAST_RING, `${colorScheme}: ${told} at ${String(at)}`)
      }
      assert.ok(count > 20, `${count} stops`)
      assert.deepEqual(faults, [])
    }
  })

  test('5: after a dialog the focus is on what opened it', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    const dialog = page.getByRole('dialog')
    for (const [path, name] of [
      ['licenses', 'Issue a license'],
      ['licenses', 'Export'],
      ['licenses/1', 'Change'],
      ['licenses/1', 'Cancel license'],
      ['webhooks', 'Add a webhook'],
    ] as const) {
      await page.goto(`${app.product}/${path}`)
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await button.and(page.locator(':focus')).waitFor()
    }
    assert.deepEqual(faults, [])
  })

  test('30: dark follows the system and can be set, and it is dark before any script of the page is there', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    for (const [colorScheme, ground] of [
      ['dark', DARK],
      ['light', LIGHT],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Licenses' }).waitFor()
      assert.equal(await page.evaluate(GROUND), ground)
    }
    await page.locator('.person').click()
    await page.getByRole('menuitemradio', { name: 'As the system', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    assert.equal(await page.evaluate(GROUND), DARK)
    const held: (() => void)[] = []
    await page.route('**/-/web/dashboard-*.js', (route) => {
      held.push(() => void route.continue())
    })
    await page.reload({ waitUntil: 'commit' })
    await page.locator('body').waitFor({ state: 'attached' })
    assert.equal(await page.evaluate(FIRST_GROUND), DARK)
    assert.equal(await page.locator('h1').count(), 0)
    for (const go of held) go()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    assert.deepEqual(faults, [])
  })

  test('5, 33: the menu of the person is accessible, begins at its first entry, and gives the focus back', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    await page.locator('.person').press('Enter')
    await shown(page, '[role=menu]')
    await requireFocusOn(page, 'Profile')
    await requireAccessibleEverywhere(page, 'menu of the person')
    await page.keyboard.press('ArrowDown')
    await requireFocusOn(page, 'As the system')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await requireFocusOn(page, 'Dana Demo')
    assert.deepEqual(faults, [])
  })

  test('32: who wants no motion sees none while a list loads and a dialog opens', async (t) => {
    for (const [reducedMotion, moves] of [
      ['reduce', false],
      ['no-preference', true],
    ] as const) {
      const { page } = await app.signedIn(t)
      await page.emulateMedia({ reducedMotion })
      await page.route('**/licenses.json*', () => {})
      await page.goto(`${app.product}/licenses`)
      await page.locator('.skeleton').first().waitFor()
      assert.equal(await page.evaluate('document.getAnimations().length > 0'), moves, 'what loads')
      if (moves) continue
      await page.getByRole('button', { name: 'Issue a license' }).click()
      await page.getByRole('dialog').waitFor()
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, 'a dialog')
    }
  })
})
