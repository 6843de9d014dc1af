import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { intercepted } from './intercepted.ts'
import { requireAccessible, requireAccessibleEverywhere, requireFits } from './watched.ts'

interface Opened {
  readonly name: string
  /** Opens it, so many pixels wide; absent: as wide as at first. */
  readonly go: (width?: number) => Promise<unknown>
  readonly title: string | RegExp
  /** How the path ends of what the page asks for. */
  readonly asks: string
  /** The name of the array in its reply, where it is a list that may be empty. */
  readonly items?: string | undefined
  /** Looks at what stands in the place of a list with nothing in it. */
  readonly seen?: ((blank: Locator) => Promise<void>) | undefined
}

/** Once what was changed before is painted, what moves in the page by itself is noted, as the browser counts it. */
export const WATCH = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => {
  window.shifts = []
  window.watching?.disconnect()
  window.watching = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()))
  window.watching.observe({ type: 'layout-shift' })
})`

/** How much has moved once all that was changed is painted. */
export const SHIFTED = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() =>
    resolve(window.shifts.reduce((sum, { value }) => sum + value, 0))))))`

/** The most that moves while a list, or a page of one thing, is filled (CLS). */
const MOST_MOVED = { list: 0.05, other: 0.1 } as const

/** Opens a page whose server keeps it waiting: what is there then does not move when it is filled. */
export async function requireStays(page: Page, { name, go, title, asks, items }: Opened): Promise<void> {
  for (const width of [1280, 375]) {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    const end = await intercepted(page, asks, async (paused) => {
      await held
      await paused.pass()
    })
    await go(width)
    const loading = page.getByRole('status', { name: 'Loading' })
    await loading.first().waitFor()
    await page.evaluate(WATCH)
    answer()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await loading.first().waitFor({ state: 'detached' })
    const moved = Number(await page.evaluate(SHIFTED))
    const most = MOST_MOVED[items === undefined ? 'other' : 'list']
    assert.ok(moved < most, `${name}: ${moved} of the page moved at ${width} pixels`)
    await end()
  }
}

/**
 * Opens a page whose server keeps it waiting, then fails, then has nothing where the page is a list, then answers: in
 * each of these states nothing about it is inaccessible in either look, once it is filled at each width too.
 */
export async function requireEachState(page: Page, opened: Opened): Promise<void> {
  const { name, go, title, asks, items, seen } = opened
  let refuse: () => void = assert.fail
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  const endFailing = await intercepted(page, asks, async ({ answer }) => {
    await refused
    const error = { code: 'internal_error', message: 'The server failed.' }
    await answer({ error }, 500, { 'x-request-id': 'req_1' })
  })
  await go()
  const loading = page.getByRole('status', { name: 'Loading' }).first()
  await loading.waitFor()
  await requireAccessibleState(page, `${name}, loading`)
  refuse()
  const failure = page.getByRole('alert').first()
  await failure.getByText('The server failed.').waitFor()
  await failure.getByText('req_1').waitFor()
  await requireAccessibleState(page, `${name}, failed`)
  await endFailing()
  const again = page.getByRole('button', { name: 'Try again' }).first()
  if (items === undefined) await again.click()
  else await requireEmptyFirst(page, { name, asks, items, seen, ask: () => again.click() })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await failure.waitFor({ state: 'detached' })
  await loading.waitFor({ state: 'detached' })
  await requireAccessibleEverywhere(page, name)
}

/** A state on a desk in light and on a telephone in dark, so that each width and each look is seen; as before after. */
async function requireAccessibleState(page: Page, name: string): Promise<void> {
  await requireAccessible(page, `${name}, light, 1280`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 800 })
  await requireAccessible(page, `${name}, dark, 375`)
  await requireFits(page, `${name}, 375`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

const endsWith = (asks: string) => (url: URL) => url.pathname.endsWith(asks)

/** Longer than a page takes anything that it was answered for what is there. */
const STALE = 61_000

/** Has nothing in its list, and then what the server has, for which a page asks when it is looked at again. */
async function requireEmptyFirst(
  page: Page,
  {
    name,
    asks,
    items,
    seen,
    ask,
  }: Pick<Opened, 'name' | 'asks' | 'seen'> & { items: string; ask: () => Promise<void> },
): Promise<void> {
  const endEmpty = await intercepted(page, asks, ({ answer }) => answer({ [items]: [] }))
  await ask()
  const blank = page.locator(name === 'Home' ? '.steps' : '.blank').first()
  const empty = blank.getByText(EMPTY).first()
  await empty.waitFor()
  await seen?.(blank)
  await requireAccessibleState(page, `${name}, empty`)
  await endEmpty()
  await page.clock.setFixedTime(Number(await page.evaluate('Date.now()')) + STALE)
  const answered = page.waitForResponse((response) => endsWith(asks)(new URL(response.url())))
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
  const { [items]: rows = [] } = (await (await answered).json()) as Record<string, readonly unknown[]>
  if (rows.length > 0 && name !== 'Home') await empty.waitFor({ state: 'detached' })
}

const EMPTY = /^(There is no|This product has no|No|Nobody|Nothing|Your product|Create a product)/
