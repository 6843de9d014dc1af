import { sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import { columnHasCome, dueWithin } from '../db/has-come.ts'
import { HOUR } from '../lib/time.ts'

interface Counted {
  readonly name: string
  readonly most: number
}

/**
 * Counts one more in this hour and says which it is; null, and nothing is counted, when there are as many as may be. One
 * statement decides.
 */
export async function countMail(db: Writer, { name, most }: Counted, now: number): Promise<number | null> {
  const isOver = columnHasCome('mail_counts.until_ms', dueWithin(now, HOUR))
  const { rows } = await sql<{ count: number }>`
    insert into mail_counts (name, count, until_ms) values (${name}, 1, ${now + HOUR})
    on conflict (name) do update set
      count = case when ${isOver} then 1 else mail_counts.count + 1 end,
      until_ms = case when ${isOver} then excluded.until_ms else mail_counts.until_ms end
    where ${isOver} or mail_counts.count < ${most}
    returning count`.execute(db)
  return rows[0] ? Number(rows[0].count) : null
}
