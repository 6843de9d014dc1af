import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'
import { dayOf, type Day } from '../../lib/days.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'

interface Stretch {
  readonly webhookId: number
  /** Milliseconds; `until` is no part of it. */
  readonly from: number
  readonly until: number
}

export interface Counted {
  /** Null: all days together. */
  readonly day: Day | null
  readonly attempts: number
  readonly succeeded: number
  /** Milliseconds; null: nothing was answered. */
  readonly p50: number | null
  readonly p95: number | null
}

/** Attempts at a listener by day, and in all. Long on many: read beside the requests. */
export async function countAttempts(
  db: Reader,
  { productId }: Owner,
  { webhookId, from, until }: Stretch,
): Promise<Counted[]> {
  const all = sql`select at / ${sql.lit(DAY)} as day, duration_ms, status from delivery_attempts
    where webhook_id = ${webhookId} and product_id = ${productId} and at >= ${from} and at < ${until}`
  const { rows } = await sql<
    Record<'day' | 'attempts' | 'succeeded' | 'p50' | 'p95', number | string | null>
  >`
    with tried as (${all}),
    placed as (
      select day, status, duration_ms,
        row_number() over (partition by day, status is null order by duration_ms) as n,
        count(*) over (partition by day, status is null) as of_n,
        row_number() over (partition by status is null order by duration_ms) as whole_n,
        count(*) over (partition by status is null) as of_whole
      from tried)
    select day, ${counted('n', 'of_n')} from placed group by day
    union all select null, ${counted('whole_n', 'of_whole')} from placed`.execute(
    unscoped(db, 'the listener is one of the product of the scope'),
  )
  return rows.map(({ day, attempts, succeeded, p50, p95 }) => ({
    day: day === null ? null : dayOf(toUtcTime(Number(day) * DAY)),
    attempts: Number(attempts),
    succeeded: Number(succeeded ?? 0),
    p50: p50 === null ? null : Number(p50),
    p95: p95 === null ? null : Number(p95),
  }))
}

/** The shortest time in which so many of a hundred were answered is that of the first row at or after their place. */
const percentile = (of100: number, n: string, of: string) =>
  sql`min(case when status is not null and ${sql.ref(n)} * 100 >= ${sql.ref(of)} * ${sql.lit(of100)}
    then duration_ms end)`

const counted = (n: string, of: string) => sql`count(*) as attempts,
  sum(case when status between 200 and 299 then 1 else 0 end) as succeeded,
  ${percentile(50, n, of)} as p50, ${percentile(95, n, of)} as p95`
