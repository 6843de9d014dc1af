import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 58

test('after the upgrade what the sandbox redeemed of a coupon, or has begun to, counts there and no longer live', async (t) => {
  const { database, drop } = await createEmptyDatabase('sandbox_redemptions')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    const payments = await db.selectFrom('payments').selectAll().orderBy('id').execute()
    const [live, sandbox] = payments
    assert.ok(live && sandbox)
    const of = { product_id: live.product_id, user_id: live.user_id, coupon_id: 1 }
    await db.updateTable('subscriptions').set({ coupon_id: 2, environment: 0 }).execute()
    const bought = (environment: 0 | 1, created: string) =>
      ({ ...of, type: 'payment', environment, created }) as Partial<typeof live>
    await db.updateTable('payments').set(bought(0, '2026-01-01 10:00:00')).where('id', '=', live.id).execute()
    await db
      .updateTable('payments')
      .set(bought(1, '2026-01-02 10:00:00'))
      .where('id', '=', sandbox.id)
      .execute()
    await db.deleteFrom('coupon_redemptions').execute()
    const redemption = (id: number, created: string) => ({
      id,
      ...of,
      license_id: null,
      is_one_per_user: 0,
      created,
    })
    const rows = [redemption(1, '2026-01-01 10:00:00'), redemption(2, '2026-01-02 10:00:00')]
    await db
      .insertInto('coupon_redemptions')
      .values(rows as never)
      .execute()
    await db.updateTable('coupons').set({ redemptions: 4 }).execute()
    const details = JSON.stringify({ priced: { couponId: 1 } })
    await db.updateTable('charges').set({ environment: 1, state: 'settled', details }).execute()
    await db.updateTable('charges').set({ state: 'pending' }).where('id', '=', 1).execute()
    await db.updateTable('checkouts').set({ environment: 1 }).execute()
    await db
      .updateTable('checkout_guards')
      .set({ name: 'coupon:1' })
      .where('email_folded', 'is not', null)
      .execute()
  })
  await migrate(database)
  const { reader } = database
  const redeemed = await reader.selectFrom('coupon_redemptions').select('environment').orderBy('id').execute()
  assert.deepEqual(
    redeemed.map(({ environment }) => environment),
    [0, 1],
  )
  const coupons = await reader
    .selectFrom('coupons')
    .select(['redemptions', 'sandbox_redemptions'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    coupons.map((one) => [one.redemptions, one.sandbox_redemptions]),
    [
      [2, 2],
      [4, 0],
    ],
  )
  const guards = await reader.selectFrom('checkout_guards').select('name').execute()
  assert.deepEqual(new Set(guards.map(({ name }) => name)), new Set(['coupon:1:1']))
})
