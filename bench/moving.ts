import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { systemScope } from '../src/access/scope.ts'
import { transaction } from '../src/context.ts'
import { keptOf } from '../src/lists/asker.ts'
import { WHOLE } from '../src/lists/exports/kinds.ts'
import { addExport } from '../src/lists/exports/service.ts'
import { createSeller } from '../test/factories.ts'
import { PRODUCT } from '../test/moved-base.ts'
import { licenseKeyOf, movedRows, uidOf } from '../test/moved-rows.ts'
import type { OpenLoad } from './open-load.ts'
import { startKeywright, startPeer, type Server } from './processes.ts'
import { median, whole, type Benchmark, type Row } from './row.ts'
import { environmentOf, inContext, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LICENSES = 100_000
/** As many as a million rows hang on. */
const EXPORTED = 112_000
/** Customers that are generated at once. */
const CHUNK = 5_000
const FIRST = 1_000
const PER_SECOND = 200
const WARM_MS = 2_000
const MEASURED_MS = 10_000
const PART_MS = 2_000
const MOST_RATIO = 4
const LINE = 0.3
const WANTED = 1_000
const MOST_DELAY_MS = 20

const program = fileURLToPath(new URL('../bin/keywright.js', import.meta.url))
const run = promisify(execFile)
const keywright = async (environment: Environment, ...line: string[]): Promise<number> => {
  const start = performance.now()
  const env = { ...process.env, ...environment }
  await run(process.execPath, [program, ...line, '--account', '1', '--json'], {
    env,
    maxBuffer: 2 ** 26,
  })
  return (performance.now() - start) / 1000
}

/** A folder of files with this many licenses, each with a user, a site, an install, a subscription and two payments. */
async function filesOf(folder: string, licenses: number, first = FIRST): Promise<string> {
  await mkdir(folder)
  for (let at = 0; at < licenses; at += CHUNK) {
    const customers = Math.min(CHUNK, licenses - at)
    for (const [kind, rows] of Object.entries(movedRows(customers, first + at))) {
      // What is not of a customer is the same in every chunk.
      if (at > 0 && rows.length < customers) continue
      const file = createWriteStream(join(folder, `${kind}.jsonl`), { flags: 'a' })
      file.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      await once(file, 'close')
    }
  }
  return folder
}

const emptyPlace = (folder: string): Environment => environmentOf({ KEYWRIGHT_DATA: folder })

async function withSeller(folder: string): Promise<Environment> {
  const environment = emptyPlace(folder)
  await inContext(environment, async (ctx) => {
    await transaction(ctx, (tx) => createSeller(tx))
  })
  return environment
}

/** Tables with rows of an import, in the order in which they refer to each other. */
const TABLES = [
  'stores',
  'products',
  'plans',
  'pricing',
  'coupons',
  'users',
  'product_users',
  'licenses',
  'sites',
  'installs',
  'payment_methods',
  'subscriptions',
  'payments',
  'postings',
  'reviews',
  'imported_rows',
] as const
const ROWS_OF_COMMIT = 500

/** Seconds in which a plain loop of node:sqlite writes the rows that are in `from` to `to`, five hundred a commit. */
function writeBare(from: string, to: string): number {
  const [source, target] = [
    new DatabaseSync(from, { readOnly: true }),
    new DatabaseSync(to, { timeout: 5_000 }),
  ]
  target.exec('pragma synchronous = full; pragma foreign_keys = on')
  const had = (table: string) => (['stores', 'products'].includes(table) ? ` where id >= ${FIRST}` : '')
  let seconds = 0
  for (const table of TABLES) {
    const rows = source.prepare(`select * from ${table}${had(table)}`).all() as Record<
      string,
      SQLInputValue
    >[]
    const names = Object.keys(rows[0] ?? {})
    const insert = target.prepare(
      `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    const start = performance.now()
    for (let at = 0; at < rows.length; at += ROWS_OF_COMMIT) {
      target.exec('begin immediate')
      for (const row of rows.slice(at, at + ROWS_OF_COMMIT)) insert.run(...Object.values(row))
      target.exec('commit')
    }
    seconds += (performance.now() - start) / 1000
  }
  source.close()
  target.close()
  return seconds
}

/** Verifies sites that were brought along, whatever else happens. */
async function verifying(server: Server, closing: AsyncDisposableStack, licenses: number) {
  const load = await startPeer('open-load.ts', { connections: 16 })
  closing.defer(() => load.stop())
  const paths = Array.from({ length: 2_000 }, (_, n) => FIRST + ((n * 7) % licenses)).map(
    (n) =>
      `/v1/products/${PRODUCT}/installs/${n}/license.json?uid=${uidOf(n)}&license_key=${licenseKeyOf(n)}`,
  )
  return async (ms: number): Promise<Verified> => {
    const question = { address: server.address, paths, perSecond: PER_SECOND, restMs: 1, ms }
    const result = await load.ask<OpenLoad>(question)
    if (result.failures > 0) throw new Error(`${result.failures} verifications failed.`)
    return result
  }
}

type Verified = Pick<OpenLoad, 'p99Ms' | 'maxMs'>

/** Verifies part by part until something is done; the median p99 of these and the longest of all. */
async function beside(work: Promise<unknown>, verify: (ms: number) => Promise<Verified>): Promise<Verified> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const parts: Verified[] = []
  while (!isDone) parts.push(await verify(PART_MS))
  await done
  // The last part goes on when the work is done.
  const whole = parts.length > 1 ? parts.slice(0, -1) : parts
  console.log(`${whole.length} parts: p99 ${whole.map(({ p99Ms }) => p99Ms.toFixed(1)).join(', ')}`)
  return {
    p99Ms: median(whole.map(({ p99Ms }) => p99Ms)),
    maxMs: Math.max(...whole.map(({ maxMs }) => maxMs)),
  }
}

/** A folder with a seller, and files that were brought in; how long that took. */
async function broughtIn(closing: AsyncDisposableStack, licenses: number) {
  const folder = await temporaryFolder(closing)
  const files = await filesOf(join(folder, 'files'), licenses)
  const environment = await withSeller(join(folder, 'data'))
  const seconds = await keywright(environment, 'import', 'files', files)
  return { folder, environment, seconds }
}

/** Everything that hangs on licenses is brought in by `keywright import`. */
export const importing: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const licenses = quick ? LICENSES / 20 : LICENSES
  const { folder, environment, seconds } = await broughtIn(closing, licenses)
  await withSeller(join(folder, 'bare'))
  const bare = writeBare(join(folder, 'data/keywright.db'), join(folder, 'bare/keywright.db'))
  const ratio = bare / seconds
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const verify = await verifying(server, closing, licenses)
  await verify(WARM_MS)
  const idle = await verify(MEASURED_MS)
  const more = await filesOf(join(folder, 'more'), licenses / 2, FIRST + 500_000)
  const meanwhile = await beside(keywright(environment, 'import', 'files', more), verify)
  return [
    {
      name: `import of ${whole(licenses)} licenses with all that hangs on them, beside bare durable commits of the same rows`,
      ours: `${whole(licenses / seconds)} licenses/s`,
      reference: `${whole(licenses / bare)} licenses/s`,
      ratio: ratio.toFixed(2),
      line: `≥ ${LINE}, ≥ ${whole(WANTED)}/s`,
      pass: ratio >= LINE && licenses / seconds >= WANTED,
    },
    {
      name: `verification p99 beside an import, ${PER_SECOND}/s; the reference is the same in peace`,
      ours: `${meanwhile.p99Ms.toFixed(2)} ms`,
      reference: `${idle.p99Ms.toFixed(2)} ms`,
      ratio: (meanwhile.p99Ms / idle.p99Ms).toFixed(2),
      line: `≤ ${MOST_RATIO}`,
      pass: meanwhile.p99Ms <= MOST_RATIO * idle.p99Ms,
    },
  ]
}

/** Rows that hang on a license, without those of tables that are made from others. */
const ROWS_OF_LICENSE = 9

/** What an account has is written to files, beside a server that is asked for other things: by a process, and by a job. */
export const exporting: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const licenses = quick ? EXPORTED / 20 : EXPORTED
  const { folder, environment } = await broughtIn(closing, licenses)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const verify = await verifying(server, closing, licenses)
  await verify(WARM_MS)
  const rows = licenses * ROWS_OF_LICENSE
  const ways = {
    '`keywright export`': () => keywright(environment, 'export', '--to', join(folder, 'out')),
    'the job of the server': () => exportedByJob(environment),
  }
  const results: Row[] = []
  for (const [way, write] of Object.entries(ways)) {
    const idle = await verify(MEASURED_MS)
    const running = write()
    const meanwhile = await beside(running, verify)
    const seconds = await running
    results.push({
      name: `verifications beside an export of ${whole(rows)} rows by ${way}: the longest; the reference is the same in peace`,
      ours: `${meanwhile.maxMs.toFixed(1)} ms, ${whole(rows / seconds)} rows/s`,
      reference: `${idle.maxMs.toFixed(1)} ms`,
      ratio: (meanwhile.maxMs / idle.maxMs).toFixed(2),
      line: `≤ ${MOST_DELAY_MS} ms more`,
      pass: meanwhile.maxMs <= idle.maxMs + MOST_DELAY_MS,
    })
  }
  return results
}

/** Has the running server write the account to a file, as its owner asks for it; how many seconds that took. */
async function exportedByJob(environment: Environment): Promise<number> {
  const start = performance.now()
  await inContext(environment, (ctx) =>
    transaction(ctx, async (tx) => {
      const actor = { kind: 'developer', id: 1, credential: 'session:1', sessionId: 1 } as const
      const scope = { ...systemScope({ developerId: 1, productId: 1 }), actor }
      const asked = { query: {}, productIds: null, actor: keptOf(actor) }
      await addExport(tx, scope, { asked, kind: WHOLE, columns: '', time_zone: 'UTC', format: 'jsonl' })
    }),
  )
  const file = join(environment['KEYWRIGHT_DATA'] ?? '', 'keywright.db')
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  const stateOf = connection.prepare('select state from exports')
  for (;;) {
    await pause(200)
    const { state } = stateOf.get() as { readonly state: string }
    if (state === 'done') break
    if (state === 'failed') throw new Error('The export failed.')
  }
  connection.close()
  return (performance.now() - start) / 1000
}
