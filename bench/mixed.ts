import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { createPricing } from '../src/catalogue/plans/pricing.ts'
import { createWebhook } from '../src/events/listeners/service.ts'
import { sandboxProof } from '../test/checkouts.ts'
import { licensesFolder, type SeededLicenses } from './licenses-seed.ts'
import type { MixedLoad, MixedLoadOptions } from './mixed-load.ts'
import { forgetPeak, megabytesOf, memoryParts, type MemoryParts } from './process-memory.ts'
import { startKeywright, startPeer, type Server } from './processes.ts'
import { quantile, type Benchmark } from './row.ts'
import { benchContext, type Environment } from './seed.ts'
import type { Arrivals } from './webhook-receiver.ts'

const LICENSES = 50_000
const MINUTES = 3
const LONG_MINUTES = 20
const SAMPLE_MS = 5_000
const LINE_MB = 300
const LISTENERS = 3

/**
 * Memory of the server with its jobs under what sellers and buyers do in a busy hour: purchases, activations, uploads,
 * invoices and events to listeners, 42 requests a second; and what it is that is held.
 */
export const mixed: Benchmark = async ({ quick, long = false }) => {
  await using closing = new AsyncDisposableStack()
  const { environment: seededIn, seeded, remove } = await licensesFolder(LICENSES)
  closing.defer(remove)
  const environment = { ...seededIn, KEYWRIGHT_TRUST_PROXY: 'loopback', KEYWRIGHT_MODE: 'development' }
  const receiver = await startPeer('webhook-receiver.ts', {})
  closing.defer(() => receiver.stop())
  const { port } = await receiver.ask<Arrivals>('take')
  const opening = await furnish(environment, seeded, port)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const { address } = server
  const options = { address, opening, token: seeded.token, productId: seeded.productId, licenses: LICENSES }
  const load = await startPeer('mixed-load.ts', options satisfies MixedLoadOptions)
  closing.defer(() => load.stop())
  await forgetPeak(server.pid)
  const minutes = long ? LONG_MINUTES : quick ? MINUTES / 6 : MINUTES
  const samples = new AbortController()
  const sampling = watch(server, samples.signal)
  closing.defer(async () => {
    samples.abort()
    await sampling
  })
  const { perSecond, p50Ms, p99Ms, maxMs, failures } = await load.ask<MixedLoad>({ seconds: minutes * 60 })
  samples.abort()
  const held = await sampling
  const delivered = await receiver.ask<number>('count')
  const peak = await megabytesOf(server.pid, 'VmHWM')
  console.log(
    `${perSecond.toFixed(1)} requests a second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms; ${delivered} events delivered`,
  )
  const failed = Object.values(failures).reduce((sum, many) => sum + many, 0)
  if (failed > 0) console.error('failed', failures)
  const highest = Math.max(...held)
  const mb = (value: number) => `${Math.round(value)} MB`
  const measured = `${mb(highest)} in ${minutes} minutes, median ${mb(quantile(held, 0.5))}, for a moment ${mb(peak)}`
  return [
    {
      name: 'memory held, looked at every 5 s, under purchases, activations, uploads, invoices and events',
      ours: failed > 0 ? `${measured}; ${failed} requests failed` : measured,
      reference: '',
      ratio: '',
      line: `< ${LINE_MB} MB`,
      pass: highest < LINE_MB && failed === 0,
    },
  ]
}

/** Tells every few seconds what the process holds; all that it held. */
async function watch(server: Server, until: AbortSignal): Promise<number[]> {
  const all: number[] = []
  for (let n = 0; !until.aborted; n++) {
    await sleep(SAMPLE_MS, undefined, { signal: until }).catch(() => {})
    await sample(server, n, all).catch((error: unknown) => console.error('no sample', error))
  }
  return all
}

async function sample(server: Server, n: number, all: number[]): Promise<void> {
  const parts = await memoryParts(server.pid)
  all.push(sumOf(parts))
  console.log(
    `${((n + 1) * SAMPLE_MS) / 1000} s: ${sumOf(parts).toFixed(0)} MB; ${await textOf(server, parts)}`,
  )
}

const sumOf = ({ files, heap, arenas, rest }: MemoryParts) => files + heap + arenas + rest

async function textOf({ address }: Server, { files, heap, arenas, rest }: MemoryParts): Promise<string> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const figure = (name: string) =>
    (Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) / 1024 / 1024).toFixed(0)
  const mb = (value: number) => value.toFixed(0)
  const heaps = `${figure('nodejs_heap_size_used_bytes')} of ${figure('nodejs_heap_size_total_bytes')}`
  const external = figure('nodejs_external_memory_bytes')
  return `files ${mb(files)}, malloc ${mb(heap)} and ${mb(arenas)} of threads, rest ${mb(rest)} (heap of the main thread ${heaps}, external ${external})`
}

/** A price to buy in the sandbox, and listeners; what a checkout is opened with. */
async function furnish(environment: Environment, seeded: SeededLicenses, port: number): Promise<object> {
  const ctx = await benchContext(environment)
  try {
    const scope = systemScope(seeded)
    const pricing = await transaction(ctx, async (tx) => {
      for (let n = 0; n < LISTENERS; n++)
        await createWebhook(tx, scope, { url: `http://127.0.0.1:${port}/${n}` })
      return createPricing(tx, scope, seeded.planId, { licenses: 1, currency: 'usd', annual_price: 99.5 })
    })
    return { ...(await sandboxProof(ctx, seeded.productId)), pricing_id: Number(pricing.id) }
  } finally {
    await ctx.database.close()
  }
}
