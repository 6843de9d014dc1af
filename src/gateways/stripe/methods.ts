import type { Stripe } from 'stripe'
import type { Card, StoredMethod } from '../gateway.ts'
import { STORED_TOKENS } from '../stored-tokens.ts'

/** What is needed to charge a method again. */
export interface StoredParts {
  readonly customer: string
  readonly method: string
  /** As Stripe calls the type. */
  readonly type: string
}

/** Out of the token of a stored method; null when it is none. */
export function readStored(token: string): StoredParts | null {
  const [, customer, method, type] = STORED_TOKENS.stripe.form.exec(token) ?? []
  return customer && method && type ? { customer, method, type } : null
}

type Ref = string | { readonly id: string } | null | undefined

export const idOf = (ref: Ref): string | null => (typeof ref === 'string' ? ref : (ref?.id ?? null))

/** What Stripe made to charge later of a method that is charged once only, such as iDEAL: a direct debit. */
export interface Generated {
  readonly ideal?: { readonly generated_sepa_debit?: Ref } | null
}

/** The method of an intent whose `payment_method` is expanded, as it is stored; null when it cannot be charged again. */
export function storedMethod(
  { customer, payment_method: method }: Pick<Stripe.PaymentIntent, 'customer' | 'payment_method'>,
  details: Generated | null,
): StoredMethod | null {
  const owner = idOf(customer)
  if (owner === null || method === null || typeof method === 'string') return null
  if (method.type !== 'ideal')
    return { token: `${owner} ${method.id} ${method.type}`, kind: kindOf(method), card: cardOf(method) }
  const debit = idOf(details?.ideal?.generated_sepa_debit)
  return debit === null ? null : { token: `${owner} ${debit} sepa_debit`, kind: 'ideal', card: null }
}

const kindOf = ({ type }: Stripe.PaymentMethod): StoredMethod['kind'] =>
  type === 'paypal' ? 'paypal' : 'card'

const cardOf = ({ card }: Stripe.PaymentMethod): Card | null =>
  card
    ? { brand: card.brand, last4: card.last4, expiryMonth: card.exp_month, expiryYear: card.exp_year }
    : null
