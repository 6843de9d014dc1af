import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { OnStep } from '../lib/step.ts'
import { SECOND } from '../lib/time.ts'
import { BackgroundReader } from './background.ts'
import { ContentSum, type DatabaseContent } from './database-content.ts'
import { PROBES, type Sealed } from './opens-sealed.ts'

const LOOK_MS = SECOND / 10
/** How many rows are summed up before it is told. */
const ROWS = 2000

/** Copies the embedded database as it is at one moment, while others go on writing it; the target must not be there. */
export async function copyEmbedded(file: string, target: string, onStep: OnStep): Promise<void> {
  const reader = new BackgroundReader(file)
  try {
    await watched(() => reader.run('vacuum into ?', [target]), { file, target, onStep })
  } finally {
    await reader.close()
  }
}

interface Copying {
  readonly file: string
  readonly target: string
  readonly onStep: OnStep
}

/** Looks meanwhile how much of a file has come into another one. */
export async function watched<T>(work: () => Promise<T>, { file, target, onStep }: Copying): Promise<T> {
  const { size: of } = statSync(file)
  const look = setInterval(() => {
    const done = Math.min(of, statSync(target, { throwIfNoEntry: false })?.size ?? 0)
    onStep({ what: 'copying the database', done, of, unit: 'bytes' })
  }, LOOK_MS)
  return work().finally(() => clearInterval(look))
}

/** What a copy of the embedded database holds. */
export function contentOfEmbedded(file: string, onStep: OnStep): DatabaseContent {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name",
      )
      .all()
      .map(({ name }) => String(name))
    const sum = new ContentSum()
    const of = tables.reduce((all, name) => all + countOf(database, name), 0)
    for (const name of tables) {
      const tell = (done: number) =>
        onStep({ what: 'checking the copy', done: sum.rows + done, of, unit: 'rows' })
      addRows(database, name, { sum, tell })
    }
    const schema = Number(database.prepare('select version from schema_version').get()?.['version'])
    const [files, sealed] = [filesOf(database, tables), sealedIn(database, tables)]
    return { hash: sum.digest(), rows: sum.rows, schema, files, sealed }
  } finally {
    database.close()
  }
}

const countOf = (database: DatabaseSync, name: string): number =>
  Number(database.prepare(`select count(*) as count from "${name}"`).get()?.['count'])

interface Summing {
  readonly sum: ContentSum
  /** Of the rows of the table. */
  readonly tell: (rows: number) => void
}

function addRows(database: DatabaseSync, name: string, { sum, tell }: Summing): void {
  const table = sum.table(name)
  const statement = database.prepare(`select * from "${name}"`)
  statement.setReadBigInts(true)
  let rows = 0
  for (const row of statement.iterate()) {
    table.add(JSON.stringify(row, plain))
    if (++rows % ROWS === 0) tell(rows)
  }
  tell(rows)
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
