import { setTimeout as sleep } from 'node:timers/promises'
import { compareServers } from './compare.ts'
import { archiveIn, checksOf, MB, releasedFolder, type ReleasedFolder } from './deployments-seed.ts'
import type { OpenLoad } from './open-load.ts'
import { forgetPeak, megabytesOf } from './process-memory.ts'
import { startBare, startKeywright, startPeer, type Peer, type Server } from './processes.ts'
import { median, whole, type Benchmark, type BenchOptions, type Row } from './row.ts'
import { temporaryFolder } from './temporary-folder.ts'
import type { Transfer } from './transfer.ts'

const INSTALLS = 50_000
const CALLS = 5_000
const OPEN_MS = 60_000
const WARM_UP_MS = 5_000
const DOWNLOAD = 20 * MB
const UPLOAD = 100 * MB
const PARALLEL = 50
const DOWNLOADS = 5
const SETTLED_MS = 1_000

/** Update checks without anything newer, downloads and uploads of archives, on SQLite. */
export const deployments: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const folder = await releasedFolder(INSTALLS, DOWNLOAD)
  closing.defer(folder.remove)
  const calls = await checksOf(folder, INSTALLS)
  const rows = await compareServers(
    { environment: folder.environment, seeded: { token: '' }, bare: 'update-bare.ts' },
    [
      {
        name: `update check by signature, nothing newer, ${whole(INSTALLS)} installs, SQLite`,
        line: 0.75,
        calls: calls.slice(0, CALLS),
        status: 404,
      },
    ],
    options,
  )
  rows.push(await manyInstalls(folder, options))
  rows.push(...(await transfers(folder, options)))
  return rows
}

/** As many installs as there are, each once in a minute, at our server and then at the bare one. */
async function manyInstalls(folder: ReleasedFolder, { quick }: BenchOptions): Promise<Row> {
  await using closing = new AsyncDisposableStack()
  const load = await startPeer('open-load.ts', { connections: 64 })
  closing.defer(() => load.stop())
  const calls = await checksOf(folder, INSTALLS)
  const heads = calls.map(({ headers = {} }) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  )
  const paths = calls.map(({ path }) => path)
  const perSecond = INSTALLS / (OPEN_MS / 1000)
  const ask = async (start: () => Promise<Server>) => {
    const server = await start()
    const question = { address: server.address, paths, heads, status: 404, restMs: 0, perSecond }
    await load.ask<OpenLoad>({ ...question, ms: WARM_UP_MS })
    const result = await load.ask<OpenLoad>({ ...question, ms: quick ? OPEN_MS / 10 : OPEN_MS })
    await server.stop()
    return result
  }
  const bare = await ask(() => startBare(folder.environment, 'update-bare.ts'))
  const ours = await ask(() => startKeywright(folder.environment))
  const figure = ({ p50Ms, p99Ms, failures }: OpenLoad) =>
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${failures} errors`
  const ratio = ours.p99Ms / bare.p99Ms
  return {
    name: `${whole(INSTALLS)} different installs ask for an update in ${OPEN_MS / 1000} s, one process, SQLite`,
    ours: figure(ours),
    reference: figure(bare),
    ratio: ratio.toFixed(2),
    line: '≤ 2 of p99, no errors',
    pass: ratio <= 2 && ours.failures === 0 && bare.failures === 0,
  }
}

async function transfers(folder: ReleasedFolder, options: BenchOptions): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const ours = await startKeywright(folder.environment)
  closing.defer(() => ours.stop())
  const bare = await startBare(folder.environment, 'file-bare.ts')
  closing.defer(() => bare.stop())
  const peer = await startPeer('transfer.ts', {})
  closing.defer(() => peer.stop())
  const path = await downloadPath(ours, folder)
  const rows = [await downloadSpeed({ ours, bare, peer, path }, options)]
  rows.push(await downloadMemory({ ours, peer, path }))
  rows.push(await uploadMemory({ ours, peer, folder, scratch: await temporaryFolder(closing) }))
  return rows
}

/** Where the last version is downloaded without further proof. */
async function downloadPath({ address }: Server, { seeded }: ReleasedFolder): Promise<string> {
  const url = `${address}/v1/products/${seeded.productId}/tags/latest.json`
  const response = await fetch(url, { headers: { authorization: `Bearer ${seeded.token}` } })
  const { pathname, search } = new URL(((await response.json()) as { url: string }).url)
  return pathname + search
}

interface Transferring {
  readonly ours: Server
  readonly peer: Peer
  readonly path: string
}

async function downloadSpeed(
  { ours, bare, peer, path }: Transferring & { readonly bare: Server },
  { quick }: BenchOptions,
): Promise<Row> {
  const rate = async ({ address }: Server) => {
    const question = { kind: 'download', address, path, parallel: 1, times: DOWNLOADS }
    const { bytes, seconds } = await peer.ask<Transfer>(question)
    return bytes / MB / seconds
  }
  for (const server of [ours, bare]) await rate(server)
  const rounds = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < (quick ? 10 : 40); round++) {
    const early = round % 2 === 0 ? await rate(ours) : null
    rounds.bare.push(await rate(bare))
    rounds.ours.push(early ?? (await rate(ours)))
  }
  const ratio = median(rounds.ours.map((one, round) => one / (rounds.bare[round] ?? one)))
  return {
    name: `download of an archive of ${DOWNLOAD / MB} MB`,
    ours: `${whole(median(rounds.ours))} MB/s`,
    reference: `${whole(median(rounds.bare))} MB/s`,
    ratio: ratio.toFixed(2),
    line: '≥ 0.8',
    pass: ratio >= 0.8,
  }
}

/** How much more memory a process has at its highest while `work` runs; MB. */
async function growth({ pid }: Server, work: () => Promise<unknown>): Promise<number> {
  await sleep(SETTLED_MS)
  const before = await megabytesOf(pid, 'VmRSS')
  await forgetPeak(pid)
  await work()
  return (await megabytesOf(pid, 'VmHWM')) - before
}

const memoryRow = (name: string, megabytes: number, line: number): Row => ({
  name,
  ours: `+${megabytes.toFixed(1)} MB`,
  reference: '',
  ratio: '',
  line: `≤ +${line} MB`,
  pass: megabytes <= line,
})

async function downloadMemory({ ours, peer, path }: Transferring): Promise<Row> {
  const question = { kind: 'download', address: ours.address, path, parallel: PARALLEL, times: 2 }
  const grown = await growth(ours, () => peer.ask<Transfer>(question))
  return memoryRow(`memory beside before, ${PARALLEL} downloads of ${DOWNLOAD / MB} MB at once`, grown, 30)
}

interface Uploading extends Omit<Transferring, 'path'> {
  readonly folder: ReleasedFolder
  readonly scratch: string
}

async function uploadMemory({ ours, peer, folder, scratch }: Uploading): Promise<Row> {
  const { productId, token } = folder.seeded
  const upload = async (bytes: number, version: string) => {
    const file = await archiveIn(scratch, bytes, version)
    const url = `${ours.address}/v1/products/${productId}/tags`
    return () => peer.ask<Transfer>({ kind: 'upload', url, token, file })
  }
  await (
    await upload(MB, '2.0')
  )()
  const grown = await growth(ours, await upload(UPLOAD, '2.1'))
  return memoryRow(`memory beside before, upload of ${UPLOAD / MB} MB with both builds`, grown, 50)
}
