import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import type { StatementHook } from './database.ts'
import type { Run } from './runner.ts'
import { StatementCache } from './statement-cache.ts'

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** Runs statements on one connection, each prepared once. */
export function runOn(connection: DatabaseSync, onStatement?: StatementHook): Run {
  const cache = new StatementCache<Prepared>(500, (sql) => {
    const statement = connection.prepare(sql)
    return { statement, returnsRows: statement.columns().length > 0 }
  })
  const run = (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
    const { statement, returnsRows } = cache.get(sql)
    const values = parameters as readonly SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }
  if (!onStatement) return async (sql, parameters) => run(sql, parameters)
  return async (sql, parameters) => {
    await onStatement(sql)
    return run(sql, parameters)
  }
}
