import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'
import type { SeriesName } from './series-schema.ts'
import { GROUP_COLUMNS } from './groups.ts'
import type { Stretch, ToldBy } from './queries.ts'

/** What happened on a day; of money by currency, in minor units. */
export interface DayRow {
  readonly day: string
  readonly currency?: string
  readonly told_by?: ToldBy
  readonly [counted: string]: string | number | null | undefined
}

interface Counting {
  readonly from: RawBuilder<unknown>
  /** The column of the time. */
  readonly at: string
  readonly counted: Readonly<Record<string, RawBuilder<unknown>>>
  readonly byCurrency?: true
}

const one = sql`1`
const when = (condition: RawBuilder<unknown>) => sql`case when ${condition} then 1 else 0 end`

const of = (table: string, { productId }: Owner, environment: number) =>
  sql`${sql.table(table)} where ${sql.ref(`${table}.product_id`)} = ${productId}
    and ${sql.ref(`${table}.environment`)} = ${environment}`

type Countings = (owner: Owner, environment: number) => readonly Counting[]

const COUNTINGS: Readonly<Record<SeriesName, Countings>> = {
  installs: (owner, environment) => [
    { from: of('installs', owner, environment), at: 'created', counted: { installed: one } },
    {
      from: sql`(select uninstalls.created, installs.plan_id, installs.country_code from uninstalls join installs on installs.id = uninstalls.install_id
        where uninstalls.product_id = ${owner.productId} and installs.environment = ${environment})
        as gone where 1 = 1`,
      at: 'created',
      counted: { uninstalled: one },
    },
  ],
  activations: (owner, environment) => [
    {
      from: sql`${of('events', owner, environment)} and type in ('license.activated', 'license.deactivated')`,
      at: 'created',
      counted: {
        activated: when(sql`type = 'license.activated'`),
        deactivated: when(sql`type = 'license.deactivated'`),
      },
    },
  ],
  trials: (owner, environment) => [
    {
      from: of('trials', owner, environment),
      at: 'started_at',
      counted: { started: one, converted: when(sql`converted_at is not null`) },
    },
  ],
  carts: (owner, environment) => [
    { from: of('carts', owner, environment), at: 'created', counted: { opened: one } },
    {
      from: of('carts', owner, environment),
      at: 'completed',
      counted: { completed: one, recovered: when(sql`status = 'recovered'`) },
    },
  ],
  refunds: (owner, environment) => [
    {
      from: sql`${of('payments', owner, environment)} and type = 'refund'`,
      at: 'processed_at',
      counted: { refunds: one, amount: sql`abs(gross + tax)` },
      byCurrency: true,
    },
  ],
  expirations: (owner, environment) => [
    {
      from: sql`${of('licenses', owner, environment)} and is_cancelled = 0`,
      at: 'expiration',
      counted: { licenses: one },
    },
  ],
  worth: (owner, environment) => [
    {
      from: sql`(select licenses.expiration, paid.currency, paid.plan_id, paid.country_code, paid.billing_cycle,
          paid.renewal_amount, paid.canceled_at
        from licenses join subscriptions paid on paid.id = (
          select one.id from subscriptions one where one.license_id = licenses.id
          order by case when one.canceled_at is null then 0 else 1 end, one.id desc limit 1)
        where licenses.product_id = ${owner.productId} and licenses.environment = ${environment}
          and licenses.is_cancelled = 0) as ahead where 1 = 1`,
      at: 'expiration',
      counted: {
        renewing: sql`case when canceled_at is null then renewal_amount else 0 end`,
        ending: sql`case when canceled_at is null then 0 else renewal_amount end`,
      },
      byCurrency: true,
    },
  ],
}

/** What a product has of each day of a stretch of time in which there was some. Long on many: read beside the requests. */
export async function countByDay(
  db: Reader,
  owner: Owner,
  name: SeriesName,
  { environment, from, until, group }: Stretch,
): Promise<DayRow[]> {
  const all: DayRow[] = []
  for (const { from: rows, at, counted, byCurrency } of COUNTINGS[name](owner, environment)) {
    const sums = Object.entries(counted).map(([as, each]) => sql`sum(${each}) as ${sql.ref(as)}`)
    const currency = byCurrency ? sql`, currency` : sql``
    const column = group ? sql`, ${sql.ref(GROUP_COLUMNS[group])}` : sql``
    const told = group ? sql`${column} as told_by` : sql``
    const found = await sql<DayRow>`
      select substr(${sql.ref(at)}, 1, 10) as day ${currency} ${told}, ${sql.join(sums)} from ${rows}
        and ${sql.ref(at)} >= ${from} and ${sql.ref(at)} < ${until}
      group by substr(${sql.ref(at)}, 1, 10) ${currency} ${column}`.execute(
      unscoped(db, 'each part is narrowed to the product of the scope'),
    )
    all.push(...found.rows)
  }
  return all
}

/** On how many installs of a product each version runs, the most first. */
export async function countVersions(db: Reader, { productId }: Owner, environment: number) {
  const { rows } = await sql<{ version: string; installs: string | number }>`
    select version, count(*) as installs from installs
    where product_id = ${productId} and is_active = 1 and is_uninstalled = 0 and environment = ${environment}
    group by version order by 2 desc, 1`.execute(unscoped(db, 'the product of the scope'))
  return rows
}
