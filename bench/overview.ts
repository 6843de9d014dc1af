import { ENGINES, placeOn } from './place.ts'
import { vacuum } from './postgres.ts'
import { seedOverview } from './overview-seed.ts'
import { startKeywright } from './processes.ts'
import { quantile, whole, type Benchmark, type Row } from './row.ts'
import type { SeededSales } from './sales-seed.ts'

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
    results.push(
      await ask(
        `overview of ${whole(rows)} licenses, installs, payments and events, ${engine}`,
        server,
        seeded,
      ),
    )
  }
  return results
}

async function ask(name: string, { address }: { address: string }, seeded: SeededSales): Promise<Row> {
  const times: number[] = []
  for (let n = -20; n < ASKED; n++) {
    const start = performance.now()
    const reply = await fetch(`${address}/v1/products/${seeded.productId}/overview.json`, {
      headers: { authorization: `Bearer ${seeded.token}` },
    })
    const text = await reply.text()
    if (n === 0) console.log(text)
    if (!reply.ok) throw new Error(`${reply.status} ${text}`)
    if (n >= 0) times.push(performance.now() - start)
  }
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
  return {
    name,
    ours: `p50 ${half.toFixed(1)} ms, p99 ${most.toFixed(1)} ms`,
    reference: '',
    ratio: '',
    line: `≤ ${LINE_MS} ms of p50`,
    pass: half <= LINE_MS,
  }
}
