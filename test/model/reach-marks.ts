import { transaction } from '../../src/context.ts'
import type { Writer } from '../../src/db/database.ts'
import type { World } from '../security/world.ts'

/** The row of each amount, as replies write it. */
export type Amounts = ReadonlyMap<string, { readonly table: string; readonly id: number }>

/** Amounts of each row, which no sum and no price is; where a buyer is, is its address, by which it is known. */
export async function plantAmounts({ ctx }: World): Promise<Amounts> {
  const planted = new Map<string, { readonly table: string; readonly id: number }>()
  const plant = (table: string, id: number): number => {
    // So far apart that no sum of others comes upon one; the cents never end in 0.
    const minor = 7_000_000_007 + ((planted.size * 61_803_399) % 100_000_000) * 10
    planted.set((minor / 100).toFixed(2), { table, id })
    return minor
  }
  await transaction(ctx, async ({ db }) => {
    for (const { id, email } of await boughtIn(db, 'payments')) {
      const marks = { gross: plant('payments', id), zip_postal_code: email }
      await db.updateTable('payments').set(marks).where('id', '=', id).execute()
    }
    for (const { id, email } of await boughtIn(db, 'subscriptions')) {
      const total = plant('subscriptions', id)
      const amounts = { total_gross: total, amount_per_cycle: total, renewal_amount: total }
      await db
        .updateTable('subscriptions')
        .set({ ...amounts, zip_postal_code: email })
        .where('id', '=', id)
        .execute()
    }
    for (const { user_id: id } of await db
      .selectFrom('product_users')
      .select('user_id')
      .distinct()
      .execute()) {
      await db
        .updateTable('product_users')
        .set({ gross: plant('users', id) })
        .where('user_id', '=', id)
        .execute()
    }
  })
  return planted
}

const boughtIn = (db: Writer, table: 'payments' | 'subscriptions') =>
  db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.user_id`)
    .select([`${table}.id`, 'users.email'])
    .execute()

/** Each install has an address and a title with its id, by which they are known wherever they stand. */
export async function nameSites({ ctx }: World): Promise<void> {
  await transaction(ctx, async ({ db }) => {
    for (const { id } of await db.selectFrom('installs').select('id').execute()) {
      const named = { url: `https://site-${id}.example.org`, title: `Site ${id}` }
      await db.updateTable('installs').set(named).where('id', '=', id).execute()
    }
  })
}
