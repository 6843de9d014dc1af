import {
  beforeMoney,
  GatewayUnreachable,
  type ChargeOutcome,
  type ChargeRequest,
  type ChargeState,
  type StoredChargeRequest,
} from '../gateway.ts'
import { PaypalRefusal, type Paypal } from './client.ts'
import { declinedFor, declineIn, reasonOf } from './declines.ts'
import { disputeOf } from './disputes.ts'
import { vaultIdOf } from './methods.ts'
import { captureOf, createOrder, ended, outcomeOf, readOrder, settled } from './orders.ts'

/** What stands for a wallet, whose owner says at PayPal who they are. */
const WALLET = 'paypal'

/** Whether a token is of a wallet. */
export const isWallet = (token: string): boolean => token === WALLET

/** Leads to PayPal and back; no address is asked for of what is delivered as a key. */
export const experienceOf = (returnUrl: string) => ({
  return_url: returnUrl,
  cancel_url: returnUrl,
  shipping_preference: 'NO_SHIPPING',
})

/** How PayPal stores a wallet: each time another method, as one buyer may have several subscriptions. */
export const STORED = { usage_type: 'MERCHANT', permit_multiple_payment_tokens: true } as const

/** An order of a buyer who is there and approves it at PayPal, who cannot while they are not led there. */
export async function charge(paypal: Paypal, request: ChargeRequest): Promise<ChargeOutcome> {
  const { token, returnUrl, isKept } = request
  if (!isWallet(token)) return declinedFor('invalid_method', null)
  const vault = { store_in_vault: 'ON_SUCCESS', ...STORED }
  const wallet = {
    experience_context: { ...experienceOf(returnUrl), user_action: 'PAY_NOW' },
    ...(isKept && { attributes: { vault } }),
  }
  return outcomeOf(await beforeMoney(createOrder(paypal, request, wallet)))
}

/** An order that PayPal captures at once with a stored method; one that its owner would have to confirm is declined. */
export async function chargeStored(paypal: Paypal, request: StoredChargeRequest): Promise<ChargeOutcome> {
  const vaultId = await vaultIdOf(paypal, request.method)
  if (vaultId === null) return declinedFor('invalid_method', null)
  try {
    const made = await createOrder(paypal, request, { vault_id: vaultId })
    const order = await settled(paypal, (await readOrder(paypal, made.id)) ?? made)
    const outcome = outcomeOf(order)
    if (outcome.outcome !== 'pending' || captureOf(order) || order.status === 'APPROVED') return outcome
    await ended(paypal, order)
    return declinedFor('confirmation_needed', order.id)
  } catch (error) {
    return declinedOrThrow(error)
  }
}

function declinedOrThrow(error: unknown): ChargeOutcome {
  if (!(error instanceof PaypalRefusal)) throw error
  if (error.has('DUPLICATE_INVOICE_ID'))
    throw new GatewayUnreachable('PayPal was paid for it before, and has forgotten its key.', {
      cause: error,
    })
  const issue = declineIn(error)
  if (issue !== undefined) return declinedFor(reasonOf(issue), null)
  if (error.status === 404) return declinedFor('invalid_method', null)
  throw error
}

/** How a charge stands; what its buyer has approved meanwhile is captured first. */
export async function retrieveCharge(paypal: Paypal, externalId: string): Promise<ChargeState | null> {
  const found = await readOrder(paypal, externalId)
  if (!found) return null
  const order = await settled(paypal, found)
  const [charge, capture] = [outcomeOf(order), captureOf(order)]
  const isDisputable = charge.outcome === 'paid' && capture !== null
  return { charge, dispute: isDisputable ? await disputeOf(paypal, capture.id) : null }
}

/** Ends an order that waits for its buyer; how it stands after it, and null when there is none with this id. */
export async function cancelCharge(paypal: Paypal, externalId: string): Promise<ChargeOutcome | null> {
  const order = await readOrder(paypal, externalId)
  if (!order) return null
  const outcome = outcomeOf(order)
  return outcome.outcome === 'pending' && !captureOf(order) ? outcomeOf(await ended(paypal, order)) : outcome
}
