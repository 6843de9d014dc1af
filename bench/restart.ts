import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../test/postgres.ts'
import {
  keyOf,
  licensesFolder,
  seedLicenses,
  uidOf,
  licenseOf,
  type SeededLicenses,
} from './licenses-seed.ts'
import { SETTINGS, vacuum } from './postgres.ts'
import { startKeywright, startPeer, type Server } from './processes.ts'
import type { RestartLoad, RestartLoadOptions } from './restart-load.ts'
import { median, quantile, type Benchmark, type BenchOptions, type Row } from './row.ts'
import { environmentOf, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LICENSES = 20_000
const KILLS = 30
const CLIENTS = 8
/** Between a start and the next kill. */
const LOADED_MS = 2_000
const LINE_MS = 2_000

/** From the start of the process after a kill under load, in which clients go on, to its first right answer. */
export const restart: Benchmark = async (options) => [
  ...(await onSqlite(options)),
  ...(await onPostgres(options)),
]

async function onSqlite(options: BenchOptions): Promise<Row[]> {
  const { environment, seeded, remove } = await licensesFolder(LICENSES)
  try {
    return await restarts('SQLite', { environment, seeded }, options)
  } finally {
    await remove()
  }
}

async function onPostgres(options: BenchOptions): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const server = await startPostgres(SETTINGS)
  closing.defer(() => server.stop())
  const data = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: data, DATABASE_URL: server.url })
  const seeded = await seedLicenses(environment, LICENSES)
  await vacuum(server.url)
  return await restarts('PostgreSQL', { environment, seeded }, options)
}

interface Loaded {
  readonly environment: Environment
  readonly seeded: SeededLicenses
}

async function restarts(
  name: string,
  { environment, seeded }: Loaded,
  { quick }: BenchOptions,
): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  let server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const again = { ...environment, PORT: new URL(server.address).port }
  const { token, productId } = seeded
  const options = { address: server.address, clients: CLIENTS, token, productId, licenses: LICENSES }
  const load = await startPeer('restart-load.ts', options satisfies RestartLoadOptions)
  closing.defer(() => load.stop())
  const times: number[] = []
  for (let kill = 0; kill < (quick ? KILLS / 10 : KILLS); kill++) {
    await sleep(LOADED_MS)
    process.kill(server.pid, 'SIGKILL')
    await server.ended
    const from = performance.now()
    const [started] = await Promise.all([startKeywright(again), answered(server, seeded)])
    times.push(performance.now() - from)
    server = started
  }
  const { answers } = await load.ask<RestartLoad>({})
  console.log(`${name}: ${answers} requests were answered beside ${times.length} starts`)
  const worst = quantile(times, 1)
  return [
    {
      name: `start after a kill under load, ${name}: from the start to the first right answer`,
      ours: `p50 ${median(times).toFixed(0)} ms, longest ${worst.toFixed(0)} ms of ${times.length}`,
      reference: '',
      ratio: '',
      line: `≤ ${LINE_MS} ms`,
      pass: worst <= LINE_MS,
    },
  ]
}

/** Asks again and again whether it is ready and a license is valid, until both are. */
async function answered({ address }: Server, { productId, token }: SeededLicenses): Promise<void> {
  const query = `uid=${uidOf(1)}&license_key=${keyOf(licenseOf(1))}`
  const paths = ['/readyz', `/v1/products/${productId}/installs/1/license.json?${query}`]
  const headers = { authorization: `Bearer ${token}` }
  for (const path of paths) {
    const isRight = () =>
      fetch(address + path, { headers }).then(
        ({ status }) => status === 200,
        () => false,
      )
    while (!(await isRight())) await sleep(10)
  }
}
