// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Place } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { systemScope } from '../access/scope.ts'
import { transaction } from '../context.ts'
import { paymentRow } from '../../test/sales.ts'
import { recordPayment } from '../sales/payments/record-payment.ts'
import { stillClock } from '../lib/clock.ts'
import { toUtcTime } from '../lib/time.ts'

const NOW = Date.UTC(2026, 0, 31)

test('the check of the ledger is quiet when all adds up, and names what does not with exit code 1', async (t) => {
  const place = await openDemoPlace(t, 'ledger')
  const boot = await place.run(['demo', '--json'])
  assert.equal(boot.code, 0, boot.stderr)
  const check = () => place.run(['ledger', 'check', '--json'])
  const clean = await check()
  assert.equal(clean.code, 0, clean.stderr)
  assert.equal(JSON.parse(clean.stdout).ok, true)
  const ids = await pay(place)
  const paid = await check()
  assert.deepEqual(JSON.parse(paid.stdout).currencies, [
    { currency: 'eur', environment: 'production', sum: 0 },
    { currency: 'gbp', environment: 'production', sum: 0 },
    { currency: 'usd', environment: 'production', sum: 0 },
    { currency: 'usd', environment: 'sandbox', sum: 0 },
  ])
  assert.equal(paid.code, 0)
  await place.database.transaction(async (db) => {
    await db
      .deleteFrom('postings')
      .where('payment_id', '=', ids[0] ?? 0)
      .execute()
    await db
      .updateTable('postings')
      .set({ amount: 1 })
      .where('payment_id', '=', ids[1] ?? 0)
      .where('account', '=', 'tax')
      .execute()
  })
  const broken = await check()
  const report = JSON.parse(broken.stdout)
  assert.deepEqual([broken.code, report.ok, report.fault_count], [1, false, 2])
  assert.deepEqual(
    report.faults.map((one: { payment_id: string }) => Number(one.payment_id)),
    ids.slice(0, 2),
  )
  assert.match(report.faults[0].message, /must have the postings gateway:stripe 58.24, .*, has none/)
  assert.equal(report.currencies.find((one: { currency: string }) => one.currency === 'eur').sum, 10.01)
  const spoken = await place.run(['ledger', 'check'])
  assert.equal(spoken.code, 1)
  assert.match(spoken.stdout, / payments, 2 of them wrong; NOT everything adds up/)
})

/** Three payments of somebody of the demo, one of them in euros. */
async function pay(place: Place): Promise<number[]> {
  const { database } = place
  const found = await database.reader
    .selectFrom('licenses')
    .innerJoin('products', 'products.id', 'licenses.product_id')
    .select([
      'licenses.user_id',
      'licenses.plan_id',
      'licenses.pricing_id',
      'products.id',
      'products.developer_id',
    ])
    .where('licenses.user_id', 'is not', null)
    .where('licenses.pricing_id', 'is not', null)
    .executeTakeFirstOrThrow()
  const scope = systemScope({ developerId: found.developer_id, productId: found.id })
  const bought = {
    userId: found.user_id ?? 0,
    planId: found.plan_id,
    pricingId: found.pricing_id ?? 0,
    licenseId: null,
  }
  const ctx = { database, clock: stillClock(NOW), nudge: () => {} } as unknown as Parameters<
    typeof transaction
  >[0]
  const ids: number[] = []
  for (const currency of ['usd', 'eur', 'usd'] as const) {
    const row = paymentRow(bought, NOW, { currency, processed_at: toUtcTime(NOW) })
    ids.push((await transaction(ctx, (tx) => recordPayment(tx, scope, row))).id)
  }
  return ids
}
