import assert from 'node:assert/strict'
import { guarded } from '../../src/gateways/guarded.ts'
import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { named } from '../../src/gateways/paypal/names.ts'
import {
  eventId,
  type Disputed,
  type GivenBack,
  type Mover,
  type Now,
  type Way,
  type Lost,
} from '../mover.ts'
import { errorOf, minorIn, refused, written, type Books, type Resource } from './books.ts'
import { withBuyers } from './buyers.ts'
import { approve, captureOrder, createOrder, openDispute } from './orders.ts'
import { refundInDashboard, statusOf } from './payments.ts'
import { eventText } from './reports.ts'
import { startPaypal, type Fault } from './server.ts'

type Paypal = Awaited<ReturnType<typeof startPaypal>>

/** PayPal, played, with buyers who come back at once. */
export async function startWallets(now: Now): Promise<Mover> {
  const paypal = await startPaypal()
  const { books, config, faults, asked, forgetKeys, close } = paypal
  books.now = now
  // As accounts are unless they are set otherwise: keys alone keep it from being paid twice.
  books.isInvoiceOnce = false
  const patience = { timeoutMs: 10_000, retries: 0, pauseMs: 1 }
  const gatewayOf = (mode: 'live' | 'sandbox') =>
    guarded(withBuyers(paypalGateway({ ...config, mode }, patience), books))
  const gateways = [gatewayOf('sandbox'), gatewayOf('live')] as const
  return {
    code: 'paypal',
    gateways,
    gateway: gateways[0],
    tokens: {
      paid: 'wallet_paid',
      declined: 'wallet_declined',
      slow: 'wallet_pending',
      declinedLater: 'wallet_declined_later',
      confirmed: 'wallet_confirmed',
    },
    refundsBesideDispute: false,
    asked: () => asked.length,
    charges: () =>
      [...books.captures.values()]
        .filter(({ kept }) => kept.status !== 'DECLINED' && kept.status !== 'FAILED')
        .map(({ order }) => order.id),
    describes: (id) => books.orders.get(id).purchase_units[0].description,
    amountOf: (id) => Number(minorIn(captureOf(books, id).kept.amount)),
    refusals: refusalsOf(books),
    ...chargesAt(paypal, now),
    ...refundsOf(paypal, now),
    lose: (what, way) => void faults.push(...lostWith(what, way)),
    lockOut: () => void faults.push(403),
    loseNothing: () => void faults.splice(0),
    forgetKeys,
    close,
  }
}

/** An order is made, its buyer comes back, and it is captured; of a refund the order is read first. */
function lostWith(what: Lost, way: Way): readonly Fault[] {
  const fault = way === 'back' ? 'lost' : 'reset'
  if (what === 'purchase') return ['none', 'none', fault]
  return what === 'refund' ? ['none', fault] : [fault]
}

const captureOf = (books: Books, id: string) =>
  books.captures.get(books.orders.get(id).purchase_units[0].payments.captures[0].id)

const senderOf =
  ({ signed }: Paypal, now: Now) =>
  (type: string, resource: Resource, id = eventId()) =>
    signed(eventText(type, resource, { id, at: now() }), { now: now() })

const refusalsOf = (books: Books): Mover['refusals'] =>
  Object.fromEntries(
    [
      refused('create', 'PAYEE_ACCOUNT_RESTRICTED'),
      { status: 403, body: errorOf('NOT_AUTHORIZED', 'PERMISSION_DENIED') },
    ].map((refusal) => [
      refusal.body.details[0].issue,
      () => {
        books.refusesStored = refusal
        return () => void (books.refusesStored = null)
      },
    ]),
  )

type Charges = Pick<
  Mover,
  'madeAgain' | 'reportOf' | 'undecided' | 'decline' | 'reportOfDeclined' | 'disputed' | 'refuse'
>

function chargesAt(paypal: Paypal, now: Now): Charges {
  const { books, asked } = paypal
  const sent = senderOf(paypal, now)
  return {
    madeAgain(key) {
      const name = named(key)
      const ask = asked.findLast(({ path, key: of }) => path === '/v2/checkout/orders' && of === name)
      return paidAgain(books, name, ask?.raw ?? '')
    },
    reportOf: (id, event) => sent('PAYMENT.CAPTURE.COMPLETED', captureOf(books, id).kept, event),
    undecided: (id) => setStatus(books, id, 'PENDING'),
    decline: (id) => setStatus(books, id, 'DECLINED'),
    reportOfDeclined: (id) => sent('PAYMENT.CAPTURE.DECLINED', captureOf(books, id).kept),
    disputed(id, minor) {
      const { kept } = captureOf(books, id)
      const amount = minor === undefined ? kept.amount : written(minor, kept.amount.currency_code)
      const dispute = openDispute(books, kept, { amount })
      const ended = (outcome_code: string) => {
        Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code } })
        return sent('CUSTOMER.DISPUTE.RESOLVED', dispute)
      }
      return {
        minor: Number(minorIn(amount)),
        get state(): Disputed['state'] {
          if (dispute.status !== 'RESOLVED') return 'open'
          return dispute.dispute_outcome.outcome_code === WON ? 'won' : 'lost'
        },
        opened: () => sent('CUSTOMER.DISPUTE.CREATED', dispute),
        won: () => ended(WON),
        lost: () => ended('RESOLVED_BUYER_FAVOUR'),
      }
    },
    refuse: (id) => setStatus(books, id, 'PENDING'),
  }
}

const WON = 'RESOLVED_SELLER_FAVOUR'

/** Gives the capture of an order another status; returns what takes it back. */
function setStatus(books: Books, id: string, status: string): () => void {
  const { kept, capture } = captureOf(books, id)
  for (const one of [kept, capture]) one.status = status
  return () => {
    for (const one of [kept, capture]) one.status = statusOf(books, kept.id)
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

type Refunds = Pick<Mover, 'refundsAt' | 'byHand' | 'reportOfRefund' | 'fail' | 'reportOfFailed'>

function refundsOf(paypal: Paypal, now: Now): Refunds {
  const { books } = paypal
  const sent = senderOf(paypal, now)
  const refundOf = (id: string) => books.refunds.get(id)
  const givenBack = ({ id, status, amount }: Resource): GivenBack => ({
    id,
    status: status === 'COMPLETED' ? 'succeeded' : 'failed',
    minor: Number(minorIn(amount)),
  })
  return {
    refundsAt: (of) =>
      [...books.refunds.values()]
        .filter(({ captureId }) => captureId === captureOf(books, of).kept.id)
        .map(({ refund }) => givenBack(refund)),
    byHand(id, minor) {
      const { kept } = captureOf(books, id)
      return givenBack(refundInDashboard(books, kept.id, written(minor, kept.amount.currency_code)))
    },
    reportOfRefund: ({ id }) => sent('PAYMENT.CAPTURE.REFUNDED', refundOf(id).refund),
    fail({ id }) {
      const { refund, captureId } = refundOf(id)
      refund.status = 'FAILED'
      const { kept, capture } = books.captures.get(captureId)
      for (const one of [kept, capture]) one.status = statusOf(books, captureId)
    },
    reportOfFailed: ({ id }) => sent('PAYMENT.REFUND.FAILED', refundOf(id).refund),
  }
}
