import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface Lent {
  readonly context: BrowserContext
  end(): Promise<void>
}

interface Kept {
  readonly context: BrowserContext
  /** A page of the origin, which keeps the process that has the scripts of this site. */
  readonly keeper: Page
  readonly origin: string
  isLent: boolean
}

/** Of each browser the context that is used again. */
const known = new WeakMap<Browser, Kept>()

/**
 * What a page of a test has for itself: tabs, cookies, storage, permissions and routes. One without options of its own
 * gets that of the test before, emptied, as a process for each page, and what it reads and compiles, takes a third of
 * its time.
 */
export async function contextOf(
  browser: Browser,
  origin: string | undefined,
  options: BrowserContextOptions,
): Promise<Lent> {
  if (origin === undefined || Object.keys(options).length > 0 || known.get(browser)?.isLent) {
    const context = await newContext(browser, options)
    return { context, end: () => context.close() }
  }
  const kept = await keptOf(browser, origin)
  kept.isLent = true
  let isOver = false
  return {
    context: kept.context,
    async end() {
      if (!isOver) await empty(kept)
      isOver = true
    },
  }
}

const newContext = (browser: Browser, options: BrowserContextOptions = {}) =>
  browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, ...options })

async function keptOf(browser: Browser, origin: string): Promise<Kept> {
  const there = known.get(browser)
  if (there?.origin === origin) return there
  known.delete(browser)
  await there?.context.close()
  const context = await newContext(browser)
  const keeper = await context.newPage()
  await keeper.goto(`${origin}/healthz`)
  const made = { context, keeper, origin, isLent: false }
  known.set(browser, made)
  return made
}

async function empty(kept: Kept): Promise<void> {
  const { context, keeper } = kept
  for (const page of context.pages()) if (page !== keeper) await page.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.clearPermissions()
  await keeper.evaluate('localStorage.clear()')
  kept.isLent = false
}
