import { sql, type RawBuilder } from 'kysely'
import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
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

/** Each by indexes alone, as far as rows are many; one statement for all. Long on many: run it in the background. */
export async function countOverview(
  db: Reader,
  counted: readonly Counted[],
  asked: Asked,
): Promise<Partial<Record<Counted, number>>> {
  if (counted.length === 0) return {}
  const columns = counted.map((name) => sql`(${COUNTS[name](asked)}) as ${sql.ref(name)}`)
  const isOfLicenses = counted.some((name) => name.startsWith('licenses_'))
  const from = isOfLicenses ? sql`from (${licenses(asked)}) as counted_licenses` : sql``
  const { rows } = await sql<Partial<Record<Counted, number>>>`select ${sql.join(columns)} ${from}`.execute(
    unscoped(db, 'each count is narrowed to the products of the scope'),
  )
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]))
}

const inProducts = ({ productIds }: Asked) => sql`product_id in (${sql.join(inList(productIds))})`

/** What is of the sandbox is found first, by its own index: few rows among many. */
const sandboxOf = (asked: Asked, table: string): RawBuilder<unknown> =>
  sql`(select * from ${sql.table(table)} where ${inProducts(asked)} and environment = 1
    limit ${Number.MAX_SAFE_INTEGER}) as ${sql.table(table)}`

const ofSandbox = (asked: Asked, table: string, where: RawBuilder<unknown>): Count =>
  sql`select count(*) from ${sandboxOf(asked, table)} where ${where}`

/** What is live is what is neither of the sandbox, where the index of what is asked for does not say which it is. */
const inEnvironment = (asked: Asked, table: string, where: RawBuilder<unknown>): Count =>
  asked.environment === 1
    ? ofSandbox(asked, table, where)
    : sql`select (select count(*) from ${sql.table(table)} where ${inProducts(asked)} and ${where})
        - (${ofSandbox(asked, table, where)})`

/** Those that are active, and which of them end soon: both by one way through the index. */
function licenses(asked: Asked): RawBuilder<unknown> {
  const table = asked.environment === 1 ? sandboxOf(asked, 'licenses') : sql`licenses`
  return sql`select count(*) as active,
      sum(case when expiration <= ${timeOfRow('licenses', asked.soon)} then 1 else 0 end) as ends_soon
    from ${table} where ${inProducts(asked)} and is_cancelled = 0 and environment = ${sql.lit(asked.environment)}
      and (expiration is null or expiration > ${timeOfRow('licenses', asked.now)})`
}

const COUNTS: Readonly<Record<Counted, (asked: Asked) => Count>> = {
  users: (asked) =>
    asked.isAccount
      ? sql`select count(*) from users where developer_id = ${asked.developerId}`
      : sql`select count(*) from product_users where ${inProducts(asked)}`,
  customers: (asked) =>
    asked.environment === 1
      ? sql`select count(distinct user_id) from ${sandboxOf(asked, 'payments')} where type = 'payment'`
      : sql`select count(distinct user_id) from product_users where ${inProducts(asked)} and gross > 0`,
  licenses_active: () => sql`counted_licenses.active`,
  licenses_expiring: () => sql`coalesce(counted_licenses.ends_soon, 0)`,
  installs_active: (asked) => inEnvironment(asked, 'installs', sql`is_active = 1 and is_uninstalled = 0`),
  trials_running: (asked) =>
    sql`select count(*) from trials where ${inProducts(asked)} and notice_at is not null
      and environment = ${asked.environment}`,
  subscriptions_active: (asked) => inEnvironment(asked, 'subscriptions', sql`canceled_at is null`),
  subscriptions_failing: (asked) =>
    sql`select count(*) from subscriptions where ${inProducts(asked)} and canceled_at is null
      and failed_payments > 0 and environment = ${asked.environment}`,
  carts_open: (asked) => inEnvironment(asked, 'carts', OPEN_CART),
  webhooks_failing: (asked) =>
    sql`select count(*) from webhooks where ${inProducts(asked)} and deleted_at is null
      and (failures > 0 or off_reason is not null)`,
  reviews_pending: (asked) => sql`select count(*) from reviews where ${inProducts(asked)} and is_active = 0`,
  disputes_open: (asked) =>
    sql`select count(*) from payments as disputed where ${inProducts(asked)} and type = 'disputed'
      and environment = ${asked.environment} and not exists (select 1 from payments as closed
        where closed.bound_payment_id = disputed.bound_payment_id
          and closed.type in ('won_dispute', 'lost_dispute'))`,
}

/** As its index says it; all but what is completed. */
const OPEN_CART = sql`status in ('pricing_visit', 'visit', 'abandoned', 'email_1_sent', 'email_2_sent', 'email_3_sent')`
