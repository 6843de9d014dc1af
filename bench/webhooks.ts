import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Context } from '../src/context.ts'
import type { Database } from '../src/db/database.ts'
import { pruneEvents } from '../src/events/log/prune-events-job.ts'
import { startWorker as startJobs, type Worker } from '../src/jobs/worker.ts'
import {
  bodySignature,
  newWebhookSecret,
  signingKey,
  standardHeaders,
} from '../src/events/delivery/webhook-signatures.ts'
import { startPeer, startWorker } from './processes.ts'
import { median, whole, type Benchmark, type BenchOptions, type Row } from './row.ts'
import { benchContext, environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { allOf, clock, delays, furnish, LISTENERS, p99, paced, write, type Place } from './webhook-load.ts'
import type { Arrivals } from './webhook-receiver.ts'
import { webhooksPostgres } from './webhooks-postgres.ts'

const PER_SECOND = 500
const SECONDS = 60
const BACKLOG = 100_000
const AT_ONCE = 20_000
const CONCURRENCY = 16
const LATE_MS = 250
const SLOWER = 1.2
const SHARE = 0.5
const HELD_MS = 50

interface Bench extends Place {
  readonly url: string
  readonly options: BenchOptions
}

/** How soon events reach listeners, beside a dead one with a backlog, and how many a second from one process. */
export const webhooks: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const environment = environmentOf({
    KEYWRIGHT_DATA: await temporaryFolder(closing),
    KEYWRIGHT_MODE: 'development',
    LOG_LEVEL: 'silent',
  })
  const running: { jobs?: Worker } = {}
  const ctx: Context = { ...(await benchContext(environment)), nudge: () => running.jobs?.nudge() }
  closing.defer(() => ctx.database.close())
  const receiver = await startPeer('webhook-receiver.ts', {})
  closing.defer(() => receiver.stop())
  const { port } = await receiver.ask<Arrivals>('take')
  const scope = await furnish(ctx, `http://127.0.0.1:${port}`)
  const bench: Bench = { ctx, scope, receiver, url: `http://127.0.0.1:${port}/fast`, options }
  const fast = await throughput(bench, () => startWorker(environment))
  // As in `serve`: who writes runs the jobs too.
  running.jobs = startJobs(ctx)
  closing.defer(() => running.jobs?.stop())
  const bare = await bareLateness(bench)
  const alone = await lateness(bench)
  await backlog(bench)
  const beside = await lateness(bench)
  await running.jobs.stop()
  const rows = [fast, ...latenessRows({ bare, alone, beside, options }), await retention(ctx)]
  return [...rows, ...(await webhooksPostgres(options))]
}

const secondsOf = ({ quick }: BenchOptions) => (quick ? SECONDS / 12 : SECONDS)

/** From the commit to the first byte at the listener, milliseconds. */
async function lateness(bench: Bench): Promise<number[]> {
  await bench.receiver.ask('take')
  const committed = new Map<string, number>()
  await paced({ perSecond: PER_SECOND, seconds: secondsOf(bench.options) }, async (n) => {
    const [id] = await write(bench, [`bench.${n % LISTENERS}`])
    committed.set(`evt_${id}`, clock())
  })
  return delays((await allOf(bench, committed.size)).arrivals, committed)
}

/** The median of the p99 of each twelfth of the time: what another process does for a moment counts once. */
const typicalP99 = (late: readonly number[]): number => {
  const size = Math.ceil(late.length / 12)
  return median(Array.from({ length: 12 }, (_, n) => p99(late.slice(n * size, (n + 1) * size))))
}

/** How late what a sender posts arrives that only signs and posts. */
async function bareLateness({ receiver, url, options }: Bench): Promise<number[]> {
  await receiver.ask('take')
  const agent = new Agent({ connections: CONCURRENCY })
  const begun = new Map<string, number>()
  await paced({ perSecond: PER_SECOND, seconds: secondsOf(options) }, async (n) => {
    begun.set(`evt_${n}`, clock())
    await post(agent, url, { id: `evt_${n}`, body: '{"n":1}' })
  })
  await agent.close()
  return delays((await receiver.ask<Arrivals>('take')).arrivals, begun)
}

/** Events that wait for a listener that is dead, each a delivery by then. */
async function backlog(bench: Bench): Promise<void> {
  const count = bench.options.quick ? BACKLOG / 20 : BACKLOG
  const types = Array<string>(100).fill('bench.dead')
  for (let n = 0; n < count; n += types.length) await write(bench, types)
  const unspread = bench.ctx.db.selectFrom('events').select('id').where('is_spread', '=', false)
  while (await unspread.where('state', '=', 'pending').limit(1).executeTakeFirst()) await sleep(100)
}

/** Deliveries a second from one process to one listener, beside a loop that signs and posts the same bodies. */
async function throughput(bench: Bench, begin: () => Promise<{ stop(): Promise<void> }>): Promise<Row> {
  const count = bench.options.quick ? AT_ONCE / 10 : AT_ONCE
  const types = Array<string>(100).fill('bench.fast')
  for (let n = 0; n < count; n += types.length) await write(bench, types)
  const worker = await begin()
  const times = Object.values((await allOf(bench, count)).arrivals)
  await worker.stop()
  const ours = perSecond(times)
  const body = await bodyOfOne(bench)
  const agent = new Agent({ connections: CONCURRENCY })
  let next = 0
  const loop = async () => {
    while (next < count) await post(agent, bench.url, { id: `evt_${next++}`, body })
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop))
  await agent.close()
  const bare = perSecond(Object.values((await bench.receiver.ask<Arrivals>('take')).arrivals))
  return {
    name: 'deliveries a second from one process to one listener',
    ours: whole(ours),
    reference: `${whole(bare)} (a loop of undici)`,
    ratio: (ours / bare).toFixed(2),
    line: `≥ ${SHARE}`,
    pass: ours / bare >= SHARE,
  }
}

/** Removes what was delivered; the longest of its transactions. */
async function retention(ctx: Context): Promise<Row> {
  const times: number[] = []
  const database: Database = {
    ...ctx.database,
    async transaction(work) {
      let begun = 0
      const value = await ctx.database.transaction((db) => {
        begun = performance.now()
        return work(db)
      })
      times.push(performance.now() - begun)
      return value
    },
  }
  const old = { ...ctx, database, config: { ...ctx.config, kept: { eventDays: 0, attemptDays: 0 } } }
  const lease = { guard: async () => {}, stopping: new AbortController().signal }
  while ((await pruneEvents.run(old, lease)) === 'more');
  const longest = Math.max(...times)
  return {
    name: 'old events and attempts are removed: the longest transaction',
    ours: `${longest.toFixed(1)} ms`,
    reference: `${median(times).toFixed(1)} ms (the median of ${whole(times.length)})`,
    ratio: '',
    line: `≤ ${HELD_MS} ms`,
    pass: longest <= HELD_MS,
  }
}

/** Of both alike after the first tenth, in which their code is compiled. */
function perSecond(times: readonly number[]): number {
  const warm = times.toSorted((a, b) => a - b).slice(Math.floor(times.length / 10))
  return (warm.length / (Math.max(...warm) - Math.min(...warm))) * 1_000
}

/** As long as what is delivered. */
async function bodyOfOne({ ctx }: Bench): Promise<string> {
  const row = await ctx.db.selectFrom('events').selectAll().limit(1).executeTakeFirstOrThrow()
  return JSON.stringify({ ...row, objects: { user: null, install: null, license: null, cart: null } })
}

const secret = newWebhookSecret()
const key = signingKey(secret)

async function post(agent: Agent, url: string, { id, body }: { id: string; body: string }): Promise<void> {
  const { origin, pathname } = new URL(url)
  const timestamp = Math.floor(clock() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'x-signature': bodySignature(secret, body),
    ...standardHeaders([key], { id, timestamp, body }),
  }
  const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
  await response.body.text()
}

interface Measured {
  readonly bare: readonly number[]
  readonly alone: readonly number[]
  readonly beside: readonly number[]
  readonly options: BenchOptions
}

function latenessRows({ bare, alone, beside, options }: Measured): Row[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const [typical, disturbed] = [typicalP99(alone), typicalP99(beside)]
  return [
    {
      name: `${PER_SECOND} events a second for ${secondsOf(options)} s to ${LISTENERS} listeners: first byte p99 after the commit`,
      ours: ms(p99(alone)),
      reference: `${ms(p99(bare))} (a bare sender)`,
      ratio: (p99(alone) / p99(bare)).toFixed(1),
      line: `≤ ${LATE_MS} ms`,
      pass: p99(alone) <= LATE_MS,
    },
    {
      name: 'the same beside a dead listener with a backlog, median of the p99 of each twelfth of the time',
      ours: ms(disturbed),
      reference: `${ms(typical)} (without it)`,
      ratio: (disturbed / typical).toFixed(2),
      line: `< ${SLOWER}`,
      pass: disturbed / typical < SLOWER,
    },
  ]
}
