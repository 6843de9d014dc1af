import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { keyOf, licensesFolder, type SeededLicenses } from './licenses-seed.ts'
import { LICENSES } from './licenses.ts'
import type { Call, Load } from './load.ts'
import { startKeywright, startPeer } from './processes.ts'
import { median, quantile, whole, type Benchmark } from './row.ts'

const CONNECTIONS = 32
const ROUNDS = 10
const ROUND_MS = 1_000
/** More than are answered in a round. */
const CALLS_OF_ROUND = 10_000
const LINE = 0.5

/**
 * Activations over HTTP, each durable when it is answered, beside a plain loop of node:sqlite that writes the rows
 * of an activation, a durable commit each.
 */
export const activations: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const { environment, seeded, remove } = await licensesFolder(quick ? LICENSES / 10 : LICENSES)
  closing.defer(remove)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const load = await startPeer('load.ts', { connections: CONNECTIONS })
  closing.defer(() => load.stop())
  let license = 0
  const activate = async (ms: number) => {
    const calls = Array.from({ length: CALLS_OF_ROUND }, () => activation(seeded, ++license))
    const result = await load.ask<Load>({ address: server.address, token: '', calls, ms })
    if (result.failures > 0) throw new Error(`${result.failures} activations failed.`)
    return result.perSecond
  }
  await activate(2_000)
  const bare = new BareWriter(join(environment['KEYWRIGHT_DATA'] ?? '', 'keywright.db'), seeded.licenses)
  closing.defer(() => bare.close())
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < (quick ? ROUNDS / 5 : ROUNDS); round++) {
    rates.ours.push(await activate(ROUND_MS))
    rates.bare.push(bare.write(ROUND_MS))
  }
  const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? rate))
  const ratio = median(ratios)
  console.log(
    `half of the ratios between ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}`,
  )
  return [
    {
      name: `durable activations by ${CONNECTIONS} clients, beside bare durable commits of the same rows`,
      ours: `${whole(median(rates.ours))}/s`,
      reference: `${whole(median(rates.bare))}/s`,
      ratio: ratio.toFixed(2),
      line: `≥ ${LINE}`,
      pass: ratio >= LINE,
    },
  ]
}

/** A first activation of a machine of its own. */
const activation = ({ productId, licenses }: SeededLicenses, n: number): Call => ({
  method: 'POST',
  path: `/v1/products/${productId}/licenses/activate.json`,
  body: JSON.stringify({
    uid: randomBytes(16).toString('hex'),
    license_key: keyOf(1 + (n % licenses)),
    url: `https://site-${randomBytes(6).toString('hex')}.com`,
    version: '1.0.0',
  }),
})

type Row = Record<string, SQLInputValue>

/** What an activation inserts beside its install, found by the column that names it. */
const TABLES = ['sites', 'installs', 'install_tokens', 'events', 'audit_log'] as const

/** Writes the rows of the newest activation again, with values of their own where they must be unique. */
class BareWriter {
  readonly #connection: DatabaseSync
  readonly #rows: readonly { readonly table: string; readonly row: Row }[]

  readonly #licenses: number

  constructor(file: string, licenses: number) {
    this.#licenses = licenses
    this.#connection = new DatabaseSync(file, { timeout: 5_000 })
    this.#connection.exec('pragma synchronous = full')
    this.#rows = TABLES.flatMap((table) => this.#rowsOf(table).map((row) => ({ table, row })))
  }

  /** Commits a second. */
  write(ms: number): number {
    const inserts = this.#rows.map(({ table, row }) => {
      const names = Object.keys(row)
      const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
      return { statement: this.#connection.prepare(sql), row }
    })
    const count = this.#connection.prepare('update licenses set activated = activated + 1 where id = ?')
    const start = performance.now()
    let written = 0
    for (; performance.now() < start + ms; written++) {
      this.#connection.exec('begin immediate')
      for (const { statement, row } of inserts) statement.run(...Object.values(unique(row)))
      // Among the last ones: the first ones are activated by the other side, and have few places left.
      count.run(this.#licenses - Math.floor(Math.random() * (this.#licenses / 10)))
      this.#connection.exec('commit')
    }
    return (written / (performance.now() - start)) * 1000
  }

  close(): void {
    this.#connection.close()
  }

  #rowsOf(table: (typeof TABLES)[number]): Row[] {
    const { id: install } = this.#connection.prepare('select max(id) as id from installs').get() as {
      id: number
    }
    const where = {
      sites: `id = (select site_id from installs where id = ${install})`,
      installs: `id = ${install}`,
      install_tokens: `install_id = ${install}`,
      events: `install_id = ${install}`,
      audit_log: `id = (select max(id) from audit_log where action = 'licenses/activate')`,
    }[table]
    const rows = this.#connection.prepare(`select * from ${table} where ${where}`).all() as Row[]
    return rows.map(({ id: _id, seq: _seq, hash: _hash, ...row }) => row)
  }
}

const UNIQUE = new Set(['address', 'uid', 'public_key', 'token_hash'])

const unique = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      UNIQUE.has(name) ? randomBytes(16).toString('hex') : value,
    ]),
  )
