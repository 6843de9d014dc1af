import { onPostgres, vacuum } from './postgres.ts'
import { startPeer, startWorker } from './processes.ts'
import { whole, type BenchOptions, type Row } from './row.ts'
import { benchContext } from './seed.ts'
import { allOf, clock, delays, furnish, LISTENERS, p99, paced, write, type Place } from './webhook-load.ts'
import type { Arrivals } from './webhook-receiver.ts'

const EVENTS = 20_000
const WRITERS = 8
const PER_SECOND = 100
const SECONDS = 20
const LATE_MS = 250
const REST_MS = 2_000

/** Two workers on PostgreSQL, and a writer that runs no jobs: what they take twice or lose, and how soon they take. */
export async function webhooksPostgres(options: BenchOptions): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const { environment, url } = await onPostgres(closing, {
    KEYWRIGHT_MODE: 'development',
    LOG_LEVEL: 'silent',
  })
  const ctx = await benchContext(environment)
  closing.defer(() => ctx.database.close())
  const receiver = await startPeer('webhook-receiver.ts', {})
  closing.defer(() => receiver.stop())
  const { port } = await receiver.ask<Arrivals>('take')
  const place = { ctx, receiver, scope: await furnish(ctx, `http://127.0.0.1:${port}`) }
  for (const worker of await Promise.all([startWorker(environment), startWorker(environment)])) {
    closing.defer(() => worker.stop())
  }
  const once = await onceEach(place, options)
  await vacuum(url)
  return [once, await soon(place, options)]
}

/** Events that several write at once, as fast as they can. */
async function onceEach(place: Place, { quick }: BenchOptions): Promise<Row> {
  const count = quick ? EVENTS / 10 : EVENTS
  const ids: number[] = []
  const writer = async (first: number) => {
    for (let n = first; n < count; n += WRITERS) ids.push(...(await write(place, [`bench.${n % LISTENERS}`])))
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)))
  const { arrivals, repeats } = await allOf(place, count, REST_MS)
  const lost = ids.filter((id) => !(`evt_${id}` in arrivals)).length
  return {
    name: 'two workers on PostgreSQL: events of 8 writers that are sent twice, or lost',
    ours: `${repeats} twice, ${lost} lost`,
    reference: `${whole(count)} events`,
    ratio: '',
    line: '0',
    pass: repeats === 0 && lost === 0,
  }
}

/** From the commit in a process without jobs to the first byte. */
async function soon(place: Place, { quick }: BenchOptions): Promise<Row> {
  const committed = new Map<string, number>()
  await paced({ perSecond: PER_SECOND, seconds: quick ? SECONDS / 5 : SECONDS }, async (n) => {
    const [id] = await write(place, [`bench.${n % LISTENERS}`])
    committed.set(`evt_${id}`, clock())
  })
  const late = p99(delays((await allOf(place, committed.size)).arrivals, committed))
  return {
    name: `${PER_SECOND} events a second of a process without jobs, PostgreSQL: first byte p99 after the commit`,
    ours: `${late.toFixed(1)} ms`,
    reference: '',
    ratio: '',
    line: `≤ ${LATE_MS} ms`,
    pass: late <= LATE_MS,
  }
}
