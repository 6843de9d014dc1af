import type { DatabaseSync, SQLInputValue, StatementColumnMetadata, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import type { StatementHook } from './database.ts'
import { bound, isFlag, toFlag } from './flags.ts'
import type { Run } from './runner.ts'
import { StatementCache } from './statement-cache.ts'

type Cells = readonly unknown[]

interface Prepared {
  readonly statement: StatementSync
  /** A row out of its cells; null: it answers no rows. */
  readonly rowOf: ((cells: Cells) => unknown) | null
}

/** Runs statements on one connection, each prepared once. */
export function runOn(connection: DatabaseSync, onStatement?: StatementHook): Run {
  const cache = new StatementCache<Prepared>(500, (sql) => {
    const statement = connection.prepare(sql)
    const columns = statement.columns()
    statement.setReturnArrays(true)
    return { statement, rowOf: columns.length === 0 ? null : shapes.get(JSON.stringify(namesOf(columns))) }
  })
  const run = (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
    const { statement, rowOf } = cache.get(sql)
    const values = bound(parameters) as readonly SQLInputValue[]
    if (rowOf) return { rows: (statement.all(...values) as unknown as Cells[]).map(rowOf) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }
  if (!onStatement) return run
  return async (sql, parameters) => {
    await onStatement(sql)
    return run(sql, parameters)
  }
}

/** A flag is known by its name alone, as PostgreSQL says no more. */
function namesOf(columns: readonly StatementColumnMetadata[]): string[] {
  const hidden = columns.find(({ name, column }) => column !== null && isFlag(column) && !isFlag(name))
  if (hidden) throw new Error(`db/flags.ts does not name ${hidden.name}, which is ${hidden.column}.`)
  return columns.map(({ name }) => name)
}

/**
 * What makes rows of these names, a list in JSON. An object that is written out is made and read in a fraction of the
 * time that those of node:sqlite take, dictionaries without a prototype whose names are looked up again for each row.
 */
const shapes = new StatementCache<(cells: Cells) => unknown>(1_000, (list) => {
  const names = JSON.parse(list) as string[]
  const cellOf = (name: string, n: number) => (isFlag(name) ? `toFlag(cells[${n}])` : `cells[${n}]`)
  const cells = names.map((name, n) => `${JSON.stringify(name)}: ${cellOf(name, n)}`)
  const write = new Function('toFlag', `return (cells) => ({ ${cells.join(', ')} })`)
  return write(toFlag) as (cells: Cells) => unknown
})
