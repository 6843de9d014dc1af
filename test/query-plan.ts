import { CompiledQuery } from 'kysely'
import type { Reader } from '../src/db/database.ts'

interface Statement {
  readonly sql: string
  /** Absent: 1 in each of its places. */
  readonly parameters?: readonly unknown[]
}

/** The steps in which SQLite does a statement, as it explains them. */
export async function stepsOf(db: Reader, { sql, parameters }: Statement): Promise<string[]> {
  const values = parameters ?? Array.from(sql.matchAll(/\?/g), () => 1)
  const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...values])
  const { rows } = await db.executeQuery<{ detail: string }>(plan)
  return rows.map(({ detail }) => detail)
}

/** How SQLite finds the rows of a query: by which indexes, and how often it sorts. */
export async function planOf(db: Reader, query: { compile(): Statement }) {
  const steps = await stepsOf(db, query.compile())
  const found = steps.filter((step) => / INDEX /.test(step)).join(' | ')
  return { found, sorts: steps.filter((step) => /TEMP B-TREE FOR ORDER BY/.test(step)).length }
}
