import { hash } from 'node:crypto'
import type { Stripe } from 'stripe'
import {
  beforeMoney,
  type ChargeOutcome,
  type ChargeRequest,
  type ChargeState,
  type DisputeState,
  type Pending,
  type StoredChargeRequest,
} from '../gateway.ts'
import { answered, found } from './client.ts'
import { declinedBy, declinedOrThrow, noSuchMethod } from './declines.ts'
import { disputeState } from './disputes.ts'
import { feeOf } from './fees.ts'
import { readStored, storedMethod } from './methods.ts'

/** With what an intent is read: its fee, and the method it was paid by. */
const EXPAND = ['latest_charge.balance_transaction', 'payment_method']

/** Charges a buyer who is there; a method that is kept gets a customer at Stripe, without whom it is used once. */
export async function charge(stripe: Stripe, request: ChargeRequest): Promise<ChargeOutcome> {
  if (request.token === '') return noSuchMethod
  const { key, amount, token, description, returnUrl, isKept } = request
  const customer = isKept ? await customerFor(stripe, request) : null
  return decided(
    stripe.paymentIntents.create(
      {
        amount: amount.minor,
        currency: amount.currency,
        description,
        ...methodBy(token),
        confirm: true,
        capture_method: 'automatic',
        automatic_payment_methods: { enabled: true },
        return_url: returnUrl,
        metadata: { key },
        expand: EXPAND,
        ...(customer && { customer, setup_future_usage: 'off_session' }),
      },
      { idempotencyKey: key },
    ),
    false,
  )
}

/** What Stripe's form gave: a method of payment, or a confirmation token, which has one in it. */
export const methodBy = (token: string): { confirmation_token: string } | { payment_method: string } =>
  token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token }

/** The customer that is made for this key, the same one again for the same key; `GatewayAway` without an answer. */
export async function customerFor(
  stripe: Stripe,
  { key, email }: Pick<ChargeRequest, 'key' | 'email'>,
): Promise<string> {
  const idempotencyKey = `customer:${hash('sha256', key)}`
  const made = stripe.customers.create({ email, metadata: { key } }, { idempotencyKey })
  const { id } = await beforeMoney(answered(made))
  return id
}

/** Charges a stored method; one that its owner would have to confirm is declined. */
export async function chargeStored(stripe: Stripe, request: StoredChargeRequest): Promise<ChargeOutcome> {
  const { key, amount, description, method: token } = request
  const stored = readStored(token)
  if (stored === null) return noSuchMethod
  return decided(
    stripe.paymentIntents.create(
      {
        amount: amount.minor,
        currency: amount.currency,
        description,
        customer: stored.customer,
        payment_method: stored.method,
        automatic_payment_methods: { enabled: true },
        allowed_payment_method_types: [stored.type],
        confirm: true,
        off_session: true,
        error_on_requires_action: true,
        capture_method: 'automatic',
        metadata: { key },
        expand: EXPAND,
      },
      { idempotencyKey: key },
    ),
    true,
  )
}

async function decided(call: Promise<Stripe.PaymentIntent>, isAway: boolean): Promise<ChargeOutcome> {
  try {
    return outcomeOf(await answered(call))
  } catch (error) {
    return declinedOrThrow(error, isAway)
  }
}

/** How a charge stands, with what the buyer's bank disputes of it. */
export async function retrieveCharge(stripe: Stripe, externalId: string): Promise<ChargeState | null> {
  const intent = await retrieveIntent(stripe, externalId)
  return intent && { charge: outcomeOf(intent), dispute: await disputeOf(stripe, intent) }
}

/**
 * The charge that was asked for with a key, the paid one first; null when there is none. What was made a moment ago is
 * not found yet.
 */
export async function findCharge(stripe: Stripe, key: string): Promise<ChargeState | null> {
  const query = `metadata['key']:'${key.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const { data } = await answered(stripe.paymentIntents.search({ query, limit: 100 }))
  const made = data.find(({ status }) => status === 'succeeded') ?? data[0]
  return made ? retrieveCharge(stripe, made.id) : null
}

/** The intent of a charge; null when there is none, or this is no id of one. */
export const retrieveIntent = async (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> =>
  /^pi_\w+$/.test(id) ? found(stripe.paymentIntents.retrieve(id, { expand: EXPAND })) : null

async function disputeOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<DisputeState | null> {
  if (!chargeOf(intent)?.disputed) return null
  const { data } = await answered(stripe.disputes.list({ payment_intent: intent.id, limit: 1 }))
  return data[0] ? disputeState(data[0]) : null
}

const chargeOf = ({ latest_charge: latest }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof latest === 'string' ? null : latest

/** What an intent that was read with `EXPAND` says. */
export function outcomeOf(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id, status } = intent
  switch (status) {
    case 'succeeded':
      return paidOf(intent)
    case 'requires_payment_method':
    case 'canceled':
      return declinedBy(intent.last_payment_error, id)
    case 'requires_action':
      return { outcome: 'pending', externalId: id, confirmationUrl: confirmationUrl(intent) }
    default:
      return { outcome: 'pending', externalId: id, confirmationUrl: null }
  }
}

function paidOf(intent: Stripe.PaymentIntent): ChargeOutcome {
  const made = chargeOf(intent)
  const isKept = intent.setup_future_usage === 'off_session'
  const fee = Math.min(intent.amount, feeOf(made?.balance_transaction ?? null, intent.currency))
  const method = isKept ? storedMethod(intent, made?.payment_method_details ?? null) : null
  return { outcome: 'paid', externalId: intent.id, fee, method }
}

/** Where the buyer confirms; null when Stripe names no page. */
export const confirmationUrl = ({
  next_action: action,
}: {
  readonly next_action: { readonly redirect_to_url?: { readonly url: string | null } | null } | null
}): Pending['confirmationUrl'] => action?.redirect_to_url?.url ?? null
