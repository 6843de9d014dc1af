import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dyingProcess } from '../../../test/dying.ts'
import type { TestContext } from '../../../test/app.ts'
import { boughtBy, buy, undoneOf } from '../../../test/reports.ts'
import { offerFor } from '../../../test/licenses.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { owingTo } from '../../../test/stripe/owed.ts'
import { stripeShop } from '../../../test/stripe/renewals.ts'
import { settleRefunds } from './settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { takeReports } from '../charges/gateway-reports.ts'

let shop: Awaited<ReturnType<typeof stripeShop>>
let owing: ReturnType<typeof owingTo>
let pricingId: number
before(async () => {
  shop = await stripeShop('owed_refunds_crash')
  owing = owingTo(shop)
  pricingId = (await offerFor(shop.app, 1)).pricingId
})
after(() => shop.close())

/** A process does it that dies before its statement `n`; whether it died. */
async function dying(n: number, work: (ctx: TestContext) => Promise<unknown>): Promise<boolean> {
  const process = dyingProcess(shop.app, n)
  try {
    await work(process.ctx).catch(() => {})
    return process.isDead()
  } finally {
    await process.close()
  }
}

/** What its gateway was paid a second time, which is owed whole; it is to be asked for that now. */
async function owed() {
  const { payment: first } = await boughtBy(shop.app, (await buy(shop.app, pricingId, 'pm_card_visa')).reply)
  const asked = shop.stripe.asked.findLast(
    ({ path, form }) => path.endsWith('/payment_intents') && form.has('amount'),
  )
  assert.ok(asked)
  const intent = shop.stripe.api.answer('POST', asked.path, asked.form)
  await owing.report('payment_intent.succeeded', intent)
  const payment = await shop.app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('external_id', '=', intent.id)
    .executeTakeFirstOrThrow()
  assert.equal(payment.license_id, first.license_id)
  await shop.goTo(shop.app.ctx.clock.real() + MINUTE)
  return { payment, intent }
}
type Owed = Awaited<ReturnType<typeof owed>>

const statesOf = ({ intent }: Owed) => owing.refundsAt(intent.id).map(({ status }) => status)

/** What undoes the payment in the books, as shares of it. */
async function assertBooked({ payment }: Owed, undone: readonly number[], what: string): Promise<void> {
  const total = payment.gross + payment.tax
  const shares = (await undoneOf(shop.app, payment)).map(([, amount]) => Number(amount) / total)
  assert.deepEqual(shares, undone, what)
}

async function assertSettled(): Promise<void> {
  assert.deepEqual(await ledgerFaults(shop.app), [])
  const { open_charges: open, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
  assert.deepEqual([open, unbooked], [[], []])
}

for (const isForgotten of [false, true]) {
  test(`R04: one that ends before any statement of giving back what is owed gives it back once${isForgotten ? ', also when the gateway has forgotten the key' : ''}`, async () => {
    let made = 0
    for (let n = 1, isWhole = false; !isWhole; n++) {
      const one = await owed()
      isWhole = !(await dying(n, (ctx) => runDue(ctx, [settleRefunds])))
      made += statesOf(one).length
      if (isForgotten) {
        shop.stripe.forgetKeys()
        await shop.goTo(shop.app.ctx.clock.real() + DAY)
      }
      await owing.pass(3)
      await assertBooked(one, [-1], `before statement ${n}`)
      assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
    }
    assert.ok(made > 2, `${made} of the ends came after the gateway was asked`)
    await assertSettled()
  })
}

test('R04: one whose gateway loses its answer, and that ends before any statement of it, gives back once', async () => {
  for (let n = 1, isWhole = false; !isWhole; n++) {
    const one = await owed()
    await shop.lose('back')
    isWhole = !(await dying(n, (ctx) => runDue(ctx, [settleRefunds])))
    await owing.pass(4)
    await assertBooked(one, [-1], `before statement ${n}`)
    assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
  }
  await assertSettled()
})

test('R04: one that ends before any statement of owing again what has failed leaves it to be given back once', async () => {
  for (let n = 1, isWhole = false; !isWhole; n++) {
    const one = await owed()
    await owing.pass(1)
    const [refund] = owing.refundsAt(one.intent.id)
    assert.ok(refund)
    refund.status = 'failed'
    one.intent.latest_charge.amount_refunded = 0
    const report = owing.reportOf('refund.failed', refund)
    const taken = (await shop.gateway.readWebhook(report)) ?? []
    isWhole = !(await dying(n, (ctx) => takeReports(ctx, 'stripe', taken)))
    await takeReports(shop.app.ctx, 'stripe', taken)
    await owing.pass(26)
    await assertBooked(one, [-1, 1, -1], `before statement ${n}`)
    assert.deepEqual(statesOf(one), ['failed', 'succeeded'], `before statement ${n}`)
  }
  await assertSettled()
})

test('R04: one that ends before any statement of making way for a dispute leaves what is owed as it was, and owes it again when that is won', async () => {
  for (let n = 1, isWhole = false; !isWhole; n++) {
    const one = await owed()
    const dispute = shop.stripe.api.dispute(one.intent)
    await owing.pass(1)
    dispute.status = 'won'
    const taken = (await shop.gateway.readWebhook(owing.reportOf('charge.dispute.closed', dispute))) ?? []
    isWhole = !(await dying(n, (ctx) => takeReports(ctx, 'stripe', taken)))
    if (!isWhole) await assertBooked(one, [], `before statement ${n}`)
    await takeReports(shop.app.ctx, 'stripe', taken)
    shop.stripe.forgetKeys()
    await shop.goTo(shop.app.ctx.clock.real() + HOUR + MINUTE)
    await owing.pass(2)
    await assertBooked(one, [-1, 1, -1], `before statement ${n}`)
    assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
  }
  await assertSettled()
})
