import { sql } from 'kysely'
import type { Database, Writer } from './database.ts'

/**
 * What the database itself finds wrong in its file, a line each; empty when nothing is. PostgreSQL
 * checks its pages as it reads them and has nothing to ask.
 */
export async function integrityProblems({ engine, background }: Database): Promise<string[]> {
  if (engine !== 'sqlite') return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(background as Writer)
  return rows.map(({ quick_check: line }) => line).filter((line) => line !== 'ok')
}

/** The database's own time in milliseconds since the epoch; null when it runs on this machine's clock. */
export async function databaseTime({ engine, reader }: Database): Promise<number | null> {
  if (engine !== 'postgres') return null
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(reader as Writer)
  return rows[0]?.now ?? null
}
