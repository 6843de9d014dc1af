import { sql } from 'kysely'
import type { Database, Writer } from '../../src/db/database.ts'
import type { Keyring } from '../../src/lib/keyring.ts'
import { SEALED_COLUMNS, placeOf } from '../../src/db/sealed-columns.ts'

export type Row = Readonly<Record<string, unknown>>

/** A row that was written, and how. */
export interface Touch {
  readonly table: string
  readonly op: 'insert' | 'update' | 'delete'
  readonly row: Row
  /** As it was before; undefined where it was not there. */
  readonly before: Row | undefined
}

/** Whose a secret is. */
export interface Secret {
  readonly table: string
  readonly id: number
}

/** Ids of each table have numbers of their own, so that an id in any text says whose it is. */
const APART = 10_000_000_000
const MOST = 10_000_000

/** What a request leaves behind whoever calls, and what names no row of anybody. */
const ASIDE = new Set([
  'account_customers',
  'api_tokens',
  'audit_log',
  'audit_chain',
  'count_changes',
  'counts',
  'idempotency_keys',
  'jobs',
  'list_marks',
  'login_addresses',
  'login_failures',
  'mail_counts',
  'mails',
  'pictures',
  'reach_log',
  'refusals',
  'renewal_watch',
  'schema_version',
])

/** Whether everybody is shown a review. */
const FEATURED = ['is_active', 'is_featured', 'is_verified']
export const isFeatured = (row: Row): boolean => FEATURED.every((name) => Number(row[name]) === 1)

/** The columns that say whose a row is, those that open something, and whether everybody is shown it. */
const TOLD = (name: string) =>
  name === 'id' ||
  name.endsWith('_id') ||
  [
    'email',
    'uid',
    'owner',
    'secret',
    'secret_key',
    'previous_secret',
    'token_hash',
    'reach',
    'hides',
    'role',
    ...FEATURED,
  ].includes(name)

interface TableOf {
  readonly name: string
  readonly columns: readonly string[]
}

/** A mirror of the rows of a database, by which the model knows whose each is. */
export class Mirror {
  readonly #database: Database
  readonly #tables: readonly TableOf[]
  readonly #rows = new Map<string, Map<number, Row>>()
  /** Each table's rows, until one of them is written. */
  readonly #lists = new Map<string, readonly Row[]>()
  readonly #secrets = new Map<string, Secret[]>()
  readonly #members = new Set<string>()
  /** What was shown before the last call, and by it. */
  readonly #shown = new Set<string>()
  readonly #shownLast: string[] = []
  /** Which product had which user before the last call, and which got one by it. */
  readonly #joined = new Set<string>()
  readonly #joinedLast: string[] = []
  readonly #ran = new Set<string>()
  readonly #bundles: (readonly [bundle: number, product: number])[] = []
  /** The secrets that the last call wrote. */
  readonly #told = new Set<string>()
  #last = 0

  private constructor(database: Database, tables: readonly TableOf[]) {
    this.#database = database
    this.#tables = tables
  }

  /** Watches every table of an empty database. */
  static async over(database: Database): Promise<Mirror> {
    const found = await database.transaction((db) => db.introspection.getTables())
    const tables = found
      .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name).filter(TOLD) }))
      .filter(({ name }) => !ASIDE.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const mirror = new Mirror(database, tables)
    await database.transaction((db) =>
      database.engine === 'sqlite' ? watchSqlite(db, tables) : watchPostgres(db, tables),
    )
    return mirror
  }

  /** What was written since the last time. */
  async catchUp(keys: Keyring): Promise<Touch[]> {
    const { rows } = await sql<{ n: number; tab: string; op: string; row: string }>`
      select n, tab, op, row from reach_log where n > ${this.#last} order by n`.execute(this.#database.reader)
    this.#told.clear()
    for (const pair of this.#shownLast.splice(0)) this.#shown.add(pair)
    for (const pair of this.#joinedLast.splice(0)) this.#joined.add(pair)
    return rows.map(({ n, tab, op, row }) => {
      this.#last = Number(n)
      return this.#take(tab, op.toLowerCase() as Touch['op'], JSON.parse(row) as Row, keys)
    })
  }

  #take(table: string, op: Touch['op'], row: Row, keys: Keyring): Touch {
    const id = Number(row['id'] ?? 0)
    const known = this.#rows.get(table) ?? new Map<number, Row>()
    this.#rows.set(table, known)
    const before = id > 0 ? known.get(id) : undefined
    if (id > 0) known.set(id, row)
    this.#lists.delete(table)
    this.#notePairs(table, row)
    for (const sealed of SEALED_COLUMNS) {
      const value = sealed.table === table ? row[sealed.column] : undefined
      if (typeof value !== 'string' || before?.[sealed.column] === value) continue
      const secret = keys.open(value, placeOf(sealed))
      this.#secrets.set(secret, [...this.secretsOf(secret), { table, id: this.#holder(table, row) }])
      this.#told.add(secret)
    }
    return { table, op, row, before }
  }

  /** What no row with an id says of two others. */
  #notePairs(table: string, row: Row): void {
    if (table === 'installs') this.#ran.add(`${row['id']} ${row['license_id']}`)
    if (table === 'product_users') {
      const pair = `${row['product_id']} ${row['user_id']}`
      this.#members.add(pair)
      this.#joinedLast.push(pair)
    }
    if (table === 'user_key_licenses') this.#shownLast.push(`${row['user_key_id']} ${row['license_id']}`)
    if (table === 'bundle_members') this.#bundles.push([Number(row['bundle_id']), Number(row['product_id'])])
  }

  /** The keys that a seller is shown of a user have no id of their own. */
  #holder = (table: string, row: Row): number =>
    Number(row['id'] ?? (table === 'product_users' ? row['user_id'] : 0))

  isUserOf(productId: number, userId: number): boolean {
    return this.#members.has(`${productId} ${userId}`)
  }

  /** The products that a user was of before the last call. */
  productsOf(userId: number): number[] {
    const was = (row: Row) => this.#joined.has(`${row['id']} ${userId}`)
    return this.rows('products')
      .filter(was)
      .map((row) => Number(row['id']))
  }

  /** Whether the key of a license was shown to a pair before the last call. */
  isShownTo(pairId: number, licenseId: number): boolean {
    return this.#shown.has(`${pairId} ${licenseId}`)
  }

  /** Whether a license is or was on an install. */
  hasRun(installId: number, licenseId: number): boolean {
    return this.#ran.has(`${installId} ${licenseId}`)
  }

  /** Whether a secret was made by the last call. */
  isMade(secret: string): boolean {
    return this.#told.has(secret)
  }

  /** A product, its add-ons and parent, the bundles it is in and what is in it. */
  familyOf(id: number): ReadonlySet<number> {
    const parent = Number(this.row('products', id)?.['parent_plugin_id'] ?? 0)
    const addons = this.rows('products').filter((row) => row['parent_plugin_id'] === id)
    const bundled = this.#bundles.flatMap(([bundle, product]) =>
      bundle === id ? [product] : product === id ? [bundle] : [],
    )
    return new Set([id, parent, ...addons.map((row) => Number(row['id'])), ...bundled])
  }

  row(table: string, id: number): Row | undefined {
    return this.#rows.get(table)?.get(id)
  }

  rows(table: string): readonly Row[] {
    const list = this.#lists.get(table) ?? [...(this.#rows.get(table)?.values() ?? [])]
    this.#lists.set(table, list)
    return list
  }

  /** An id of the table, `at` from 0 to 1; undefined where it has none. */
  some(table: string, at: number): string | undefined {
    const ids = [...(this.#rows.get(table)?.keys() ?? [])]
    const id = ids[Math.floor(at * ids.length)]
    return id === undefined ? undefined : String(id)
  }

  /** Whose secret a text is: of nobody where it opens nothing, of several where products have the same license key. */
  secretsOf(text: string): readonly Secret[] {
    return this.#secrets.get(text) ?? []
  }

  /** The row that a number names; undefined where it is no id. */
  named(number: number): { readonly table: string; readonly id: number } | undefined {
    const table = this.#tables[Math.floor(number / APART) - 1]
    return table && number % APART < MOST && this.row(table.name, number)
      ? { table: table.name, id: number }
      : undefined
  }
}

const startOf = (index: number) => (index + 1) * APART

async function watchSqlite(db: Writer, tables: readonly TableOf[]): Promise<void> {
  await sql`create table reach_log (n integer primary key autoincrement, tab text, op text, row text)`.execute(
    db,
  )
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and sql like '%autoincrement%'`.execute(db)
  const numbered = new Set(rows.map(({ name }) => name))
  for (const [index, { name, columns }] of tables.entries()) {
    if (columns.length === 0) continue
    if (numbered.has(name)) {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(db)
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${startOf(index)})`.execute(db)
    }
    for (const op of ['insert', 'update', 'delete']) {
      const side = op === 'delete' ? 'old' : 'new'
      const object = columns.map((column) => `'${column}', ${side}."${column}"`).join(', ')
      await sql`${sql.raw(`create trigger reach_${op}_${name} after ${op} on "${name}" begin
        insert into reach_log (tab, op, row) values ('${name}', '${op}', json_object(${object})); end`)}`.execute(
        db,
      )
    }
  }
}

async function watchPostgres(db: Writer, tables: readonly TableOf[]): Promise<void> {
  await sql`create table reach_log (n bigint generated always as identity, tab text, op text, row text)`.execute(
    db,
  )
  await sql`create function reach_note() returns trigger language plpgsql as $$ begin
    insert into reach_log (tab, op, row) values
      (tg_table_name, tg_op, case when tg_op = 'DELETE' then row_to_json(old)::text else row_to_json(new)::text end);
    return null; end $$`.execute(db)
  const { rows } = await sql<{ table_name: string }>`select table_name from information_schema.columns
    where is_identity = 'YES' and column_name = 'id'`.execute(db)
  const numbered = new Set(rows.map(({ table_name: name }) => name))
  for (const [index, { name, columns }] of tables.entries()) {
    if (columns.length === 0) continue
    if (numbered.has(name)) {
      await sql`${sql.raw(`alter table "${name}" alter column id restart with ${startOf(index) + 1}`)}`.execute(
        db,
      )
    }
    await sql`${sql.raw(`create trigger reach_${name} after insert or update or delete on "${name}"
      for each row execute function reach_note()`)}`.execute(db)
  }
}
