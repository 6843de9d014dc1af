import { CompiledQuery } from 'kysely'
import type { Reader } from '../src/db/database.ts'

type Query = { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } }

/** How SQLite finds the rows of a query: by which indexes, and how often it sorts. */
export async function planOf(db: Reader, query: Query): Promise<{ found: string; sorts: number }> {
  const { sql, parameters } = query.compile()
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  const details = rows.map(({ detail }) => detail)
  const found = details.filter((detail) => / INDEX /.test(detail)).join(' | ')
  return { found, sorts: details.filter((detail) => /TEMP B-TREE FOR ORDER BY/.test(detail)).length }
}
