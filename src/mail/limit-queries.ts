import { sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import { HOUR } from '../lib/time.ts'

interface Counted {
  readonly name: string
  readonly most: number
}

/** Counts one more in this hour; false, and nothing is counted, when there are as many as may be. One statement decides. */
export async function countMail(db: Writer, { name, most }: Counted, now: number): Promise<boolean> {
  const { rows } = await sql`
    insert into mail_counts (name, count, until_ms) values (${name}, 1, ${now + HOUR})
    on conflict (name) do update set
      count = case when mail_counts.until_ms <= ${now} then 1 else mail_counts.count + 1 end,
      until_ms = case when mail_counts.until_ms <= ${now} then excluded.until_ms else mail_counts.until_ms end
    where mail_counts.until_ms <= ${now} or mail_counts.count < ${most}
    returning name`.execute(db)
  return rows.length > 0
}
