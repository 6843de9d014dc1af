import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { contextOf } from './contexts.ts'

/** Half as long as what the package runs by itself, and so is the time in which a page reads it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const ALL = { type: 'tag', values: TAGS } as const
/** What looks at colours: the others find the same in either look. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

/** Milliseconds that a test waits for what comes by itself, as long as a locator waits. */
export const PATIENCE = { timeout: 30_000 } as const

/** The clock of a test is put into every frame, and that of a mail lets no script in. */
const KEPT_OUT = "Blocked script execution in 'about:srcdoc'"

/** How the console begins what it says of a resource that was refused, or that nobody answered. */
const FAILED = 'Failed to load resource'

export interface Watched {
  readonly page: Page
  /** What went wrong in the page: errors, what its policy forbade, what failed to load, what it asked of other origins. */
  readonly faults: string[]
  /**
   * Says what fails to load as the test has it so: a status with a part of the path, as `402 /coupons.json`, or alone;
   * `unanswered` is that of what nobody answers.
   */
  allows(...failures: string[]): void
  close(): Promise<void>
}

export interface Allowed extends BrowserContextOptions {
  /** Origins beside its own that the page may ask. */
  readonly origins?: readonly string[]
  /** With a context of its own, as the test sets its clock or counts its tabs. */
  readonly own?: true
}

/** A page whose faults are noted; what fails to load is one, unless the test `allows` it. */
export async function watched(
  browser: Browser,
  { origins = [], own, ...options }: Allowed = {},
): Promise<Watched> {
  const { context, end } = await contextOf(browser, own ? undefined : origins[0], options)
  const page = await context.newPage()
  const faults: string[] = []
  const allowed: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() !== 'error' || text.startsWith(KEPT_OUT)) return
    if (!text.startsWith(FAILED)) return void faults.push(text)
    const { pathname } = new URL(message.location().url)
    const failure = `${/status of (\d+)/.exec(text)?.[1] ?? 'unanswered'} ${pathname}`
    if (!allowed.some((one) => isSaidBy(one, failure))) faults.push(failure)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (['http:', 'https:'].includes(protocol) && !origins.includes(origin))
      faults.push(`asked ${request.url()}`)
  })
  const allows = (...failures: string[]) => {
    allowed.push(...failures)
    const left = faults.filter((fault) => !failures.some((one) => isSaidBy(one, fault)))
    faults.splice(0, faults.length, ...left)
  }
  return { page, faults, allows, close: end }
}

/** Whether this status came of a path with this part. */
const isSaidBy = (allowed: string, failure: string): boolean => {
  const [status = '', part = ''] = allowed.split(' ')
  return failure.startsWith(`${status} `) && failure.includes(part)
}

/** Fails with each rule of accessibility that the page breaks. */
export async function requireAccessible(
  place: Page | Frame,
  name: string,
  rules: typeof ALL | typeof OF_COLOURS = ALL,
): Promise<void> {
  if (await place.evaluate('!("axe" in window)')) await place.evaluate(AXE)
  const broken = await place.evaluate(async (runOnly) => {
    const { axe: runner } = globalThis as unknown as {
      readonly axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await runner.run({
      runOnly,
      resultTypes: ['violations'],
      // What is said of a node is its source: to find a selector for each takes two fifths of the time.
      selectors: false,
      // It is in no frame of the page, and would wait in vain for an answer out of each.
      iframes: false,
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  }, rules)
  assert.deepEqual(broken, [], name)
}

/** The same in light and dark, as wide as the page is; it is light afterwards. */
export async function requireAccessibleInBothLooks(page: Page, name: string): Promise<void> {
  await requireAccessible(page, `${name}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await requireAccessible(page, `${name}, dark`, OF_COLOURS)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A width with the look of a telephone, which must hold it too. */
const NARROWEST = 320

/**
 * `requireAccessible` in light and dark, on a desk and a telephone, neither of which is scrolled sideways, nor is the
 * narrowest one; `place` is the page, or a frame in it.
 */
export async function requireAccessibleEverywhere(
  page: Page,
  name: string,
  place: Page | Frame = page,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 })
      const rules = colorScheme === 'light' ? ALL : OF_COLOURS
      await requireAccessible(place, `${name}, ${colorScheme}, ${width}`, rules)
      await requireFits(place, `${name}, ${width}`)
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: 800 })
  await requireFits(place, `${name}, ${NARROWEST}`)
  assert.deepEqual(await place.evaluate(NO_ROWS_OF_LABELS), [], `${name}, ${NARROWEST}`)
}

/** Cells of lists that stand beside each other, or without the name of their column, where there is no room for it. */
const NO_ROWS_OF_LABELS = `[...document.querySelectorAll('.rows tbody td')].flatMap((cell) => {
  const { label } = cell.dataset
  const isRow = getComputedStyle(cell).display === 'flex'
  const before = getComputedStyle(cell, '::before').content
  const isNamed = label === undefined || cell.matches('.names') || before === JSON.stringify(label)
  return cell.offsetParent === null || (isRow && isNamed) ? [] : [cell.outerHTML.slice(0, 160)]
})`

/** Fails where a page stays wider than its window: what floats above it follows a window that is made narrower. */
export async function requireFits(place: Page | Frame, name: string): Promise<void> {
  const end = Date.now() + 10_000
  while (await isTooWide(place)) {
    assert.ok(Date.now() < end, `${name} has to be scrolled sideways`)
    await pause(20)
  }
}

/** Waits until what opens by fading in is there with all of its colour. */
export const shown = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    const of = () => document.querySelector(${JSON.stringify(selector)})
    while (!of() || getComputedStyle(of()).opacity !== '1') await new Promise(requestAnimationFrame)
  })()`)

/** Whether a page has to be scrolled sideways. */
export const isTooWide = (place: Page | Frame): Promise<boolean> =>
  place.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
