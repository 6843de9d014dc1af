import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Of rows that have none, nothing is kept. */
const OPTIONAL = {
  access_tokens: ['user_id'],
  carts: ['coupon_id', 'user_id'],
  charges: ['outcome_id', 'user_id'],
  checkouts: ['payment_id', 'subscription_id', 'user_id'],
  discounts: ['coupon_id'],
  install_clones: ['install_id', 'new_install_id'],
  ownership_changes: ['from_user_id'],
  payments: ['payment_method_id'],
  subscriptions: ['coupon_id', 'payment_method_id'],
} as const

/** What a row is named by is found when it is removed or changes, without reading the whole table. */
export async function up(db: Writer): Promise<void> {
  for (const [table, columns] of Object.entries(OPTIONAL)) {
    for (const column of columns) {
      const name = `${table}_by_${column}`
      await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.ref(column)})
        where ${sql.ref(column)} is not null`.execute(db)
    }
  }
}
