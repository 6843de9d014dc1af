import type { Database, DatabaseOptions } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database; nothing is read or written yet on PostgreSQL, on SQLite the file is made when missing. */
export const connect = (options: DatabaseOptions): Database =>
  options.engine === 'sqlite' ? openSqlite(options) : openPostgres(options)
