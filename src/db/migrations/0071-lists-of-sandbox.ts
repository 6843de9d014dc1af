import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { textOfJson } from '../dialect.ts'

/** Listed by product, newest first. What is of the sandbox is few among many, so that what is live costs no index. */
const LISTED = ['licenses', 'installs', 'trials', 'subscriptions', 'payments', 'carts', 'events'] as const

/** What an event without install or cart names in its data, and where that stands. */
const NAMED = {
  license_id: 'licenses',
  payment_id: 'payments',
  subscription_id: 'subscriptions',
  trial_id: 'trials',
  card_id: 'payment_methods',
} as const

/** Lists are narrowed to what is live or of the sandbox; an event says which it is about. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table events add column environment smallint not null default 0`.execute(db)
  await sql`update events set environment = 1
    where install_id in (select id from installs where environment = 1)
      or cart_id in (select id from carts where environment = 1)`.execute(db)
  for (const [name, table] of Object.entries(NAMED)) {
    const ofSandbox = sql`select cast(id as text) from ${sql.table(table)} where environment = 1`
    await sql`update events set environment = 1
      where environment = 0 and install_id is null and cart_id is null
        and ${textOfJson(engine, 'data', name)} in (${ofSandbox})`.execute(db)
  }
  for (const table of LISTED) {
    await sql`create index ${sql.id(`${table}_of_sandbox`)} on ${sql.table(table)} (product_id, id)
      where environment = 1`.execute(db)
  }
}
