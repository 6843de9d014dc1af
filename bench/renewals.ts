import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { DAY, SECOND, toUtcTime, type UtcTime } from '../src/lib/time.ts'
import { startPostgres } from '../test/postgres.ts'
import { verifyCalls } from './licenses.ts'
import type { OpenLoad } from './open-load.ts'
import { SETTINGS, vacuum } from './postgres.ts'
import { startKeywright, startPeer, startWorker, type Server } from './processes.ts'
import { seedRenewals } from './renewals-seed.ts'
import { whole, type Benchmark, type Row } from './row.ts'
import { environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Into the servers: the test gateway takes what is due in production, as no other one costs nothing. */
const NODE_OPTIONS = `--import=${new URL('live-gateway.ts', import.meta.url).href}`
const DUE = 100_000
const LOOK_MS = 200
/** Without a renewal. */
const STUCK_MS = 60_000
const PER_SECOND = 200
const LOAD_MS = 10_000
const P99_LINE = 4
/** From the seed to a server that answers, and until its code is compiled. */
const START_MS = 5_000
const WARM_MS = 2_000
const WORKERS = 4
const WORKERS_LINE = 0.4

/** Renewals that are all due at once, on the test gateway, and what a verification waits beside them. */
export const renewals: Benchmark = async ({ quick }) => {
  const due = quick ? DUE / 50 : DUE
  return [...(await onSqlite(due, quick ? LOAD_MS / 5 : LOAD_MS)), ...(await onPostgres(due))]
}

/** Before then everything that is due is due again no more. */
const SOON = toUtcTime(Date.now() + DAY)

/** Whether something is left, and how far it is. */
const LOOK = `select
  (select count(*) from (select id from subscriptions where environment = 0 and due_at < '${SOON}' limit 1) as one) as waiting,
  (select coalesce(max(id), 0) from payments) as made`

interface Looked {
  readonly waiting: number | string
  readonly made: number | string
}

async function onSqlite(due: number, loadMs: number): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const folder = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: folder, NODE_OPTIONS })
  const seeded = await seedRenewals(environment, due)
  const connection = new DatabaseSync(join(folder, 'keywright.db'), { readOnly: true, timeout: 5_000 })
  closing.defer(() => connection.close())
  const load = await startPeer('open-load.ts', { connections: 16 })
  closing.defer(() => load.stop())
  const p99 = async (server: Server, ms: number) => {
    const paths = verifyCalls(seeded).map(({ path }) => path)
    const question = { address: server.address, paths, perSecond: PER_SECOND, restMs: 1, ms }
    const result = await load.ask<OpenLoad>(question)
    if (result.failures > 0) throw new Error(`${result.failures} verifications failed.`)
    return result.p99Ms
  }
  const fall = Math.ceil((Date.now() + START_MS + WARM_MS + loadMs) / SECOND) * SECOND
  fallDue(join(folder, 'keywright.db'), toUtcTime(fall))
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  await p99(server, WARM_MS)
  const idle = await p99(server, loadMs)
  if (Date.now() > fall) throw new Error('The renewals fell due before they were to.')
  await sleep(fall - Date.now())
  const start = performance.now()
  const done = untilRenewed(async () => connection.prepare(LOOK).get() as unknown as Looked)
  const beside = await p99(server, loadMs)
  await done
  const seconds = (performance.now() - start) / 1_000
  return [
    {
      name: `${whole(due)} due renewals, one process on SQLite`,
      ours: `${seconds.toFixed(1)} s, ${whole(due / seconds)}/s`,
      reference: '',
      ratio: '',
      line: '',
      pass: null,
    },
    {
      name: `verification p99 beside them, ${PER_SECOND}/s; the reference is the same in peace`,
      ours: `${beside.toFixed(2)} ms`,
      reference: `${idle.toFixed(2)} ms`,
      ratio: (beside / idle).toFixed(2),
      line: `≤ ${P99_LINE}`,
      pass: beside / idle <= P99_LINE,
    },
  ]
}

/** All at the same moment, so that the one server is asked in peace first. */
function fallDue(file: string, at: UtcTime): void {
  const connection = new DatabaseSync(file)
  connection.prepare('update subscriptions set due_at = ? where due_at is not null').run(at)
  connection.close()
}

/** On as many cores as workers and PostgreSQL fill, the CPU time of a renewal says what its time cannot. */
async function onPostgres(due: number): Promise<Row[]> {
  const one = await workOf(1, due)
  const several = await workOf(WORKERS, due)
  const [ratio, cpuRatio] = [several.seconds / one.seconds, several.cpuMs / one.cpuMs]
  const said = ({ seconds }: Work) => `${seconds.toFixed(1)} s, ${whole(due / seconds)}/s`
  return [
    {
      name: `${whole(due)} due renewals on PostgreSQL, ${WORKERS} workers beside one`,
      ours: said(several),
      reference: said(one),
      ratio: ratio.toFixed(2),
      line: `≤ ${WORKERS_LINE}`,
      pass: ratio <= WORKERS_LINE,
    },
    {
      name: `CPU time a renewal of the whole machine, ${WORKERS} workers beside one`,
      ours: `${(several.cpuMs / due).toFixed(2)} ms`,
      reference: `${(one.cpuMs / due).toFixed(2)} ms`,
      ratio: cpuRatio.toFixed(2),
      line: '',
      pass: null,
    },
  ]
}

interface Work {
  readonly seconds: number
  /** Milliseconds in which a core of this machine had something to do. */
  readonly cpuMs: number
}

const busyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** What so many workers take for all of them, from their start. */
async function workOf(workers: number, due: number): Promise<Work> {
  await using closing = new AsyncDisposableStack()
  const server = await startPostgres(SETTINGS)
  closing.defer(() => server.stop())
  const environment = environmentOf({
    KEYWRIGHT_DATA: await temporaryFolder(closing),
    DATABASE_URL: server.url,
    NODE_OPTIONS,
  })
  await seedRenewals(environment, due)
  await vacuum(server.url)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  closing.defer(() => client.end())
  const [start, busy] = [performance.now(), busyMs()]
  const started = await Promise.all(Array.from({ length: workers }, () => startWorker(environment)))
  for (const worker of started) closing.defer(() => worker.stop())
  await untilRenewed(async () => (await client.query<Looked>(LOOK)).rows[0])
  return { seconds: (performance.now() - start) / 1_000, cpuMs: busyMs() - busy }
}

async function untilRenewed(look: () => Promise<Looked | undefined>): Promise<void> {
  let before = -1
  for (let since = performance.now(); ;) {
    const { waiting, made } = (await look()) ?? { waiting: 1, made: 0 }
    if (Number(waiting) === 0) return
    if (Number(made) > before) since = performance.now()
    else if (performance.now() - since > STUCK_MS) throw new Error('Some renewals are not made.')
    before = Number(made)
    await sleep(LOOK_MS)
  }
}
