import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { scopeOf, sell } from '../../../test/sales.ts'
import { recordRefund } from './record-refund.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('record_refund')
})
after(() => app.close())

/** All of a payment is given back but so much; whether its license is cancelled. */
async function refundedBut(rest: { readonly gross: number; readonly tax: number }): Promise<boolean> {
  const { payment, license } = await sell(app, { payment: { gross: 1_000, tax: 200 } })
  const gross = 1_000 - rest.gross
  const tax = 200 - rest.tax
  await app.write(async (tx) => {
    const taken = { refunded_gross: gross, refunded_tax: tax }
    await tx.db.updateTable('payments').set(taken).where('id', '=', payment.id).execute()
    const ends = { cancelLicense: null, cancelSubscription: null }
    const terms = { paymentId: payment.id, gross, tax, reason: null, ...ends }
    await recordRefund(tx, scopeOf(app), terms, `re_${payment.id}`)
  })
  const { is_cancelled: isCancelled } = await app.ctx.db
    .selectFrom('licenses')
    .select('is_cancelled')
    .where('id', '=', Number(license.id))
    .executeTakeFirstOrThrow()
  return isCancelled
}

test('a refund cancels the license where nothing is left of the payment, not where a cent of price or tax is', async () => {
  assert.equal(await refundedBut({ gross: 0, tax: 0 }), true)
  assert.equal(await refundedBut({ gross: 1, tax: 0 }), false)
  assert.equal(await refundedBut({ gross: 0, tax: 1 }), false)
})
