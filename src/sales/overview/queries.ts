import { sql, type RawBuilder } from 'kysely'
import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Counted as What } from '../../db/tables/counts.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Counted } from './schema.ts'

/** What is counted, of whom. */
export interface Asked {
  readonly developerId: number
  readonly productIds: readonly number[]
  /** Over all products a person counts once, also one that is in none. */
  readonly isAccount: boolean
  readonly environment: Environment
  /** Now, and until when a license ends soon. */
  readonly now: BusinessTime
  readonly soon: BusinessTime
}

type Count = RawBuilder<number>

/**
 * One statement for all. What is live is read where it was counted as it was written; what is of the sandbox, which is
 * few, is counted.
 */
export async function countOverview(
  db: Reader,
  counted: readonly Counted[],
  asked: Asked,
): Promise<Partial<Record<Counted, number>>> {
  if (counted.length === 0) return {}
  const columns = counted.map((name) => sql`(${countOf(name, asked)}) as ${sql.ref(name)}`)
  const { rows } = await sql<Partial<Record<Counted, number>>>`
    with counted as materialized (${written(asked)}) select ${sql.join(columns)}`.execute(
    unscoped(db, 'each count is narrowed to the products of the scope'),
  )
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]))
}

const countOf = (name: Counted, asked: Asked): Count =>
  name in OF_BOTH
    ? OF_BOTH[name as keyof typeof OF_BOTH](asked)
    : (asked.environment === 1 ? SANDBOX : LIVE)[name as OfOne](asked)

const inProducts = ({ productIds }: Asked) => sql`product_id in (${sql.join(inList(productIds))})`

const dayOf = (time: UtcTime): string => time.slice(0, 10)

/** What was counted, of what ends on no day up to today; `soon`, of what ends before the day on which soon is over. */
function written({ developerId, productIds, now, soon }: Asked): RawBuilder<unknown> {
  const columns = sql`what, until, number`
  const asked = sql`until > ${dayOf(now.live)} and (owner_id in (${sql.join(inList(productIds))})
      and what not in ('people', 'account_customers')
    or owner_id = ${developerId} and what in ('people', 'account_customers'))`
  return sql`select what, sum(number) as number,
      sum(case when until < ${dayOf(soon.live)} then number else 0 end) as soon
    from (select ${columns} from counts where ${asked}
      union all select ${columns} from count_changes where ${asked}) as both_parts group by what`
}

const writtenOf = (what: What, column = 'number'): Count =>
  sql`coalesce((select ${sql.ref(column)} from counted where what = ${what}), 0)`

/** Live licenses that are not cancelled and end between two times, of one day. */
const ending = (asked: Asked, between: RawBuilder<unknown>): Count =>
  sql`(select count(*) from licenses where ${inProducts(asked)} and is_cancelled = 0 and environment = 0
    and ${between})`

/** Days are counted whole: of the first and of the last one is looked at what ends in the course of it. */
function live({ now, soon }: Asked) {
  const endOfToday = `${dayOf(now.live)} 23:59:59`
  const lastDay = `${dayOf(soon.live)} 00:00:00`
  return {
    laterToday: sql`expiration > ${now.live} and expiration <= ${endOfToday}`,
    onLastDay: sql`expiration >= ${lastDay} and expiration <= ${soon.live}`,
  }
}

type OfOne = Exclude<Counted, keyof typeof OF_BOTH>
type Counts<Name extends Counted> = Readonly<Record<Name, (asked: Asked) => Count>>

const LIVE: Counts<OfOne> = {
  customers: ({ isAccount }) => writtenOf(isAccount ? 'account_customers' : 'customers'),
  licenses_active: (asked) => sql`${writtenOf('licenses')} + ${ending(asked, live(asked).laterToday)}`,
  licenses_expiring: (asked) =>
    sql`${writtenOf('licenses', 'soon')} + ${ending(asked, live(asked).laterToday)}
      + ${ending(asked, live(asked).onLastDay)}`,
  installs_active: () => writtenOf('installs'),
  trials_running: () => writtenOf('trials'),
  subscriptions_active: () => writtenOf('subscriptions'),
  carts_open: () => writtenOf('carts'),
}

/** What is of the sandbox is found first, by its own index: few rows among many. */
const ofSandbox = (asked: Asked, table: string, where: RawBuilder<unknown>, count = sql`*`): Count =>
  sql`select count(${count}) from (select * from ${sql.table(table)}
    where ${inProducts(asked)} and environment = 1 limit ${Number.MAX_SAFE_INTEGER}) as ${sql.table(table)}
    where ${where}`

const activeInSandbox = ({ now }: Asked) =>
  sql`is_cancelled = 0 and (expiration is null or expiration > ${timeOfRow('licenses', now)})`

const SANDBOX: Counts<OfOne> = {
  customers: (asked) => ofSandbox(asked, 'payments', sql`type = 'payment'`, sql`distinct user_id`),
  licenses_active: (asked) => ofSandbox(asked, 'licenses', activeInSandbox(asked)),
  licenses_expiring: (asked) =>
    ofSandbox(
      asked,
      'licenses',
      sql`${activeInSandbox(asked)} and expiration <= ${timeOfRow('licenses', asked.soon)}`,
    ),
  installs_active: (asked) => ofSandbox(asked, 'installs', sql`is_active = 1 and is_uninstalled = 0`),
  trials_running: (asked) => ofSandbox(asked, 'trials', sql`notice_at is not null`),
  subscriptions_active: (asked) => ofSandbox(asked, 'subscriptions', sql`canceled_at is null`),
  carts_open: (asked) => ofSandbox(asked, 'carts', sql`status <> 'completed'`),
}

/** Few, each found by an index of its own. */
const OF_BOTH = {
  users: ({ isAccount }: Asked): Count => writtenOf(isAccount ? 'people' : 'users'),
  subscriptions_failing: (asked: Asked): Count =>
    sql`select count(*) from subscriptions where ${inProducts(asked)} and canceled_at is null
      and failed_payments > 0 and environment = ${asked.environment}`,
  webhooks_failing: (asked: Asked): Count =>
    sql`select count(*) from webhooks where ${inProducts(asked)} and deleted_at is null
      and (failures > 0 or off_reason is not null)`,
  reviews_pending: (asked: Asked): Count =>
    sql`select count(*) from reviews where ${inProducts(asked)} and is_active = 0`,
  disputes_open: (asked: Asked): Count =>
    sql`select count(*) from payments as disputed where ${inProducts(asked)} and type = 'disputed'
      and environment = ${asked.environment} and not exists (select 1 from payments as closed
        where closed.bound_payment_id = disputed.bound_payment_id
          and closed.type in ('won_dispute', 'lost_dispute'))`,
}
