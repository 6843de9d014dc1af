import assert from 'node:assert/strict'
import { checkLedger } from '../src/sales/ledger/check-ledger.ts'
import { GatewayUnreachable, type GatewayEvent } from '../src/gateways/gateway.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { settleReports } from '../src/sales/charges/settle-reports-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import { MINUTE } from '../src/lib/time.ts'
import type { PaymentRow } from '../src/sales/payments/schema.ts'
import { startTestApp, type Reply, type TestApp } from './app.ts'
import { asDeveloper } from './callers.ts'
import { overTestGateway } from './charges.ts'
import { openSandboxCheckout } from './checkouts.ts'
import { offerFor } from './licenses.ts'
import { boughtBy, leftOfPayment, payCheckout, reportOfTest, send, undoneOf } from './reports.ts'
import { scopeOf } from './sales.ts'

/** So many hundredths of a payment; `lost refund`: its answer is lost. `fail`: the refund of this place. */
export type Move = readonly ['refund' | 'lost refund' | 'dispute' | 'won' | 'lost' | 'fail', number]

/** So many hundredths of a payment, minor units. */
export const partOf = ({ gross, tax }: PaymentRow, hundredths: number) =>
  Math.floor(((gross + tax) * hundredths) / 100)

interface Answers {
  /** The gateway gives back what it is asked for, and its answer is lost. */
  isLost: boolean
}

/** A shop that sells with tax, whose refunds are disputed and fail, in whatever order that is told. */
export class DisputedShop {
  readonly app: TestApp
  readonly #pricingId: number
  readonly #answers: Answers
  #buyers = 0
  #events = 0

  private constructor(app: TestApp, pricingId: number, answers: Answers) {
    this.app = app
    this.#pricingId = pricingId
    this.#answers = answers
  }

  static async open(name: string): Promise<DisputedShop> {
    const app = await startTestApp(name)
    const answers: Answers = { isLost: false }
    overTestGateway(app, (inner) => ({
      async refund(request) {
        const outcome = await inner.refund(request)
        if (answers.isLost) throw new GatewayUnreachable('Its answer is lost.')
        return outcome
      },
    }))
    const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
    const saved = await (await asDeveloper(app))('PUT', '/tax_settings.json', settings)
    assert.equal(saved.status, 200, saved.text)
    const { pricingId } = await offerFor(app, 1)
    return new DisputedShop(app, pricingId, answers)
  }

  /** A payment with tax, whose refunds the gateway does not decide at once. */
  async sold(pricingId = this.#pricingId) {
    const email = `disputing${++this.#buyers}@example.com`
    const token = await this.app.write((tx) =>
      openSandboxCheckout(tx, scopeOf(this.app), { pricingId, email }),
    )
    const body = { country_code: 'de' }
    const changed = await this.app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
    assert.equal(changed.status, 200, changed.text)
    const bought = await boughtBy(this.app, await payCheckout(this.app, token, 'test_refund_pending'))
    assert.ok(bought.payment.tax > 0)
    return bought
  }
  async refund(id: number, minor: number): Promise<Reply> {
    const path = `/products/${this.app.seller.product.id}/payments/${id}/refunds.json`
    return (await asDeveloper(this.app))('POST', path, { amount: minor / 100 })
  }

  /** What the gateway reports of a move that is not ours. */
  async reportOf(payment: PaymentRow, [kind, n]: Move): Promise<GatewayEvent> {
    const about = {
      id: `told-${++this.#events}`,
      at: this.app.ctx.clock.real(),
      chargeId: payment.external_id ?? '',
    }
    if (kind !== 'fail') {
      const state = kind === 'won' || kind === 'lost' ? kind : 'open'
      return { ...about, type: 'dispute', state, minor: partOf(payment, n), fee: 0 }
    }
    const { external_id: refundId, amount } = await this.app.ctx.db
      .selectFrom('charges')
      .select(['external_id', 'amount'])
      .where('payment_id', '=', payment.id)
      .orderBy('id')
      .offset(n)
      .limit(1)
      .executeTakeFirstOrThrow()
    return { ...about, type: 'refund', refundId: refundId ?? '', minor: amount, state: 'failed' }
  }

  async #tell(event: GatewayEvent): Promise<void> {
    assert.equal((await send(this.app, 'test', reportOfTest(this.app, event))).status, 200)
  }

  async jobs(): Promise<void> {
    for (let times = 0; times < 2; times++) {
      this.app.ctx.clock.advance(2 * MINUTE)
      await runDue(this.app.ctx, [settleRefunds, settleReports])
    }
  }

  /** Every report comes twice, the second time under another name. */
  async make(payment: PaymentRow, move: Move): Promise<void> {
    const [kind, n] = move
    if (kind === 'refund' || kind === 'lost refund') {
      this.#answers.isLost = kind === 'lost refund'
      const { status, text } = await this.refund(payment.id, partOf(payment, n))
      assert.equal(status, this.#answers.isLost ? 503 : 201, text)
      this.#answers.isLost = false
      return
    }
    const event = await this.reportOf(payment, move)
    for (const id of [event.id, event.id, `${event.id} again`]) await this.#tell({ ...event, id })
  }

  /** What the books have of a payment, by account, and what its subscription comes to. */
  async totalsOf({ id, subscription_id: subscriptionId }: PaymentRow) {
    const { db } = this.app.ctx
    const rows = await db
      .selectFrom('postings')
      .innerJoin('payments', 'payments.id', 'postings.payment_id')
      .select(['account', 'amount'])
      .where((is) => is.or([is('payments.id', '=', id), is('bound_payment_id', '=', id)]))
      .execute()
    const books: Record<string, number> = {}
    for (const { account, amount } of rows) books[account] = (books[account] ?? 0) + amount
    const { total_gross: total } = await db
      .selectFrom('subscriptions')
      .select('total_gross')
      .where('id', '=', subscriptionId)
      .executeTakeFirstOrThrow()
    return {
      total,
      books: Object.entries(books)
        .filter(([, amount]) => amount !== 0)
        .toSorted(),
    }
  }

  /** What is left is what was paid less all that was booked, and no more was given than was paid. */
  async assertWithin(payment: PaymentRow): Promise<void> {
    const given = (await undoneOf(this.app, payment)).reduce((sum, [, amount]) => sum + Number(amount), 0)
    const left = await leftOfPayment(this.app, payment)
    assert.equal(left, payment.gross + payment.tax + given)
    assert.ok(left >= 0)
  }

  async assertClean(): Promise<void> {
    const { ok, faults, open_charges: open } = await checkLedger(this.app.ctx)
    assert.deepEqual([ok, faults, open], [true, [], []])
  }

  async played(moves: readonly Move[]) {
    const { payment } = await this.sold()
    for (const move of moves) {
      await this.make(payment, move)
      if (move[0] === 'lost refund') continue
      await this.jobs()
      await this.assertWithin(payment)
    }
    const left = await leftOfPayment(this.app, payment)
    assert.equal((await this.refund(payment.id, left + 1)).status, 400)
    return { left, ...(await this.totalsOf(payment)) }
  }
}
