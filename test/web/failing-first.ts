import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { requireAccessible, requireAccessibleEverywhere } from './watched.ts'

interface Opened {
  readonly name: string
  /** Opens it. */
  readonly go: () => Promise<unknown>
  readonly title: string | RegExp
  /** How the path ends of what the page asks for. */
  readonly asks: string
  /** The name of the array in its reply, where it is a list that may be empty. */
  readonly items?: string | undefined
}

/**
 * Opens a page whose server keeps it waiting, then fails, then has nothing where the page is a list, then answers: in
 * each of these states nothing about it is inaccessible, once it is filled in both looks and at each width.
 */
export async function requireEachState(page: Page, opened: Opened): Promise<void> {
  const { name, go, title, asks, items } = opened
  let refuse: () => void = assert.fail
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  await page.route(endsWith(asks), async (route) => {
    await refused
    const error = { code: 'internal_error', message: 'The server failed.' }
    await route.fulfill({ status: 500, headers: { 'x-request-id': 'req_1' }, json: { error } })
  })
  await go()
  const loading = page.getByRole('status', { name: 'Loading' }).first()
  await loading.waitFor()
  await requireAccessible(page, `${name}, loading`)
  refuse()
  const failure = page.getByRole('alert').first()
  await failure.getByText('The server failed.').waitFor()
  await failure.getByText('req_1').waitFor()
  await requireAccessible(page, `${name}, failed`)
  await page.unrouteAll()
  const again = page.getByRole('button', { name: 'Try again' }).first()
  if (items === undefined) await again.click()
  else await requireEmptyFirst(page, { name, asks, items, ask: () => again.click() })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await failure.waitFor({ state: 'detached' })
  await loading.waitFor({ state: 'detached' })
  await requireAccessibleEverywhere(page, name)
}

const endsWith = (asks: string) => (url: URL) => url.pathname.endsWith(asks)

/** Longer than a page takes anything that it was answered for what is there. */
const STALE = 61_000

/** Has nothing in its list, and then what the server has, for which a page asks when it is looked at again. */
async function requireEmptyFirst(
  page: Page,
  { name, asks, items, ask }: { name: string; asks: string; items: string; ask: () => Promise<void> },
): Promise<void> {
  await page.route(endsWith(asks), (route) => route.fulfill({ json: { [items]: [] } }))
  await ask()
  const empty = page
    .locator('.blank')
    .getByText(/^(There is no|This product has no|No|Nobody|Nothing|Your product)/)
    .first()
  await empty.waitFor()
  await requireAccessible(page, `${name}, empty`)
  await page.unrouteAll()
  await page.clock.setFixedTime(Number(await page.evaluate('Date.now()')) + STALE)
  const answered = page.waitForResponse((response) => endsWith(asks)(new URL(response.url())))
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
  const { [items]: rows = [] } = (await (await answered).json()) as Record<string, readonly unknown[]>
  if (rows.length > 0) await empty.waitFor({ state: 'detached' })
}
