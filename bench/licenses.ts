import { readdirSync, readFileSync } from 'node:fs'
import { compareServers } from './compare.ts'
import {
  keyOf,
  licenseOf,
  licensesFolder,
  uidOf,
  type LicensesFolder,
  type SeededLicenses,
} from './licenses-seed.ts'
import { inTurns } from './in-turns.ts'
import type { Call, Load } from './load.ts'
import type { OpenLoad } from './open-load.ts'
import { startKeywright, startPeer, type Peer, type Server } from './processes.ts'
import { median, whole, type Benchmark, type BenchOptions, type Row } from './row.ts'

export const LICENSES = 1_000_000
const CALLS = 5_000
const ROUNDS = 20
const ROUND_MS = 300
const OPEN_PER_SECOND = 2_000
const OPEN_MS = 10_000
const STEADY_PER_SECOND = 1_000

/** Verifications without a token, and a license by its key, among a million licenses on SQLite. */
export const licenses: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const folder = async (count: number) => {
    const made = await licensesFolder(count)
    closing.defer(made.remove)
    return made
  }
  const count = options.quick ? LICENSES / 10 : LICENSES
  const many = await folder(count)
  const { environment, seeded } = many
  const name = `verify by install, uid and key, ${whole(seeded.licenses)} licenses, SQLite`
  const rows = await compareServers(
    { environment, seeded: { token: '' }, bare: 'license-bare.ts' },
    [{ name, line: 0.75, calls: verifyCalls(seeded) }],
    options,
  )
  const start = async (from: LicensesFolder) => {
    const server = await startKeywright(from.environment)
    closing.defer(() => server.stop())
    return { server, seeded: from.seeded }
  }
  const large = await start(many)
  rows.push(...(await openLoop(large, options)))
  rows.push(await byKey({ large, small: await start(await folder(1_000)) }, options))
  rows.push(await cpuOfTwo([large, await start(many), await start(await folder(count))], options))
  return rows
}

/** Verifications of installs in no order. */
export const verifyCalls = ({ productId, licenses: count }: SeededLicenses): Call[] =>
  Array.from({ length: CALLS }, () => {
    const install = 1 + Math.floor(Math.random() * count * 2)
    const key = keyOf(licenseOf(install))
    const query = `uid=${uidOf(install)}&license_key=${key}`
    return { method: 'GET', path: `/v1/products/${productId}/installs/${install}/license.json?${query}` }
  })

interface Running {
  readonly server: Server
  readonly seeded: SeededLicenses
}

async function openLoop({ server, seeded }: Running, { quick }: BenchOptions): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const load = await startPeer('open-load.ts', { connections: 64 })
  closing.defer(() => load.stop())
  const paths = verifyCalls(seeded).map(({ path }) => path)
  const list = { path: `/v1/products/${seeded.productId}/licenses.json?count=50`, token: seeded.token }
  const question = { address: server.address, paths, restMs: 0, beside: { ...list, everyMs: 100 } }
  await load.ask<OpenLoad>({ ...question, perSecond: 500, ms: 2_000 })
  const ms = quick ? OPEN_MS / 5 : OPEN_MS
  const result = await load.ask<OpenLoad>({ ...question, perSecond: OPEN_PER_SECOND, ms })
  if (result.failures > 0) throw new Error(`${result.failures} verifications failed.`)
  const row = (part: string, figure: number, line: number): Row => ({
    name: `${whole(OPEN_PER_SECOND)} verifications a second, open loop, beside a list of 50 every 100 ms: ${part}`,
    ours: `${figure.toFixed(2)} ms`,
    reference: '',
    ratio: '',
    line: `≤ ${line} ms`,
    pass: figure <= line,
  })
  return [row('p50', result.p50Ms, 1), row('p99', result.p99Ms, 5)]
}

/** How many times as long a license is looked up by its key among very many as among few. */
async function byKey(
  { large, small }: { readonly large: Running; readonly small: Running },
  { quick }: BenchOptions,
): Promise<Row> {
  await using closing = new AsyncDisposableStack()
  const load = await startPeer('load.ts', { connections: 8 })
  closing.defer(() => load.stop())
  const runOf =
    ({ server, seeded }: Running) =>
    (ms: number) => {
      const calls = Array.from({ length: CALLS }, (): Call => {
        const key = keyOf(1 + Math.floor(Math.random() * seeded.licenses))
        return { method: 'GET', path: `/v1/products/${seeded.productId}/licenses.json?search=${key}` }
      })
      return load.ask<Load>({ address: server.address, token: seeded.token, calls, ms })
    }
  const name = `license by key, among ${whole(large.seeded.licenses)} and ${whole(small.seeded.licenses)}`
  const turns = { rounds: ROUNDS, roundMs: ROUND_MS, warmUpMs: 1_500, quick }
  const { ratio, ...figures } = await inTurns(name, [runOf(large), runOf(small)], turns)
  const times = 1 / ratio
  return { name, ...figures, ratio: times.toFixed(2), line: '≤ 1.5', pass: times <= 1.5 }
}

/**
 * CPU time a verification in two processes on one database, beside two on one each: processes that share the
 * cores of a machine slow each other down whatever they share beside.
 */
async function cpuOfTwo(
  [one, other, apart]: readonly [Running, Running, Running],
  { quick }: BenchOptions,
): Promise<Row> {
  await using closing = new AsyncDisposableStack()
  const start = async () => {
    const peer = await startPeer('open-load.ts', { connections: 8 })
    closing.defer(() => peer.stop())
    return peer
  }
  const peers = [await start(), await start()] as const
  const paths = verifyCalls(one.seeded).map(({ path }) => path)
  const ask = async (peer: Peer, { server }: Running, ms: number) => {
    const question = { address: server.address, paths, perSecond: STEADY_PER_SECOND, ms, restMs: 2 }
    const result = await peer.ask<OpenLoad>(question)
    if (result.failures > 0) throw new Error(`${result.failures} verifications failed.`)
    return result
  }
  const beside = (second: Running) =>
    cpuEach([one, second], () => Promise.all([ask(peers[0], one, 1_000), ask(peers[1], second, 1_000)]))
  for (const second of [other, apart]) await beside(second)
  const rounds = { one: [] as number[], each: [] as number[] }
  for (let round = 0; round < (quick ? 3 : 10); round++) {
    rounds.each.push(await beside(apart))
    rounds.one.push(await beside(other))
  }
  const ratio = median(rounds.one.map((time, round) => time / (rounds.each[round] ?? time)))
  return {
    name: `CPU time a verification, two processes on one database beside two on one each, ${whole(STEADY_PER_SECOND)}/s in each`,
    ours: `${median(rounds.one).toFixed(1)} µs`,
    reference: `${median(rounds.each).toFixed(1)} µs`,
    ratio: ratio.toFixed(2),
    line: '≤ 1.1',
    pass: ratio <= 1.1,
  }
}

/** Microseconds of processor time that these servers took for each answer. */
async function cpuEach(servers: readonly Running[], work: () => Promise<OpenLoad[]>): Promise<number> {
  const total = () => servers.reduce((sum, { server }) => sum + cpuMicroseconds(server.pid), 0)
  const before = total()
  const loads = await work()
  return (total() - before) / loads.reduce((sum, { sent }) => sum + sent, 0)
}

/** Processor time of all threads of a process, in nanoseconds where Linux's own sums are in hundredths of a second. */
export function cpuMicroseconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const times = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'))
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0]), 0) / 1_000
}
