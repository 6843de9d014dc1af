import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import { GROUP_COLUMNS, type Group } from './groups.ts'

/** A stretch of time in an environment: from the first moment up to the second, which is not in it. */
export interface Stretch {
  readonly environment: 0 | 1
  readonly from: UtcTime
  readonly until: UtcTime
  readonly group?: Group | undefined
}

/** What a row is told by; null: nothing, or not known. */
export type ToldBy = string | number | null

/**
 * The column of a table that it is told by, or nothing. As the value of an expression, so that no index of the column
 * is walked in the place of the one that finds the rows.
 */
const groupOf = (table: 'payments' | 'subscriptions', group: Group | undefined) =>
  group === undefined
    ? sql<ToldBy>`null`
    : sql<ToldBy>`nullif(${sql.ref(`${table}.${GROUP_COLUMNS[group]}`)}, null)`

const TOLD_BY = sql.ref<ToldBy>('told_by')

/**
 * What was posted to each account of a product for the payments of a stretch of time, minor units. Grouped by the
 * currency of the postings: by that of the payments, SQLite would walk all payments of the product.
 */
export const sumsOfAccounts = (db: Reader, owner: Owner, { environment, from, until, group }: Stretch) =>
  scoped(db, 'payments', owner)
    .select()
    .innerJoin('postings', 'postings.payment_id', 'payments.id')
    .select([
      'postings.currency',
      'postings.account',
      groupOf('payments', group).as('told_by'),
      sql<string | number>`sum(postings.amount)`.as('amount'),
    ])
    .where('payments.environment', '=', environment)
    .where('payments.processed_at', '>=', from)
    .where('payments.processed_at', '<', until)
    .groupBy(['postings.currency', 'postings.account', TOLD_BY])
    .orderBy('postings.currency')
    .orderBy(TOLD_BY)
    .execute()

/** What a renewal comes to in a month, minor units; a half is rounded up. */
const monthly = sql<number>`case billing_cycle when 12 then (renewal_amount * 2 + 12) / 24 else renewal_amount end`

const isActiveAt = (time: UtcTime) =>
  sql`started_at < ${time} and coalesce(trial_ends, '') < ${time} and coalesce(canceled_at, '9') >= ${time}`

/**
 * What recurred each month at both ends of a stretch of time, and what came and went between them, minor units. Each
 * customer counts as a whole, in each currency and what it is told by.
 */
export const movements = (db: Reader, owner: Owner, { environment, from, until, group }: Stretch) =>
  unscoped(db, 'of what a scoped query has found')
    .selectFrom(
      scoped(db, 'subscriptions', owner)
        .select()
        .select([
          'subscriptions.currency',
          groupOf('subscriptions', group).as('told_by'),
          sql<number>`sum(case when ${isActiveAt(from)} then ${monthly} else 0 end)`.as('earlier'),
          sql<number>`sum(case when ${isActiveAt(until)} then ${monthly} else 0 end)`.as('later'),
        ])
        .where('subscriptions.environment', '=', environment)
        .where('subscriptions.billing_cycle', '>', 0)
        .where('subscriptions.renewal_amount', '>', 0)
        .groupBy(['subscriptions.user_id', 'subscriptions.currency', TOLD_BY])
        .as('customers'),
    )
    .select([
      'currency',
      'told_by',
      total(sql`earlier`).as('was'),
      total(sql`case when earlier = 0 then later else 0 end`).as('new'),
      total(sql`case when earlier > 0 and later > earlier then later - earlier else 0 end`).as('expansion'),
      total(sql`case when later > 0 and later < earlier then earlier - later else 0 end`).as('contraction'),
      total(sql`case when later = 0 then earlier else 0 end`).as('churned'),
      total(sql`later`).as('now'),
      total(sql`case when earlier > 0 then 1 else 0 end`).as('customersWas'),
      total(sql`case when earlier = 0 and later > 0 then 1 else 0 end`).as('customersNew'),
      total(sql`case when earlier > 0 and later = 0 then 1 else 0 end`).as('customersLost'),
      total(sql`case when later > 0 then 1 else 0 end`).as('customersNow'),
    ])
    .where((some) => some.or([some('earlier', '>', 0), some('later', '>', 0)]))
    .groupBy(['currency', 'told_by'])
    .orderBy('currency')
    .orderBy('told_by')
    .execute()
export type Movements = Awaited<ReturnType<typeof movements>>[number]

const total = (of: ReturnType<typeof sql>) => sql<string | number>`sum(${of})`
