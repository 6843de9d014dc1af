/** A refusal as Stripe answers it. */
export interface StripeRefusal {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>
}

const CARD_ERRORS: Readonly<Record<string, { code: string; decline_code?: string; message: string }>> = {
  declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired: { code: 'expired_card', message: 'Your card has expired.' },
  needs_owner: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
}

export const cardError = (name: string) => ({ type: 'card_error', ...CARD_ERRORS[name] })

export const NOT_CONFIRMED = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
}

export const missing = (param: string, id: string): StripeRefusal => ({
  status: param === 'id' ? 404 : 400,
  error: {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${param}: '${id}'`,
  },
})

export const invalidRequest = (more: Readonly<Record<string, unknown>>): StripeRefusal => ({
  status: 400,
  error: { type: 'invalid_request_error', ...more },
})
