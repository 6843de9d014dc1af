import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import type { Writer } from './database.ts'
import { migrate } from './migrate.ts'

const BEFORE = 58
const [T1, T2, T3] = ['2026-01-01 10:00:00', '2026-01-02 10:00:00', '2026-01-03 10:00:00'] as const

/** Whose, of which product and with which coupon. */
type Place = readonly [user: number, product: number, coupon: number]

/** What was bought, or undone, with a coupon. */
const PAYMENTS: readonly (readonly [Place, environment: 0 | 1, type: string, created: string])[] = [
  [[1, 1, 1], 0, 'payment', T1],
  [[1, 1, 1], 1, 'payment', T2],
  [[2, 1, 1], 1, 'payment', T1],
  [[1, 2, 1], 1, 'refund', T3],
  [[2, 2, 2], 1, 'payment', T3],
]

/** What is renewed, with a trial or without. */
const SUBSCRIPTIONS: readonly (readonly [Place, created: string, trialEnds: string])[] = [
  [[1, 1, 2], T1, T2],
  [[1, 2, 1], T3, T3],
]

/** Redemptions, and where they count after the upgrade. */
const REDEMPTIONS: readonly (readonly [Place, created: string, environment: 0 | 1])[] = [
  [[1, 1, 1], T1, 0],
  [[1, 1, 1], T2, 1],
  [[2, 1, 1], T3, 1],
  [[1, 2, 1], T3, 0],
  [[2, 2, 1], T1, 0],
  [[2, 1, 2], T1, 0],
  [[1, 2, 2], T3, 0],
  [[2, 2, 2], T3, 1],
  [[1, 1, 2], T1, 1],
]

/** What is asked of a gateway for a checkout with a coupon. */
const CHARGES: readonly (readonly [coupon: number, environment: 0 | 1, state: string])[] = [
  [1, 1, 'pending'],
  [1, 0, 'pending'],
  [1, 1, 'settled'],
  [2, 1, 'started'],
]

const of = ([user_id, product_id, coupon_id]: Place) => ({ user_id, product_id, coupon_id })

/** Puts these in the place of the two rows that a table has; what more there are is like the first. */
async function put(db: Writer, table: 'payments' | 'subscriptions' | 'charges', rows: readonly object[]) {
  const first = await db.selectFrom(table).selectAll().orderBy('id').executeTakeFirstOrThrow()
  for (const [n, row] of rows.entries()) {
    const values = { ...first, id: n + 1, ...row } as never
    await (n < 2
      ? db
          .updateTable(table)
          .set(values)
          .where('id', '=', n + 1)
          .execute()
      : db.insertInto(table).values(values).execute())
  }
}

async function fillCoupons(db: Writer): Promise<void> {
  const named = (n: number) => ({ external_id: `external ${n}` })
  await put(
    db,
    'payments',
    PAYMENTS.map(([place, environment, type, created], n) => ({
      ...of(place),
      ...named(n),
      environment,
      type,
      created,
    })),
  )
  await put(
    db,
    'subscriptions',
    SUBSCRIPTIONS.map(([place, created, trial_ends], n) => ({
      ...of(place),
      ...named(n),
      environment: 1,
      created,
      trial_ends,
      license_id: n + 1,
    })),
  )
  await put(
    db,
    'charges',
    CHARGES.map(([couponId, environment, state], n) => ({
      ...named(n),
      key: `key ${n}`,
      environment,
      state,
      details: JSON.stringify({ priced: { couponId } }),
    })),
  )
  await db.deleteFrom('coupon_redemptions').execute()
  const redemptions = REDEMPTIONS.map(([place, created], n) => ({
    id: n + 1,
    ...of(place),
    license_id: null,
    is_one_per_user: 0,
    created,
  }))
  await db
    .insertInto('coupon_redemptions')
    .values(redemptions as never)
    .execute()
  for (const [id, redemptions] of [
    [1, 5],
    [2, 1],
  ] as const)
    await db.updateTable('coupons').set({ redemptions }).where('id', '=', id).execute()
}

async function fillGuards(db: Writer): Promise<void> {
  for (const [id, environment] of [
    [1, 1],
    [2, 0],
  ] as const)
    await db.updateTable('checkouts').set({ environment }).where('id', '=', id).execute()
  await db.deleteFrom('checkout_guards').execute()
  const guards = [
    ['coupon:1', 1],
    ['coupon:2', 2],
    ['coupon:3', 99],
    ['first:1:0', 1],
  ] as const
  await db
    .insertInto('checkout_guards')
    .values(
      guards.map(([name, checkout_id]) => ({
        name,
        checkout_id,
        email_folded: 'ada@example.com',
        until_ms: 1,
      })),
    )
    .execute()
}

test('after the upgrade what the sandbox redeemed of a coupon, or has begun to, counts there and no longer live', async (t) => {
  const { database, drop } = await createEmptyDatabase('sandbox_redemptions')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    await fillCoupons(db)
    await fillGuards(db)
  })
  await migrate(database)
  const { reader } = database
  const redeemed = await reader.selectFrom('coupon_redemptions').select('environment').orderBy('id').execute()
  assert.deepEqual(
    redeemed.map(({ environment }) => environment),
    REDEMPTIONS.map(([, , environment]) => environment),
  )
  const coupons = await reader
    .selectFrom('coupons')
    .select(['id', 'redemptions', 'sandbox_redemptions'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    coupons.map((one) => [one.id, one.redemptions, one.sandbox_redemptions]),
    [
      [1, 2, 3],
      [2, 0, 2],
    ],
  )
  const guards = await reader.selectFrom('checkout_guards').select('name').orderBy('name').execute()
  assert.deepEqual(
    guards.map(({ name }) => name),
    ['coupon:1:1', 'coupon:2:0', 'coupon:3', 'first:1:0'],
  )
})
