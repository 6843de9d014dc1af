import { DatabaseSync } from 'node:sqlite'
import { ContentSum, type DatabaseContent } from './database-content.ts'
import { PROBES, type Sealed } from './opens-sealed.ts'

/** Copies the embedded database as it is at one moment, while others go on writing it; the target must not be there. */
export function copyEmbedded(file: string, target: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}

/** What a copy of the embedded database holds. */
export function contentOfEmbedded(file: string): DatabaseContent {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name",
      )
      .all()
      .map(({ name }) => String(name))
    const sum = new ContentSum()
    for (const name of tables) addRows(database, name, sum)
    const schema = Number(database.prepare('select version from schema_version').get()?.['version'])
    const [files, sealed] = [filesOf(database, tables), sealedIn(database, tables)]
    return { hash: sum.digest(), rows: sum.rows, schema, files, sealed }
  } finally {
    database.close()
  }
}

function addRows(database: DatabaseSync, name: string, sum: ContentSum): void {
  const table = sum.table(name)
  const statement = database.prepare(`select * from "${name}"`)
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) table.add(JSON.stringify(row, plain))
  table.end()
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

function filesOf(database: DatabaseSync, tables: readonly string[]): string[] {
  if (!tables.includes('deployments')) return []
  const rows = database
    .prepare('select free_file as file from deployments union select premium_file from deployments')
    .all()
  return rows.flatMap(({ file }) => (typeof file === 'string' ? [file] : []))
}

const sealedIn = (database: DatabaseSync, tables: readonly string[]): Sealed[] =>
  PROBES.filter(({ table }) => tables.includes(table)).flatMap(({ place, statement }) =>
    database
      .prepare(statement)
      .all()
      .map(({ sealed }) => ({ sealed: String(sealed), place })),
  )
