import assert from 'node:assert/strict'
import type { Gateway, Webhook } from '../src/gateways/gateway.ts'
import { paypalGateway } from '../src/gateways/paypal/gateway.ts'
import { named } from '../src/gateways/paypal/names.ts'
import { stripeGateway } from '../src/gateways/stripe/gateway.ts'
import { runDue } from '../src/jobs/worker.ts'
import { DAY, HOUR } from '../src/lib/time.ts'
import { settleReports } from '../src/sales/charges/settle-reports-job.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { minorIn, type Books, type Resource } from './paypal/books.ts'
import { startTestApp } from './app.ts'
import { offerFor } from './licenses.ts'
import { withBuyers } from './paypal/buyers.ts'
import { approve, captureOrder, createOrder, openDispute } from './paypal/orders.ts'
import { eventText } from './paypal/reports.ts'
import { startPaypal } from './paypal/server.ts'
import { timesOf } from './stripe/renewals.ts'
import { startStripe } from './stripe/server.ts'

type Now = () => number

/** What somebody is given back of a charge, as its gateway has it. */
interface GivenBack {
  readonly id: string
  readonly status: 'succeeded' | 'failed'
  /** Minor units. */
  readonly minor: number
}

/**
 * A gateway that moves money, played, with what happens at the gateway itself: one test of races and crashes runs on
 * each. A charge is named by its `externalId`.
 */
export interface Mover {
  readonly code: string
  readonly gateway: Gateway
  /** How a method pays. */
  readonly tokens: Readonly<Record<'paid' | 'declined', string>>
  /** What was asked for last under a key is made once more, and is paid by whatever method; what it is there. */
  madeAgain(key: string): string
  /** What it sends when a charge is paid. */
  reportOf(id: string, eventId?: string): Webhook
  refundsAt(id: string): readonly GivenBack[]
  /** A refund could not be made after all; what is sent of it. */
  failed(refund: GivenBack): Webhook
  /** A charge is disputed; what is sent when the seller has won that. */
  disputed(id: string): { won(): Webhook }
  /** While it lasts nothing of a charge can be given back. */
  refusing(id: string, work: () => Promise<void>): Promise<void>
  /** The answer to the next request that gives back is lost. */
  loseRefund(): void
  /** As gateways do with keys after some time. */
  forgetKeys(): void
  close(): void
}

let events = 0
const eventId = () => `evt_${++events}`

const CARD_TOKENS = { paid: 'pm_card_visa', declined: 'pm_card_chargeDeclined' } as const

type Stripe = Awaited<ReturnType<typeof startStripe>>

async function startCards(now: Now): Promise<Mover> {
  const stripe = await startStripe()
  const { config, faults, forgetKeys, close } = stripe
  return {
    code: 'stripe',
    gateway: stripeGateway(config, { timeoutMs: 2_000, retries: 0 }),
    tokens: CARD_TOKENS,
    ...cardsAt(stripe, now),
    // The charge is read first, and the library asks once more when a connection breaks.
    loseRefund: () => void faults.push('none', 'lost', 'lost'),
    forgetKeys,
    close,
  }
}

type Acts = Pick<Mover, 'madeAgain' | 'reportOf' | 'refundsAt' | 'failed' | 'disputed' | 'refusing'>

function cardsAt({ api, asked, webhook }: Stripe, now: Now): Acts {
  const sent = (type: string, object: Resource, id = eventId()) => webhook(type, object, { id, now: now() })
  return {
    madeAgain(key) {
      const ask = asked.findLast(({ form }) => form.get('metadata[key]') === key && form.has('amount'))
      const form = new URLSearchParams(ask?.form)
      if (form.get('payment_method') === CARD_TOKENS.declined) {
        form.set('payment_method', CARD_TOKENS.paid)
        form.delete('customer')
      }
      return api.answer('POST', '/v1/payment_intents', form).id
    },
    reportOf: (id, event) => sent('payment_intent.succeeded', api.intents.get(id), event),
    refundsAt: (of) =>
      [...api.refunds.values()]
        .filter(({ payment_intent: id }) => id === of)
        .map(({ id, status, amount: minor }) => ({ id, status, minor })),
    failed({ id }) {
      const refund = api.refunds.get(id)
      api.failRefund(refund)
      return sent('refund.failed', refund)
    },
    disputed(id) {
      const dispute = api.dispute(api.intents.get(id))
      return {
        won: () => sent('charge.dispute.closed', Object.assign(dispute, { status: 'won' })),
      }
    },
    async refusing(id, work) {
      const intent = api.intents.get(id)
      const { amount } = intent
      intent.amount = 1
      await work()
      intent.amount = amount
    },
  }
}

type Paypal = Awaited<ReturnType<typeof startPaypal>>

async function startWallets(now: Now): Promise<Mover> {
  const paypal = await startPaypal()
  const { books, config, faults, forgetKeys, close } = paypal
  books.now = now
  // As accounts are unless they are set otherwise: keys alone keep it from being paid twice.
  books.isInvoiceOnce = false
  return {
    code: 'paypal',
    gateway: withBuyers(paypalGateway(config, { timeoutMs: 10_000, retries: 0, pauseMs: 1 }), books),
    tokens: { paid: 'wallet_paid', declined: 'wallet_declined' },
    ...walletsAt(paypal, now),
    loseRefund: () => void faults.push('none', 'lost'),
    forgetKeys,
    close,
  }
}

function walletsAt({ books, asked, signed }: Paypal, now: Now): Acts {
  const sent = (type: string, resource: Resource, id = eventId()) =>
    signed(eventText(type, resource, { id, at: now() }), { now: now() })
  const captureOf = (id: string) =>
    books.captures.get(books.orders.get(id).purchase_units[0].payments.captures[0].id)
  return {
    madeAgain(key) {
      const name = named(key)
      const ask = asked.findLast(({ path, key: of }) => path === '/v2/checkout/orders' && of === name)
      return paidAgain(books, name, ask?.raw ?? '')
    },
    reportOf: (id, event) => sent('PAYMENT.CAPTURE.COMPLETED', captureOf(id).kept, event),
    refundsAt: (of) =>
      [...books.refunds.values()]
        .filter(({ captureId }) => captureId === captureOf(of).kept.id)
        .map(({ refund: { id, status, amount } }) => ({
          id,
          status: status === 'COMPLETED' ? 'succeeded' : 'failed',
          minor: Number(minorIn(amount)),
        })),
    failed({ id }) {
      const { refund, captureId } = books.refunds.get(id)
      refund.status = 'FAILED'
      const { kept, capture } = books.captures.get(captureId)
      for (const one of [kept, capture]) one.status = 'COMPLETED'
      return sent('PAYMENT.REFUND.FAILED', refund)
    },
    disputed(id) {
      const dispute = openDispute(books, captureOf(id).kept)
      const end = { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } }
      return { won: () => sent('CUSTOMER.DISPUTE.RESOLVED', Object.assign(dispute, end)) }
    },
    async refusing(id, work) {
      const { kept } = captureOf(id)
      const { amount } = kept
      kept.amount = { ...amount, value: '0.01' }
      await work()
      kept.amount = amount
    },
  }
}

/** Another order of the same name, approved by its buyer and captured; its id. */
function paidAgain(books: Books, name: string, text: string): string {
  books.buyers.set(name, {})
  const { body: order, status } = createOrder(books, JSON.parse(text), name)
  assert.equal(status, 201, JSON.stringify(order))
  if (order.status === 'COMPLETED') return order.id
  approve(books, order.id)
  assert.equal(captureOrder(books, order.id, {}).status, 201)
  return order.id
}

const STARTS = { cards: startCards, wallets: startWallets } as const

/** Each gateway that moves money, by what it takes. */
export const MOVERS = ['cards', 'wallets'] as const satisfies readonly (keyof typeof STARTS)[]

/** A shop of the sandbox with that gateway alone, and a price to buy. */
export async function moverShop(name: string, kind: (typeof MOVERS)[number]) {
  const app = await startTestApp(`${name}_${kind}`)
  const mover = await STARTS[kind](() => app.ctx.clock.real())
  Object.assign(app.ctx, { gateways: [mover.gateway] })
  const { pricingId } = await offerFor(app, 1)
  const times = timesOf(app)
  return {
    app,
    mover,
    pricingId,
    ...times,
    /** The jobs that give back, hour by hour, or in longer steps. */
    async pass(count: number, step = HOUR): Promise<void> {
      for (let time = 0; time < count; time++) {
        await times.goTo(app.ctx.clock.real() + step)
        if (step >= DAY) mover.forgetKeys()
        await runDue(app.ctx, [settleRefunds, settleReports])
      }
    },
    async close() {
      mover.close()
      await app.close()
    },
  }
}
export type MoverShop = Awaited<ReturnType<typeof moverShop>>
