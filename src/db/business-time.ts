import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'

/** What time it is for the rows of some products: those of a sandbox live on the clock of their product. */
export interface BusinessTime {
  readonly live: UtcTime
  /** Only where the clock of a product's sandbox tells another time. */
  readonly sandboxes: readonly { readonly productId: number; readonly now: UtcTime }[]
}

/** The time by which a list judges what it finds (`docs/decisions.md` 5.10). */
export function businessTime(clock: Clock, productIds: readonly number[]): BusinessTime {
  const live = toUtcTime(clock.of(productIds[0] ?? 0, 0))
  const sandboxes = productIds.map((productId) => ({ productId, now: toUtcTime(clock.of(productId, 1)) }))
  return { live, sandboxes: sandboxes.filter(({ now }) => now !== live) }
}

/** The time of a row of `table`, to compare a column with. */
export function timeOfRow(
  table: 'licenses' | 'installs' | 'opened',
  { live, sandboxes }: BusinessTime,
): RawBuilder<UtcTime> {
  if (sandboxes.length === 0) return sql<UtcTime>`${live}`
  const [environment, product] = [sql.ref(`${table}.environment`), sql.ref(`${table}.product_id`)]
  const cases = sandboxes.map(({ productId, now }) => sql`when ${product} = ${productId} then ${now}`)
  return sql<UtcTime>`case when ${environment} = 0 then ${live} ${sql.join(cases, sql` `)} else ${live} end`
}
