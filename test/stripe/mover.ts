import assert from 'node:assert/strict'
import { guarded } from '../../src/gateways/guarded.ts'
import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import {
  eventId,
  type Disputed,
  type GivenBack,
  type Lost,
  type Mover,
  type Now,
  type Way,
} from '../mover.ts'
import type { Resource } from './api.ts'
import { invalidRequest } from './errors.ts'
import { startStripe } from './server.ts'

const TOKENS = {
  paid: 'pm_card_visa',
  declined: 'pm_card_chargeDeclined',
  slow: 'pm_slowBank',
  declinedLater: 'pm_card_chargeCustomerFail',
  confirmed: 'pm_card_threeDSecure2Required',
} as const

type Stripe = Awaited<ReturnType<typeof startStripe>>

/** Stripe, played. */
export async function startCards(now: Now): Promise<Mover> {
  const stripe = await startStripe()
  const { config, faults, asked, api, forgetKeys, close } = stripe
  const gatewayOf = (secretKey: string) =>
    guarded(stripeGateway({ ...config, secretKey }, { timeoutMs: 2_000, retries: 0 }))
  const gateways = [gatewayOf(config.secretKey), gatewayOf('sk_live_local')] as const
  return {
    code: 'stripe',
    gateways,
    gateway: gateways[0],
    tokens: TOKENS,
    refundsBesideDispute: true,
    asked: () => asked.length,
    charges: () =>
      [...api.intents.values()]
        .filter(({ status }) => status === 'succeeded' || status === 'processing')
        .map(({ id }) => id),
    describes(id) {
      const { key } = api.intents.get(id).metadata
      const ask = asked.findLast(({ form }) => form.get('metadata[key]') === key && form.has('amount'))
      return ask?.form.get('description') ?? ''
    },
    amountOf: (id) => api.intents.get(id).amount,
    refusals: refusalsOf(stripe),
    ...chargesAt(stripe, now),
    ...refundsOf(stripe, now),
    lose: (what, way) => void faults.push(...lostWith(what, way)),
    lockOut: () => void faults.push(401),
    loseNothing: () => void faults.splice(0),
    forgetKeys,
    close,
  }
}

/** A customer is made first, or a charge read; the library asks once more when a connection breaks. */
function lostWith(what: Lost, way: Way) {
  const fault = way === 'back' ? 'lost' : 'reset'
  return what === 'renewal' || what === 'look' ? ([fault, fault] as const) : (['none', fault, fault] as const)
}

const senderOf =
  ({ webhook }: Stripe, now: Now) =>
  (type: string, object: Resource, id = eventId()) =>
    webhook(type, object, { id, now: now() })

const refusalsOf = ({ api }: Stripe): Mover['refusals'] =>
  Object.fromEntries(
    [
      { message: 'Your account cannot currently make live charges.' },
      { code: 'amount_too_small', param: 'amount', message: 'Amount must be at least 50 cents.' },
    ].map((refusal) => [
      refusal.message,
      () => {
        api.offSession = invalidRequest(refusal)
        return () => void (api.offSession = null)
      },
    ]),
  )

type Charges = Pick<
  Mover,
  'madeAgain' | 'reportOf' | 'undecided' | 'decline' | 'reportOfDeclined' | 'disputed' | 'refuse'
>

function chargesAt(stripe: Stripe, now: Now): Charges {
  const { api, asked } = stripe
  const sent = senderOf(stripe, now)
  return {
    madeAgain(key) {
      const ask = asked.findLast(({ form }) => form.get('metadata[key]') === key && form.has('amount'))
      const form = new URLSearchParams(ask?.form)
      if (form.get('payment_method') === TOKENS.declined) {
        form.set('payment_method', TOKENS.paid)
        form.delete('customer')
      }
      return api.answer('POST', '/v1/payment_intents', form).id
    },
    reportOf: (id, event) => sent('payment_intent.succeeded', api.intents.get(id), event),
    undecided: (id) => setStatus(stripe, id, 'processing'),
    decline: (id) => setStatus(stripe, id, 'requires_payment_method'),
    reportOfDeclined: (id) => sent('payment_intent.payment_failed', api.intents.get(id)),
    disputed(id, minor) {
      const intent = api.intents.get(id)
      const dispute = api.dispute(intent, { amount: minor ?? intent.amount })
      const told = (type: string, status: string) => {
        dispute.status = status
        return sent(`charge.dispute.${type}`, dispute)
      }
      return {
        minor: dispute.amount,
        get state(): Disputed['state'] {
          return dispute.status === 'needs_response' ? 'open' : dispute.status
        },
        opened: () => sent('charge.dispute.created', dispute),
        won: () => told('closed', 'won'),
        lost: () => told('closed', 'lost'),
      }
    },
    refuse: (id) => setStatus(stripe, id, 'processing'),
  }
}

/** Gives an intent another status; returns what takes it back. */
function setStatus({ api }: Stripe, id: string, status: string): () => void {
  const intent = api.intents.get(id)
  const { status: before } = intent
  intent.status = status
  return () => void (intent.status = before)
}

type Refunds = Pick<Mover, 'refundsAt' | 'byHand' | 'reportOfRefund' | 'fail' | 'reportOfFailed'>

function refundsOf(stripe: Stripe, now: Now): Refunds {
  const { api } = stripe
  const sent = senderOf(stripe, now)
  const givenBack = ({ id, status, amount: minor }: Resource): GivenBack => ({ id, status, minor })
  return {
    refundsAt: (of) => [...api.refunds.values()].filter(({ payment_intent: id }) => id === of).map(givenBack),
    byHand(id, minor) {
      const form = new URLSearchParams({ payment_intent: id, amount: String(minor) })
      const made = api.answer('POST', '/v1/refunds', form)
      assert.equal(made.object, 'refund', JSON.stringify(made))
      return givenBack(made)
    },
    reportOfRefund: ({ id }) => sent('refund.created', api.refunds.get(id)),
    fail: ({ id }) => api.failRefund(api.refunds.get(id)),
    reportOfFailed: ({ id }) => sent('refund.failed', api.refunds.get(id)),
  }
}
