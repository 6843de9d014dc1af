import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Copies the embedded database as it is at one moment, while others go on writing it; the target must not be there. */
export function copyEmbedded(file: string, target: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}

export interface EmbeddedContent {
  /** One hash over every row of every table, whatever order they are stored in. */
  readonly hash: string
  readonly rows: number
  readonly schema: number
  /** Hashes of the archives that versions have. */
  readonly files: readonly string[]
}

/** What a copy of the embedded database holds. */
export function contentOfEmbedded(file: string): EmbeddedContent {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name",
      )
      .all()
      .map(({ name }) => String(name))
    const hash = createHash('sha256')
    let rows = 0
    for (const name of tables) {
      const { sum, count } = sumOf(database, name)
      hash.update(`${name}:${count}:${sum}\n`)
      rows += count
    }
    const schema = Number(database.prepare('select version from schema_version').get()?.['version'])
    return { hash: hash.digest('hex'), rows, schema, files: filesOf(database, tables) }
  } finally {
    database.close()
  }
}

function sumOf(database: DatabaseSync, table: string) {
  let sum = 0n
  let count = 0
  const statement = database.prepare(`select * from "${table}"`)
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) {
    const text = JSON.stringify(row, (_, value: unknown) =>
      typeof value === 'bigint'
        ? `${value}n`
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('hex')
          : value,
    )
    sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`))
    count++
  }
  return { sum: sum.toString(16), count }
}

function filesOf(database: DatabaseSync, tables: readonly string[]): string[] {
  if (!tables.includes('deployments')) return []
  const rows = database
    .prepare('select free_file as file from deployments union select premium_file from deployments')
    .all()
  return rows.flatMap(({ file }) => (typeof file === 'string' ? [file] : []))
}
