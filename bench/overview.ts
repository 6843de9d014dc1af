import { dashboardInBrowser } from './dashboard-in-browser.ts'
import { ENGINES, placeOn } from './place.ts'
import { vacuum } from './postgres.ts'
import { seedOverview, type SeededOverview } from './overview-seed.ts'
import { startKeywright } from './processes.ts'
import { quantile, whole, type Benchmark, type Row } from './row.ts'

const ROWS = 1_000_000
const ASKED = 300
const LINE_MS = 30

/** How long what a seller sees at a glance takes, where there is a million of all that grows. */
export const overview: Benchmark = async ({ quick }) => {
  const rows = quick ? ROWS / 10 : ROWS
  const results: Row[] = []
  for (const engine of ENGINES) {
    await using closing = new AsyncDisposableStack()
    const place = await placeOn(engine, closing)
    const seeded = await seedOverview(place.environment, rows)
    if (place.url) await vacuum(place.url)
    const server = await startKeywright(place.environment)
    closing.defer(() => server.stop())
    for (const page of pagesOf(seeded, rows)) results.push(await ask(`${page.name}, ${engine}`, server, page))
    const { environment } = place
    const { address } = server
    results.push(
      ...(await dashboardInBrowser({ environment, address, seeded, rows, engine, isQuick: quick })),
    )
  }
  return results
}

interface Asked {
  readonly name: string
  readonly path: string
  readonly token: string
}

/** What a seller looks at: one page of each list that grows, what is found, and what happened. */
function pagesOf(
  { productId, developerId, token, accountToken, middle }: SeededOverview,
  rows: number,
): Asked[] {
  const product = (name: string, path: string) => ({
    name: `${name} among ${whole(rows)} of each`,
    path: `/products/${productId}/${path}`,
    token,
  })
  const account = (name: string, path: string) => ({
    ...product(name, ''),
    path: `/developers/${developerId}/${path}`,
    token: accountToken,
  })
  return [
    product('overview', 'overview.json'),
    ...['licenses', 'payments', 'installs', 'subscriptions', 'users'].map((list) =>
      product(`25 ${list}`, `${list}.json?count=25`),
    ),
    ...['licenses', 'payments', 'installs', 'subscriptions', 'events'].flatMap((list) => [
      product(`25 ${list} of a day`, `${list}.json?count=25&from=${middle}&to=${middle}`),
      product(`25 ${list} of the first half`, `${list}.json?count=25&to=${middle}`),
    ]),
    product('timeline of a user', 'users/77/timeline.json'),
    product('timeline of a license', `licenses/${rows / 2}/timeline.json`),
    account('search by an id', `search.json?q=${rows / 2}`),
    account('search by an address', 'search.json?q=user.77'),
    account('search by an id at a gateway', `search.json?q=${encodeURIComponent(`ch ${rows / 2}`)}`),
    account('search by a host', `search.json?q=site-${rows / 2}`),
    account('audit log', 'audit.json'),
    account('audit log of a request', `audit.json?request_id=${encodeURIComponent(`request ${rows / 2}`)}`),
  ]
}

async function ask(name: string, { address }: { address: string }, { path, token }: Asked): Promise<Row> {
  const times: number[] = []
  for (let n = -20; n < ASKED; n++) {
    const start = performance.now()
    const reply = await fetch(`${address}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    const text = await reply.text()
    if (n === 0) console.log(name, text.slice(0, 300))
    if (!reply.ok) throw new Error(`${reply.status} ${text}`)
    if (n >= 0) times.push(performance.now() - start)
  }
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)]
  return {
    name,
    ours: `p50 ${half.toFixed(1)} ms, p95 ${most.toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
    reference: '',
    ratio: '',
    line: `≤ ${LINE_MS} ms of p95`,
    pass: most <= LINE_MS,
  }
}
