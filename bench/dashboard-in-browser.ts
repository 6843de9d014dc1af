import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { transaction } from '../src/context.ts'
import { issueSignInLink } from '../src/accounts/sessions/mailed-sign-in.ts'
import { hasBrowser, openBrowser } from '../test/web/browser.ts'
import { built } from '../test/web/built.ts'
import type { SeededOverview } from './overview-seed.ts'
import { median, whole, type Row } from './row.ts'
import { inContext, type Environment } from './seed.ts'

const TURNS = 15
const LIST = 25

/** Milliseconds. */
const LINES = { cold: 1_500, warm: 100, painted: 300 }

interface Dashboard {
  readonly environment: Environment
  readonly address: string
  readonly seeded: SeededOverview
  /** How many rows each table has that grows. */
  readonly rows: number
  readonly engine: string
  readonly isQuick: boolean
}

/**
 * How soon a seller has the dashboard over a large database: from the address to the first row in a browser that keeps
 * nothing, from one list to another that was seen, and from a page of a list to its next one, which the server is asked
 * for. Beside a page that draws as many rows from what it has. Nothing where no browser is.
 */
export async function dashboardInBrowser(of: Dashboard): Promise<Row[]> {
  if (!hasBrowser) return []
  await using closing = new AsyncDisposableStack()
  await built()
  const browser = await openBrowser()
  closing.defer(() => browser.close())
  const session = await sessionOf(of)
  const bare = await bareServer(closing)
  const times = { cold: [] as number[], warm: [] as number[], painted: [] as number[], bare: [] as number[] }
  const licenses = `${of.address}/dashboard/${of.seeded.developerId}/${of.seeded.productId}/licenses`
  const turns = of.isQuick ? TURNS / 5 : TURNS
  for (let turn = 0; turn < turns; turn++) {
    const { page, took } = await coldly(browser, session, licenses)
    times.cold.push(took)
    await page.context().close()
  }
  const { page } = await coldly(browser, session, licenses, { keeps: true })
  await follow(page, 'Payments')
  await follow(page, 'Licenses')
  for (let turn = 0; turn < turns; turn++) {
    times.warm.push(await follow(page, turn % 2 === 0 ? 'Payments' : 'Licenses'))
  }
  for (let turn = 0; turn < turns; turn++) times.painted.push(await turnPage(page))
  const beside = await browser.newPage()
  await beside.goto(bare)
  for (let turn = 0; turn < turns; turn++) times.bare.push(await beside.evaluate<number>('draw()'))
  const row = (name: string, of_: keyof typeof LINES): Row => ({
    name: `dashboard, ${name}, ${whole(of.rows)} of each, ${of.engine}; in Chromium on this machine, beside ${LIST} rows drawn from memory`,
    ours: `${median(times[of_]).toFixed(0)} ms`,
    reference: `${median(times.bare).toFixed(0)} ms`,
    ratio: (median(times[of_]) / median(times.bare)).toFixed(1),
    line: `≤ ${LINES[of_]} ms`,
    pass: median(times[of_]) <= LINES[of_],
  })
  return [
    row('from its address to the rows of a list, nothing kept', 'cold'),
    row('from a list to another that was seen', 'warm'),
    row(`to the next ${LIST} rows of a list`, 'painted'),
  ]
}

/** The cookie of the owner, let in by a link. */
async function sessionOf({ environment, address, seeded }: Dashboard) {
  const link = await inContext(environment, (ctx) =>
    transaction(ctx, (tx) => issueSignInLink(tx, seeded.developerId, address)),
  )
  const entered = await fetch(link ?? '', { method: 'POST', redirect: 'manual' })
  const value = /keywright_session=([\w-]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1] ?? ''
  return { name: 'keywright_session', value, url: address, httpOnly: true, sameSite: 'Lax' } as const
}

type Cookie = Awaited<ReturnType<typeof sessionOf>>

async function coldly(browser: Browser, cookie: Cookie, url: string, { keeps = false } = {}) {
  const context: BrowserContext = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
  })
  await context.addCookies([cookie])
  const page = await context.newPage()
  if (!keeps) {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  }
  const from = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page
    .locator('main tbody tr')
    .nth(LIST - 1)
    .waitFor()
  return { page, took: performance.now() - from }
}

/** Milliseconds in the page, from a press to the second frame after what is waited for is there. */
const PRESS = `(press, isThere) => new Promise((resolve) => {
  const from = performance.now()
  const look = () => isThere()
    ? requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)))
    : requestAnimationFrame(look)
  press()
  look()
})`

const ROWS_THERE = `document.querySelectorAll('main tbody tr').length >= ${LIST}`

/** Milliseconds from the press on a list in the navigation until its rows are painted. */
const follow = (page: Page, name: string): Promise<number> =>
  page.evaluate<number>(`(${PRESS})(
    () => [...document.querySelectorAll('nav a')].find((link) => link.textContent.trim() === '${name}').click(),
    () => document.querySelector('h1')?.textContent === '${name}' && ${ROWS_THERE})`)

/** Milliseconds from the press on "Next" until other rows are painted. */
async function turnPage(page: Page): Promise<number> {
  await page.locator('nav.paging').last().getByLabel('Next page').waitFor()
  return page.evaluate<number>(`(() => {
    const first = () => document.querySelector('main tbody tr')?.textContent
    const before = first()
    return (${PRESS})(
      () => document.querySelector('nav.paging [aria-label="Next page"]').click(),
      () => first() !== before && ${ROWS_THERE})
  })()`)
}

/** A page that draws as many rows from what it has, and tells how long that took. */
async function bareServer(closing: AsyncDisposableStack): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><html lang="en"><title>Bare</title><main><table><tbody></tbody></table></main><script>
      const rows = Array.from({ length: ${LIST} }, (_, n) => '<tr><td>' + n + '<td>A row<td>$49.99</tr>').join('')
      const draw = () => (${PRESS})(
        () => { document.querySelector('tbody').innerHTML = rows },
        () => ${ROWS_THERE})
    </script></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.defer(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
