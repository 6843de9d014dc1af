import type { Amount, ChargeOutcome, StoredMethod } from '../gateway.ts'
import { feeOf, moneyOf } from './amounts.ts'
import { linked, type Capture, type Order } from './api.ts'
import { found, PaypalRefusal, type Paypal } from './client.ts'
import { declinedFor, declineIn, reasonOf } from './declines.ts'
import { tokenOfVault } from '../stored-tokens.ts'
import { tokenOfCustomer } from './methods.ts'
import { named } from './names.ts'

/** Of the one purchase unit of every order of ours. */
const REFERENCE = 'keywright'

interface Ordered {
  readonly key: string
  readonly amount: Amount
  readonly description: string
}

/** Makes an order to be captured, paid by `wallet` of PayPal's `payment_source.paypal`; the same again for its key. */
export function createOrder(paypal: Paypal, ordered: Ordered, wallet: object): Promise<Order> {
  const { key, amount, description } = ordered
  const name = named(key)
  const unit = {
    reference_id: REFERENCE,
    custom_id: name,
    // An account can be set to take an invoice once only, whatever PayPal remembers of keys.
    invoice_id: name,
    amount: moneyOf(amount),
    ...textsOf(description),
  }
  const body = { intent: 'CAPTURE', purchase_units: [unit], payment_source: { paypal: wallet } }
  return paypal.post<Order>('/v2/checkout/orders', body, name)
}

/** What the buyer reads at PayPal, and on the statement of a card behind it, for which few characters are left. */
function textsOf(text: string): { readonly description?: string; readonly soft_descriptor?: string } {
  const description = [...text].slice(0, 127).join('')
  const ascii = text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 .*-]/g, '')
    .trim()
  const soft = ascii.slice(0, 22).trim()
  return { ...(description && { description }), ...(soft && { soft_descriptor: soft }) }
}

/** An order as it stands; null when there is none, or this is no id of one. */
export const readOrder = async (paypal: Paypal, id: string): Promise<Order | null> =>
  /^[A-Z0-9]{1,36}$/.test(id) ? found(paypal.get<Order>(`/v2/checkout/orders/${id}`)) : null

const unitOf = ({ purchase_units: units }: Order) => units?.[0]

/** Whether we made it; one of another system at the account is left alone. */
export const isOurs = (order: Order): boolean => unitOf(order)?.reference_id === REFERENCE

/** The name of the key that it was asked for with. */
export const nameOf = (order: Order): string | undefined => unitOf(order)?.custom_id

/** What was paid of an order, or else was to be; null: nothing yet. */
export function captureOf(order: Order): Capture | null {
  const captures = unitOf(order)?.payments?.captures ?? []
  return captures.find(({ status }) => PAID.has(status)) ?? captures.at(-1) ?? null
}

/** What was given back of it. */
export const refundsOf = (order: Order) => unitOf(order)?.payments?.refunds ?? []

const PAID: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/** Whether a capture was paid, however much of it was given back. */
export const isPaid = ({ status }: Capture): boolean => PAID.has(status)

/** An order that is ended cannot be captured any more: only one whose intent is to be captured can. */
const isEnded = ({ intent }: Order): boolean => intent !== undefined && intent !== 'CAPTURE'

const WAITS: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED'])

/** What an order says. */
export function outcomeOf(order: Order): ChargeOutcome {
  const { id: externalId, status, links } = order
  const capture = captureOf(order)
  if (capture) return captureOutcome(order, capture)
  if (isEnded(order)) return declinedFor(endReason(order), externalId)
  if (status === 'VOIDED') return declinedFor('confirmation_failed', externalId)
  const confirmationUrl = WAITS.has(status) ? linked(links, 'payer-action', 'approve') : null
  return { outcome: 'pending', externalId, confirmationUrl }
}

function captureOutcome(order: Order, capture: Capture): ChargeOutcome {
  const { id: externalId } = order
  if (isPaid(capture)) return { outcome: 'paid', externalId, fee: feeOf(capture), method: methodIn(order) }
  return capture.status === 'PENDING'
    ? { outcome: 'pending', externalId, confirmationUrl: null }
    : declinedFor('declined', externalId)
}

/** PayPal may store a method only after it was paid by; then it is found by its customer when it is charged. */
function methodIn({ payment_source: source }: Order): StoredMethod | null {
  const vault = source?.paypal?.attributes?.vault
  if (vault?.id !== undefined) return { token: tokenOfVault(vault.id), kind: 'paypal', card: null }
  const customer = vault?.customer?.id
  return customer === undefined ? null : { token: tokenOfCustomer(customer), kind: 'paypal', card: null }
}

/** Takes the money of an order that its buyer has approved; how it is then. Any other is left as it is. */
export async function settled(paypal: Paypal, order: Order): Promise<Order> {
  if (order.status !== 'APPROVED' || isEnded(order) || captureOf(order)) return order
  const { id } = order
  try {
    await paypal.post<unknown>(`/v2/checkout/orders/${id}/capture`, {}, `capture.${id}`)
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error
    const issue = declineIn(error)
    if (issue !== undefined) return ended(paypal, order, issue)
    if (!error.has(...DECIDED)) throw error
  }
  return (await readOrder(paypal, id)) ?? order
}

/** It was captured or ended meanwhile. */
const DECIDED = ['ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED', 'ACTION_DOES_NOT_MATCH_INTENT'] as const

const LEFT = 'LEFT'

/**
 * Ends an order, so that PayPal captures it for nobody any more, and notes why; how it is then. What was captured
 * meanwhile stays paid, and what PayPal does not let be ended waits until it expires.
 */
export async function ended(paypal: Paypal, order: Order, issue = LEFT): Promise<Order> {
  const { id } = order
  try {
    await paypal.patch(`/v2/checkout/orders/${id}`, [
      { op: 'replace', path: '/intent', value: 'AUTHORIZE' },
      {
        op: 'replace',
        path: `/purchase_units/@reference_id=='${REFERENCE}'/custom_id`,
        value: `ended.${issue}`,
      },
    ])
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status === 403) throw error
  }
  return (await readOrder(paypal, id)) ?? order
}

function endReason(order: Order) {
  const [, issue = LEFT] = /^ended\.(\w+)$/.exec(nameOf(order) ?? '') ?? []
  return issue === LEFT ? 'confirmation_failed' : reasonOf(issue)
}
