import type { DatabaseSync, SQLInputValue, StatementColumnMetadata, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { Bounded } from '../lib/bounded.ts'
import type { StatementHook } from './database.ts'
import { bound, isFlag } from './flags.ts'
import { rowOf, type Cells, type RowOf } from './rows.ts'
import type { Run } from './runner.ts'

interface Prepared {
  readonly statement: StatementSync
  /** Null: it answers no rows. */
  readonly toRow: RowOf | null
}

/** Runs statements on one connection, each prepared once. */
export function runOn(connection: DatabaseSync, onStatement?: StatementHook): Run {
  const cache = new Bounded<Prepared>(500)
  const run = (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
    const { statement, toRow } = cache.get(sql) ?? cache.keep(sql, prepare(connection, sql))
    const values = bound(parameters) as readonly SQLInputValue[]
    if (toRow) return { rows: (statement.all(...values) as unknown as Cells[]).map(toRow) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }
  if (!onStatement) return run
  return async (sql, parameters) => {
    await onStatement(sql)
    return run(sql, parameters)
  }
}

function prepare(connection: DatabaseSync, sql: string): Prepared {
  const statement = connection.prepare(sql)
  const columns = statement.columns()
  statement.setReturnArrays(true)
  return { statement, toRow: columns.length === 0 ? null : rowOf(namesOf(columns)) }
}

/** A flag is known by its name alone, as PostgreSQL says no more. */
function namesOf(columns: readonly StatementColumnMetadata[]): string[] {
  const hidden = columns.find(({ name, column }) => column !== null && isFlag(column) && !isFlag(name))
  if (hidden) throw new Error(`db/flags.ts does not name ${hidden.name}, which is ${hidden.column}.`)
  return columns.map(({ name }) => name)
}
