import { Stripe } from 'stripe'
import type { ChargeOutcome, SetUpOutcome } from '../gateway.ts'
import { retrieveCharge } from './charges.ts'
import { answered } from './client.ts'
import { retrieveSetUp } from './set-ups.ts'

/** Cancels an intent that waits for its buyer; how it stands after it, and null when there is none with this id. */
export async function cancel(stripe: Stripe, id: string): Promise<ChargeOutcome | SetUpOutcome | null> {
  if (/^seti_\w+$/.test(id)) {
    await unlessDecided(stripe.setupIntents.cancel(id))
    return retrieveSetUp(stripe, id)
  }
  if (!/^pi_\w+$/.test(id)) return null
  await unlessDecided(stripe.paymentIntents.cancel(id))
  return (await retrieveCharge(stripe, id))?.charge ?? null
}

/** Stripe refuses to cancel what is decided, or in work at the bank, or not there. */
async function unlessDecided(call: Promise<unknown>): Promise<void> {
  try {
    await answered(call)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
