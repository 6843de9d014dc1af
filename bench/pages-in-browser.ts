import type { Browser, BrowserContext, Page } from 'playwright-core'
import { changeShop } from '../test/license-changes.ts'
import { startWebApp } from '../test/web/app.ts'
import { hasBrowser, openBrowser } from '../test/web/browser.ts'
import { frameIn, hasHeard, pay, prefill } from '../test/web/overlay-shop.ts'
import { startShop } from '../test/web/shop.ts'
import { median, type BenchOptions, type Row } from './row.ts'

const TURNS = 15

/** Begins before a page has drawn anything; each frame counts its own. */
const COUNT_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Milliseconds, as the shop sees them; what has moved counts as browsers count it (CLS). */
interface Seen {
  readonly cold: number
  readonly warm: number
  readonly paid: number
  readonly shifted: number
}

/** How soon a buyer has the checkout over a shop of another origin, and what was bought; nothing where no browser is. */
export async function pagesInBrowser({ quick }: BenchOptions): Promise<Row[]> {
  if (!hasBrowser) return []
  process.env['KEYWRIGHT_TEST_ENGINE'] ??= 'sqlite'
  await using closing = new AsyncDisposableStack()
  const app = await startWebApp('bench_pages')
  closing.defer(() => app.close())
  const browser = await openBrowser()
  closing.defer(() => browser.close())
  const shop = await changeShop(app)
  const { s_ctx_ts: ctx, sandbox: token } = shop.sandbox()
  const options = {
    product_id: String(app.seller.product.id),
    plan_id: shop.plans.pro,
    sandbox: { ctx, token },
  }
  const site = await startShop(app, { options })
  closing.defer(() => site.close())
  const seen: Seen[] = []
  for (let turn = 0; turn < (quick ? TURNS / 5 : TURNS); turn++) {
    seen.push(await buyOnce(browser, { shop: site.address, server: app.address, turn }))
  }
  const row = (name: string, of: keyof Seen, line: number, show: (value: number) => string): Row => {
    const value = median(seen.map((one) => one[of]))
    return {
      name: `${name}; in Chromium on this machine`,
      ours: show(value),
      reference: '',
      ratio: '',
      line: `≤ ${show(line)}`,
      pass: value <= line,
    }
  }
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    row('open() to loaded, nothing kept', 'cold', 1_000, ms),
    row('open() to loaded, files kept', 'warm', 600, ms),
    row('pay in the sandbox to purchaseCompleted', 'paid', 1_000, ms),
    row('what moves by itself while the checkout opens and is filled in', 'shifted', 0.05, (value) =>
      value.toFixed(3),
    ),
  ]
}

interface Where {
  readonly shop: string
  readonly server: string
  readonly turn: number
}

async function buyOnce(browser: Browser, where: Where): Promise<Seen> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  try {
    const cold = await opened(await shopIn(context, where))
    const page = await shopIn(context, where)
    const warm = await opened(page)
    const frame = frameIn(page)
    await prefill(frame)
    await frame.getByLabel('State').waitFor()
    await frame.getByLabel('Email address').fill(`buyer${where.turn}@example.com`)
    await page.waitForTimeout(600)
    const from = performance.now()
    await pay(frame)
    await hasHeard(page, 'purchaseCompleted')
    const paid = performance.now() - from
    const inside = page.frames().find((one) => one.url().startsWith(where.server))
    const shifted = Number(await inside?.evaluate('window.shifted'))
    return { cold, warm, paid, shifted }
  } finally {
    await context.close()
  }
}

async function shopIn(context: BrowserContext, { shop }: Where): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(COUNT_SHIFTS)
  await page.goto(`${shop}/`)
  return page
}

const opened = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const from = performance.now()
    const { purchaseCompleted } = events
    window.checkout.open({ purchaseCompleted, afterOpen: () => resolve(performance.now() - from) })
  })`)
