import { sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import { columnHasCome, dueWithin, type Due } from '../db/has-come.ts'
import { prepared } from '../db/prepared.ts'
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
  const [counted] = await counting(db, { name, most, until: now + HOUR, ...dueWithin(now, HOUR) })
  return counted ? Number(counted.count) : null
}

const counting = prepared(
  (db: Writer, { name, most, until, now, past }: Counted & Due & { until: number }) => {
    const isOver = columnHasCome('mail_counts.until_ms', { now, past })
    const counted = sql<{ count: number }>`
    insert into mail_counts (name, count, until_ms) values (${name}, 1, ${until})
    on conflict (name) do update set
      count = case when ${isOver} then 1 else mail_counts.count + 1 end,
      until_ms = case when ${isOver} then excluded.until_ms else mail_counts.until_ms end
    where ${isOver} or mail_counts.count < ${most}
    returning count`
    return { compile: () => counted.compile(db) }
  },
)
