import type { Payment } from './server.ts'
import type { Consent, State } from './state.ts'

/** Whether a box is ticked: by the buyer, or beforehand as the server says. */
export const isTicked = ({ ticks, checkout }: State, consent: Consent): boolean =>
  ticks[consent] ?? (consent === 'marketing' && checkout?.marketing?.is_preticked === true)

/** Whether the buyer has yet to agree to what must be agreed to. */
export const lacksWaiver = (state: State): boolean =>
  Boolean(state.checkout?.waiver) && !isTicked(state, 'waiver')

/** What the boxes that are shown say. */
export const consentsIn = (state: State): Pick<Payment, 'is_waiver_accepted' | 'is_marketing_allowed'> => ({
  ...(state.checkout?.waiver && { is_waiver_accepted: isTicked(state, 'waiver') }),
  ...(state.checkout?.marketing && { is_marketing_allowed: isTicked(state, 'marketing') }),
})
