import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { HOUR } from '../src/lib/time.ts'
import { portalLink } from '../src/people/portal/portal-link.ts'
import { startServer } from '../src/start.ts'
import { demoContext } from '../test/demo.ts'
import { boughtOf, cookieOf } from '../test/portal/buyer.ts'
import { hasBrowser, openBrowser } from '../test/web/browser.ts'
import { built } from '../test/web/built.ts'
import { median, type BenchOptions, type Row } from './row.ts'

const TURNS = 15
const LINE_MS = 1_500

/** Of a phone with 4G: milliseconds there and back, and bits a second. */
const SLOW = { latency: 40, down: 10_000_000, up: 5_000_000 }

type Cookie = Awaited<ReturnType<typeof cookieOf>>

/** What is opened by a browser that keeps nothing, and what is waited for. */
interface Opened {
  readonly address: string
  readonly shown: (page: Page) => Promise<void>
  readonly cookie?: Cookie
  readonly isSlow?: boolean
}

/**
 * How soon a buyer has the portal, from the address to the first license whose key can be shown, in a browser that keeps
 * nothing; beside a page of one button alone. Nothing where no browser is.
 */
export async function portalInBrowser({ quick }: BenchOptions): Promise<Row[]> {
  if (!hasBrowser) return []
  process.env['KEYWRIGHT_TEST_ENGINE'] ??= 'sqlite'
  await using closing = new AsyncDisposableStack()
  await built()
  const { ctx, demo, drop } = await demoContext('bench_portal')
  closing.defer(drop)
  const server = await startServer(ctx)
  closing.defer(() => server.stop())
  const { address } = server
  Object.assign(ctx, { baseUrl: address })
  const { productId } = demo
  const { user_id: id, email } = await boughtOf(ctx.db, productId)
  const browser = await openBrowser()
  closing.defer(() => browser.close())
  const enter = async () => {
    const how = { user: { id, email }, lastsMs: HOUR, isEverywhere: true } as const
    return cookieOf(portalLink(ctx, { productId }, how).link, address)
  }
  const portal = {
    address: `${address}/portal/${productId}`,
    shown: (page: Page) => pressable(page, 'Show'),
    cookie: await enter(),
  }
  const bare = { address: await bareServer(closing), shown: (page: Page) => pressable(page, 'Show') }
  const times = { fast: [] as number[], slow: [] as number[], bare: [] as number[], bareSlow: [] as number[] }
  for (let turn = 0; turn < (quick ? TURNS / 5 : TURNS); turn++) {
    times.bare.push(await openedIn(browser, bare))
    times.fast.push(await openedIn(browser, portal))
    times.bareSlow.push(await openedIn(browser, { ...bare, isSlow: true }))
    times.slow.push(await openedIn(browser, { ...portal, isSlow: true }))
  }
  const row = (name: string, ours: number, reference: number): Row => ({
    name: `${name}; in Chromium on this machine, beside a page of one button`,
    ours: `${ours.toFixed(0)} ms`,
    reference: `${reference.toFixed(0)} ms`,
    ratio: (ours / reference).toFixed(1),
    line: `≤ ${LINE_MS} ms`,
    pass: ours <= LINE_MS,
  })
  const name = 'the portal, to the first license whose key can be shown, nothing kept'
  return [
    row(name, median(times.fast), median(times.bare)),
    row(`${name}, 40 ms and 10 Mbit/s away`, median(times.slow), median(times.bareSlow)),
  ]
}

/** Until a button is in view and takes a press. */
const pressable = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click({ trial: true })

async function openedIn(browser: Browser, { address, shown, cookie, isSlow }: Opened): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  try {
    if (cookie) await context.addCookies([cookie])
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    const { latency, down, up } = SLOW
    const conditions = { offline: false, latency, downloadThroughput: down / 8, uploadThroughput: up / 8 }
    if (isSlow) await session.send('Network.emulateNetworkConditions', conditions)
    const from = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await shown(page)
    return performance.now() - from
  } finally {
    await context.close()
  }
}

/** A page of one button. */
async function bareServer(closing: AsyncDisposableStack): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><html lang="en"><title>Bare</title><button>Show</button></html>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.defer(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
