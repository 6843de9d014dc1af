import { createReadStream, createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type * as Pg from 'pg'
import type { OnStep } from '../lib/step.ts'
import { lazy } from '../lib/lazy.ts'
import { ContentSum, type DatabaseContent } from './database-content.ts'
import { PROBES, type Sealed } from './opens-sealed.ts'

const pg = lazy<typeof Pg>('pg')

/** Rows a time. */
const PAGE = 500

/** A copy of a database holds other rows than it should; nothing of it was kept. */
export class OtherContent extends Error {}

/** The last value of each sequence that gave one. */
export type Sequences = Readonly<Record<string, string>>

/**
 * Writes every table into a file of its own in `folder`, a row a line as JSON: all as it is at one moment, in one
 * transaction that others do not wait for.
 */
export function exportPostgres(
  url: string,
  folder: string,
  onStep: OnStep,
): Promise<DatabaseContent & { readonly sequences: Sequences }> {
  return within(url, 'begin transaction isolation level repeatable read read only', async (client) => {
    await mkdir(folder, { mode: 0o700 })
    const content = await contentOf(client, { folder, onStep })
    return { ...content, sequences: await sequencesOf(client) }
  })
}

interface Import {
  readonly hash: string
  readonly sequences: Sequences
  /** How many rows there are to come. */
  readonly rows: number
  readonly onStep: OnStep
  /** Called with what came in, before it is kept. */
  confirm(content: DatabaseContent): Promise<void>
}

/**
 * Puts such files into the tables of a database that has the schema they are of, and no rows: all of them or nothing.
 * OtherContent when they are not what `hash` says, and what `confirm` throws. What refers to rows that come later is
 * checked at the end.
 */
export function importPostgres(
  url: string,
  folder: string,
  { hash, sequences, rows: of, onStep, confirm }: Import,
): Promise<DatabaseContent> {
  return within(url, 'begin', async (client) => {
    const references = await referencesOf(client)
    let done = 0
    for (const { table, name } of references)
      await client.query(`alter table ${table} drop constraint ${name}`)
    for (const table of await tablesOf(client)) {
      if (table === 'schema_version') continue
      // What rows make when they are written is among what is given.
      await client.query(`alter table "${table}" disable trigger user`)
      for await (const rows of pagesOf(join(folder, `${table}.jsonl`))) {
        const given = `[${rows.join(',')}]`
        await client.query(
          `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`,
          [given],
        )
        done += rows.length
        onStep({ what: 'writing the database', done, of, unit: 'rows' })
      }
      await client.query(`alter table "${table}" enable trigger user`)
    }
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval(quote_ident($1)::regclass, $2)', [name, value])
    const content = await contentOf(client, { folder: null, onStep })
    if (content.hash !== hash) throw new OtherContent('The database has other rows than it was given.')
    await confirm(content)
    return content
  })
}

/** Whether no table has a row, but the one that holds the number of the schema. */
export function isEmptyPostgres(url: string): Promise<boolean> {
  return within(url, 'begin read only', async (client) => {
    for (const table of await tablesOf(client)) {
      if (table === 'schema_version') continue
      const { rows } = await client.query(`select 1 from "${table}" limit 1`)
      if (rows.length > 0) return false
    }
    return true
  })
}

async function within<T>(url: string, begin: string, work: (client: Pg.Client) => Promise<T>): Promise<T> {
  const client = new (pg().Client)({ connectionString: url, application_name: 'keywright backup' })
  await client.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    // Without the commit the server takes everything back.
    await client.end()
  }
}

async function tablesOf(client: Pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name collate "C"`,
  )
  return rows.map(({ name }) => name)
}

async function sequencesOf(client: Pg.Client): Promise<Sequences> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

interface Reference {
  /** As they stand in a statement. */
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function referencesOf(client: Pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  return rows
}

interface Reading {
  readonly folder: string | null
  readonly onStep: OnStep
}

/** Every row is summed up, and written where there is a folder. */
async function contentOf(client: Pg.Client, { folder, onStep }: Reading): Promise<DatabaseContent> {
  const sum = new ContentSum()
  const what = folder === null ? 'checking the copy' : 'copying the database'
  const of = await countOf(client)
  for (const name of await tablesOf(client)) {
    const table = sum.table(name)
    const file = folder === null ? null : createWriteStream(join(folder, `${name}.jsonl`), { mode: 0o600 })
    await client.query(
      `declare copied no scroll cursor for select row_to_json(t)::text as row from "${name}" t`,
    )
    let done = sum.rows
    for (let count = PAGE; count === PAGE;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${PAGE} from copied`)
      count = rows.length
      done += count
      onStep({ what, done, of, unit: 'rows' })
      for (const { row } of rows) table.add(row)
      if (file && count > 0 && !file.write(rows.map(({ row }) => `${row}\n`).join('')))
        await once(file, 'drain')
    }
    await client.query('close copied')
    if (file) await finished(file.end())
    table.end()
  }
  const { rows } = await client.query<{ version: number }>('select version from schema_version')
  const schema = rows[0]?.version ?? 0
  const [files, sealed] = [await filesOf(client), await sealedIn(client)]
  return { hash: sum.digest(), rows: sum.rows, schema, files, sealed }
}

async function countOf(client: Pg.Client): Promise<number> {
  let count = 0
  for (const name of await tablesOf(client)) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from "${name}"`)
    count += Number(rows[0]?.count)
  }
  return count
}

async function filesOf(client: Pg.Client): Promise<string[]> {
  if (!(await tablesOf(client)).includes('deployments')) return []
  const { rows } = await client.query<{ file: string }>(
    `select file from (select free_file as file from deployments union select premium_file from deployments) as files
     where file is not null`,
  )
  return rows.map(({ file }) => file)
}

async function sealedIn(client: Pg.Client): Promise<Sealed[]> {
  const newest: Sealed[] = []
  for (const { place, statement } of PROBES) {
    const { rows } = await client.query<{ sealed: string }>(statement)
    newest.push(...rows.map(({ sealed }) => ({ sealed, place })))
  }
  return newest
}

/** The lines of a file, some at a time; in JSON only its line ends are line ends. */
async function* pagesOf(file: string): AsyncGenerator<string[], void, undefined> {
  let page: string[] = []
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    page.push(...lines)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
