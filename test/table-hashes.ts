import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database } from '../src/db/database.ts'

/** Answers a hash of all rows of each table of a database, as often as it is asked, whatever order they are stored in. */
export async function tableHashes({
  reader,
}: Database): Promise<() => Promise<Readonly<Record<string, string>>>> {
  const db = reader as unknown as Kysely<unknown>
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView).map(({ name }) => name)
  return async () => {
    const hashes: Record<string, string> = {}
    for (const table of tables) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
      const lines = rows.map((row) => JSON.stringify(row)).toSorted()
      hashes[table] = createHash('sha256').update(lines.join('\n')).digest('hex')
    }
    return hashes
  }
}
