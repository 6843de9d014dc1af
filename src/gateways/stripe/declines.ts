import { Stripe } from 'stripe'
import type { Declined, DeclineReason } from '../gateway.ts'

/** What Stripe says of a failure, in an error or on an intent. */
interface Failure {
  readonly code?: string | null
  readonly decline_code?: string | null
  readonly message?: string | null
}

const REASONS: ReadonlyMap<string, DeclineReason> = new Map([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired'],
  ['authentication_required', 'confirmation_needed'],
  ['payment_intent_authentication_failure', 'confirmation_failed'],
  ['setup_intent_authentication_failure', 'confirmation_failed'],
])

/** Refusals of a request that are about the amount, which whoever is there may know to change. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount_too_small', 'amount_too_large'])

/** Refusals of a request that are about the method, not about how we ask. */
const REFUSED: ReadonlyMap<string, DeclineReason> = new Map([
  ['payment_method_customer_decline', 'declined'],
  ['payment_method_provider_decline', 'declined'],
  ['payment_method_invalid_parameter', 'invalid_method'],
  ['payment_method_unactivated', 'invalid_method'],
  ['payment_method_unexpected_state', 'invalid_method'],
])

const METHOD_PARAMETERS: ReadonlySet<string> = new Set(['payment_method', 'customer'])

const MESSAGE = 'The payment was declined. Please use another method of payment.'

/** The answer that a failure of an intent is; `externalId` is the intent's. */
export const declinedBy = (failure: Failure | null, externalId: string | null): Declined => ({
  outcome: 'declined',
  externalId,
  reason: reasonOf(failure),
  message: failure?.message || MESSAGE,
})

/** The answer without any call: there can be no such method. */
export const noSuchMethod: Declined = {
  outcome: 'declined',
  externalId: null,
  reason: 'invalid_method',
  message: 'There is no such method of payment.',
}

/**
 * A refusal of Stripe as an answer, or the error again when it is a fault of ours or of the settings, as the amount is of
 * a charge whose owner `isAway`.
 */
export function declinedOrThrow(error: unknown, isAway = false): Declined {
  if (error instanceof Stripe.errors.StripeCardError) return declinedBy(error, intentOf(error))
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  const isMethodMissing = error.code === 'resource_missing' && METHOD_PARAMETERS.has(error.param ?? '')
  const code = error.code ?? ''
  const ofAmount = AMOUNTS.has(code) && !isAway ? 'declined' : undefined
  const reason = isMethodMissing ? 'invalid_method' : (REFUSED.get(code) ?? ofAmount)
  if (reason === undefined) throw error
  return { ...declinedBy(error, intentOf(error)), reason }
}

const intentOf = ({ payment_intent: payment, setup_intent: setUp }: Stripe.errors.StripeError) =>
  payment?.id ?? setUp?.id ?? null

function reasonOf(failure: Failure | null): DeclineReason {
  const { decline_code: decline, code } = failure ?? {}
  return REASONS.get(decline ?? '') ?? REASONS.get(code ?? '') ?? 'declined'
}
