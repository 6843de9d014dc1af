import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { requireAccessible, requireAccessibleEverywhere } from './watched.ts'

interface Opened {
  readonly name: string
  readonly address: string
  readonly title: string | RegExp
  /** How the path ends of what the page asks for. */
  readonly asks: string
}

/** From here on what moves in the page by itself is noted, as the browser counts it. */
const WATCH = `window.shifts = []
new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: 'layout-shift' })`

/** How much has moved once all that was changed is painted. */
const SHIFTED = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() =>
    resolve(window.shifts.reduce((sum, { value }) => sum + value, 0))))))`

/** The most of a page that moves while it is filled (CLS). */
const MOST_MOVED = 0.05

/** Opens a page whose server keeps it waiting: what is there then does not move when it is filled. */
export async function requireStays(page: Page, { name, address, title, asks }: Opened): Promise<void> {
  for (const width of [1280, 375]) {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.setViewportSize({ width, height: 800 })
    await page.route(
      (url) => url.pathname.endsWith(asks),
      async (route) => {
        await held
        await route.continue()
      },
    )
    await page.goto(address)
    const loading = page.getByRole('status', { name: 'Loading' })
    await loading.first().waitFor()
    await page.evaluate(WATCH)
    answer()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await loading.first().waitFor({ state: 'detached' })
    const moved = Number(await page.evaluate(SHIFTED))
    assert.ok(moved < MOST_MOVED, `${name}: ${moved} of the page moved at ${width} pixels`)
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/**
 * Opens a page whose server keeps it waiting, then fails, then answers: in each of these states nothing about it is
 * inaccessible, once it is filled in both looks and at each width.
 */
export async function requireEachState(page: Page, { name, address, title, asks }: Opened): Promise<void> {
  let refuse: () => void = assert.fail
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  await page.route(
    (url) => url.pathname.endsWith(asks),
    async (route) => {
      await refused
      const error = { code: 'internal_error', message: 'The server failed.' }
      await route.fulfill({ status: 500, headers: { 'x-request-id': 'req_1' }, json: { error } })
    },
  )
  await page.goto(address)
  const loading = page.getByRole('status', { name: 'Loading' }).first()
  await loading.waitFor()
  await requireAccessible(page, `${name}, loading`)
  refuse()
  const failure = page.getByRole('alert').first()
  await failure.getByText('The server failed.').waitFor()
  await failure.getByText('req_1').waitFor()
  await requireAccessible(page, `${name}, failed`)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await failure.waitFor({ state: 'detached' })
  await loading.waitFor({ state: 'detached' })
  await requireAccessibleEverywhere(page, name)
}
