import type { Checkout } from '../server.ts'
import { WALLETS } from './wallet.ts'

export type Form = NonNullable<Checkout['payment']>

/** The key of the card form; null: there is none. */
export const stripeKey = ({ gateway, publishable_key: key }: Form) => (gateway === 'stripe' ? key : null)

/** Whether the page has a form for it. */
const isDrawn = (form: Form) => form.tokens.length > 0 || stripeKey(form) !== null || form.gateway in WALLETS

/** What the page can be paid with, first what it shows first. */
export const formsOf = ({ payment, other_payments: others }: Checkout): readonly Form[] =>
  payment === null ? [] : [payment, ...others].filter(isDrawn)

/** What a way of paying is called; `card` is the word for a card. */
export const wayOf = (gateway: string, card: string): string => WALLETS[gateway] ?? card
