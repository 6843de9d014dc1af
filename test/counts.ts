import { sql } from 'kysely'
import type { Reader } from '../src/db/database.ts'

/** A count as text: of what, of whom, until when, how many. */
type Lines = readonly string[]

const OPEN = sql`('pricing_visit', 'visit', 'abandoned', 'email_1_sent', 'email_2_sent', 'email_3_sent')`

/** What is counted as it is written, and the same counted now; both read at one moment. */
export async function countedAndPlain(db: Reader): Promise<{ counted: Lines; plain: Lines }> {
  const never = sql`'never'`
  const day = sql`coalesce(substr(expiration, 1, 10), 'never')`
  const of = (
    what: string,
    table: string,
    where = sql`1 = 1`,
    { owner = 'product_id', until = never } = {},
  ) =>
    sql`select ${sql.lit(what)} as what, ${sql.ref(owner)} as owner_id, ${until} as until, count(*) as number
      from ${sql.table(table)} where ${where} group by 1, 2, 3`
  const live = sql`environment = 0`
  const plain = sql.join(
    [
      of('users', 'product_users'),
      of('people', 'users', sql`1 = 1`, { owner: 'developer_id' }),
      of('customers', 'product_users', sql`gross > 0`),
      sql`select 'account_customers', developer_id, 'never', count(distinct user_id) from product_users
        join products on products.id = product_users.product_id where gross > 0 group by developer_id`,
      of('licenses', 'licenses', sql`is_cancelled = 0 and ${live}`, { until: day }),
      of('installs', 'installs', sql`is_active = 1 and is_uninstalled = 0 and ${live}`),
      of('trials', 'trials', sql`notice_at is not null and ${live}`),
      of('subscriptions', 'subscriptions', sql`canceled_at is null and ${live}`),
      of('carts', 'carts', sql`status in ${OPEN} and ${live}`),
    ],
    sql` union all `,
  )
  const written = sql`select what, owner_id, until, number from counts
    union all select what, owner_id, until, number from count_changes`
  type Row = { side: string; what: string; owner_id: number; until: string; number: number }
  const { rows } = await sql<Row>`
    select 'counted' as side, what, owner_id, until, sum(number) as number from (${written}) as w
      group by what, owner_id, until having sum(number) <> 0
    union all select 'plain', what, owner_id, until, number from (${plain}) as p`.execute(db as never)
  const linesOf = (side: string) =>
    rows
      .filter((row) => row.side === side)
      .map(({ what, owner_id: owner, until, number }) => `${what} ${owner} ${until} ${Number(number)}`)
      .toSorted()
  return { counted: linesOf('counted'), plain: linesOf('plain') }
}
