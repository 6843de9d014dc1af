import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { transaction, type Context } from '../src/context.ts'
import { systemScope, type Scope } from '../src/http/scope.ts'
import { startWorker as startJobs, type Worker } from '../src/jobs/worker.ts'
import { bodySignature, newWebhookSecret, standardHeaders } from '../src/lib/webhook-signatures.ts'
import { recordClientEvent } from '../src/resources/events/record.ts'
import { createWebhook } from '../src/resources/webhooks/service.ts'
import { createSeller } from '../test/factories.ts'
import { startPeer, startWorker, type Peer } from './processes.ts'
import { quantile, whole, type Benchmark, type BenchOptions, type Row } from './row.ts'
import { benchContext, environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'
import type { Arrivals } from './webhook-receiver.ts'

const LISTENERS = 20
const PER_SECOND = 500
const SECONDS = 60
const BACKLOG = 100_000
const AT_ONCE = 20_000
const CONCURRENCY = 16
const LATE_MS = 250
const SLOWER = 1.2
const SHARE = 0.5
/** Nobody answers there. */
const DEAD = 'http://127.0.0.1:9/'

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
  return [fast, ...latenessRows({ bare, alone, beside, options })]
}

interface Bench {
  readonly ctx: Context
  readonly scope: Scope
  readonly receiver: Peer
  readonly url: string
  readonly options: BenchOptions
}

/** A product with a listener for each of `bench.0`, `bench.1`, …, one for `bench.fast`, and a dead one. */
async function furnish(ctx: Context, address: string): Promise<Scope> {
  return transaction(ctx, async (tx) => {
    const { developer, product } = await createSeller(tx)
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    for (let n = 0; n < LISTENERS; n++) {
      await createWebhook(tx, scope, { url: `${address}/${n}`, types: `bench.${n}` })
    }
    await createWebhook(tx, scope, { url: `${address}/fast`, types: 'bench.fast' })
    await createWebhook(tx, scope, { url: DEAD, types: 'bench.dead' })
    return scope
  })
}

/** Writes events in a transaction; their ids. */
const write = ({ ctx, scope }: Bench, types: readonly string[]): Promise<number[]> =>
  transaction(ctx, async (tx) => {
    const ids: number[] = []
    for (const [n, type] of types.entries()) {
      ids.push(await recordClientEvent(tx, scope, { type, userId: n + 1, data: { n } }))
    }
    return ids
  })

const clock = () => performance.timeOrigin + performance.now()

/** Calls `work` so many times a second, each time without waiting for the one before. */
async function paced(seconds: number, work: (n: number) => Promise<void>): Promise<void> {
  const start = performance.now()
  const works: Promise<void>[] = []
  for (let n = 0; n < PER_SECOND * seconds; n++) {
    const wait = start + (n * 1_000) / PER_SECOND - performance.now()
    if (wait > 1) await sleep(wait)
    works.push(work(n))
  }
  await Promise.all(works)
}

const secondsOf = ({ quick }: BenchOptions) => (quick ? SECONDS / 12 : SECONDS)

/** From the commit to the first byte at the listener, p99 in milliseconds. */
async function lateness(bench: Bench): Promise<number> {
  await bench.receiver.ask('take')
  const committed = new Map<string, number>()
  await paced(secondsOf(bench.options), async (n) => {
    const [id] = await write(bench, [`bench.${n % LISTENERS}`])
    committed.set(`evt_${id}`, clock())
  })
  return p99(await allOf(bench, committed.size), committed)
}

/** The same for a sender that only signs and posts. */
async function bareLateness({ receiver, url, options }: Bench): Promise<number> {
  await receiver.ask('take')
  const agent = new Agent({ connections: CONCURRENCY })
  const begun = new Map<string, number>()
  await paced(secondsOf(options), async (n) => {
    begun.set(`evt_${n}`, clock())
    await post(agent, url, { id: `evt_${n}`, body: '{"n":1}' })
  })
  await agent.close()
  return p99((await receiver.ask<Arrivals>('take')).arrivals, begun)
}

function p99(arrivals: Arrivals['arrivals'], begun: ReadonlyMap<string, number>): number {
  return quantile(
    [...begun].map(([id, at]) => (arrivals[id] ?? Number.POSITIVE_INFINITY) - at),
    0.99,
  )
}

/** Waits until so many have come. */
async function allOf({ receiver }: Bench, count: number): Promise<Arrivals['arrivals']> {
  for (let before = -1, quiet = 0; quiet < 50; await sleep(100)) {
    const now = await receiver.ask<number>('count')
    if (now >= count) break
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
  return (await receiver.ask<Arrivals>('take')).arrivals
}

/** Events that wait for a listener that is dead. */
async function backlog(bench: Bench): Promise<void> {
  const count = bench.options.quick ? BACKLOG / 20 : BACKLOG
  const types = Array<string>(100).fill('bench.dead')
  for (let n = 0; n < count; n += types.length) await write(bench, types)
}

/** Deliveries a second from one process to one listener, beside a loop that signs and posts the same bodies. */
async function throughput(bench: Bench, begin: () => Promise<{ stop(): Promise<void> }>): Promise<Row> {
  const count = bench.options.quick ? AT_ONCE / 10 : AT_ONCE
  const types = Array<string>(100).fill('bench.fast')
  for (let n = 0; n < count; n += types.length) await write(bench, types)
  const worker = await begin()
  const times = Object.values(await allOf(bench, count))
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

const perSecond = (times: readonly number[]) =>
  (times.length / (Math.max(...times) - Math.min(...times))) * 1_000

/** As long as what is delivered. */
async function bodyOfOne({ ctx }: Bench): Promise<string> {
  const row = await ctx.db.selectFrom('events').selectAll().limit(1).executeTakeFirstOrThrow()
  return JSON.stringify({ ...row, objects: { user: null, install: null, license: null, cart: null } })
}

const secret = newWebhookSecret()

async function post(agent: Agent, url: string, { id, body }: { id: string; body: string }): Promise<void> {
  const { origin, pathname } = new URL(url)
  const timestamp = Math.floor(clock() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'x-signature': bodySignature(secret, body),
    ...standardHeaders([secret], { id, timestamp, body }),
  }
  const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
  await response.body.text()
}

interface Measured {
  readonly bare: number
  readonly alone: number
  readonly beside: number
  readonly options: BenchOptions
}

function latenessRows({ bare, alone, beside, options }: Measured): Row[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return [
    {
      name: `${PER_SECOND} events a second for ${secondsOf(options)} s to ${LISTENERS} listeners: first byte p99 after the commit`,
      ours: ms(alone),
      reference: `${ms(bare)} (a bare sender)`,
      ratio: (alone / bare).toFixed(1),
      line: `≤ ${LATE_MS} ms`,
      pass: alone <= LATE_MS,
    },
    {
      name: 'the same beside a dead listener with a backlog',
      ours: ms(beside),
      reference: `${ms(alone)} (without it)`,
      ratio: (beside / alone).toFixed(2),
      line: `< ${SLOWER}`,
      pass: beside / alone < SLOWER,
    },
  ]
}
