import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type Context } from '../src/context.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import { recordClientEvent } from '../src/events/log/record.ts'
import { createWebhook } from '../src/events/listeners/service.ts'
import { createSeller } from '../test/factories.ts'
import type { Peer } from './processes.ts'
import { quantile } from './row.ts'
import type { Arrivals } from './webhook-receiver.ts'

export const LISTENERS = 20
/** Nobody answers there. */
const DEAD = 'http://127.0.0.1:9/'

/** Who writes, for whom, and who is told. */
export interface Place {
  readonly ctx: Context
  readonly scope: Scope
  readonly receiver: Peer
}

/** A product with a listener for each of `bench.0`, `bench.1`, …, one for `bench.fast`, and a dead one. */
export async function furnish(ctx: Context, address: string): Promise<Scope> {
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

/** So many buyers take turns: each one's events stay in order. */
const BUYERS = 5_000
let written = 0

/** Writes events in a transaction; their ids. */
export const write = ({ ctx, scope }: Place, types: readonly string[]): Promise<number[]> =>
  transaction(ctx, async (tx) => {
    const ids: number[] = []
    for (const [n, type] of types.entries()) {
      ids.push(await recordClientEvent(tx, scope, { type, userId: 1 + (written++ % BUYERS), data: { n } }))
    }
    return ids
  })

/** Milliseconds, the same in every process of this machine. */
export const clock = () => performance.timeOrigin + performance.now()

/** Calls `work` so many times a second, each time without waiting for the one before. */
export async function paced(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: (n: number) => Promise<void>,
): Promise<void> {
  const start = performance.now()
  const works: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = start + (n * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    works.push(work(n))
  }
  await Promise.all(works)
}

/** From the beginning to the arrival, milliseconds, in the order of beginnings; what has not come counts as endless. */
export const delays = (arrivals: Arrivals['arrivals'], begun: ReadonlyMap<string, number>): number[] =>
  [...begun].map(([id, at]) => (arrivals[id] ?? Number.POSITIVE_INFINITY) - at)

export const p99 = (values: readonly number[]): number => quantile(values, 0.99)

/** Waits until so many have come, and then for so long for what comes once more. */
export async function allOf(
  { receiver }: Pick<Place, 'receiver'>,
  count: number,
  restMs = 0,
): Promise<Arrivals> {
  for (let before = -1, quiet = 0; quiet < 50; await sleep(100)) {
    const now = await receiver.ask<number>('count')
    if (now >= count) break
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
  await sleep(restMs)
  return receiver.ask<Arrivals>('take')
}
