// Slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastFirst } from '../../../test/last-first.ts'
import { BEHAVIOURS } from '../../../test/paypal/books.ts'
import { walletShop } from '../../../test/paypal/shop.ts'
import { boughtBy, buy } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'

test('ten years of a wallet, one decline and its recovery on the way, come to the cent', async (t) => {
  const end = lastFirst(t)
  const shop = await walletShop('wallet_years')
  end(() => shop.close())
  const { app, paypal } = shop
  const { books } = paypal
  const first = await boughtBy(app, (await buy(app, shop.pricingId, 'wallet_paid')).reply)
  const subscriptionOf = () =>
    app.ctx.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', first.subscriptionId)
      .executeTakeFirstOrThrow()
  await app.write(({ db }) => db.updateTable('subscriptions').set({ billing_cycle: 1 }).execute())
  const { period_anchor: anchor } = await subscriptionOf()
  await app.write(({ db }) => {
    const next = addMonths(anchor, 1)
    return db.updateTable('subscriptions').set({ next_payment: next, due_at: next }).execute()
  })

  const [[vaultId, stored] = []] = [...books.stored]
  const declines = BEHAVIOURS.get('wallet_declined_later')
  assert.ok(vaultId && stored && declines)
  for (let month = 1; month <= 120; month++) {
    const due = addMonths(anchor, month)
    assert.equal((await subscriptionOf()).next_payment, due)
    paypal.forgetKeys()
    if (month !== 60) {
      await renewAt(app, due)
      continue
    }
    books.stored.set(vaultId, { ...stored, behaviour: declines })
    await renewAt(app, due)
    assert.equal((await subscriptionOf()).failed_payments, 1)
    books.stored.set(vaultId, stored)
    await renewAt(app, toUtcTime(fromUtcTime(due) + DAY))
    assert.equal((await subscriptionOf()).failed_payments, 0)
  }

  const payments = await app.ctx.db.selectFrom('payments').selectAll().orderBy('id').execute()
  assert.equal(payments.length, 121)
  assert.deepEqual(
    payments.map(({ external_id: id, gross, tax, gateway_fee: fee }) => [id, gross + tax, fee]),
    [...books.captures.values()].map(({ order, kept }) => [
      order.id,
      Math.round(Number(kept.amount.value) * 100),
      Math.round(Number(kept.seller_receivable_breakdown.paypal_fee.value) * 100),
    ]),
  )
  assert.deepEqual(await ledgerFaults(app), [])
})
