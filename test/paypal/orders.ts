import {
  described,
  errorOf,
  link,
  malformed,
  minorIn,
  missing,
  refused,
  Unreachable,
  written,
  type Answer,
  type Behaviour,
  type Books,
  type Resource,
} from './books.ts'

/** Who stands behind an order that names a stored wallet, or behind one that is to be approved. */
function behindOrder(books: Books, { vault_id: vaultId }: Resource, name: string): Behaviour | null {
  if (vaultId !== undefined) return books.stored.get(vaultId)?.behaviour ?? null
  return books.buyers.get(name) ?? {}
}

export function createOrder(books: Books, body: Resource, key: string | undefined): Answer {
  const wrong = malformed('order_request', body)
  if (wrong) return wrong
  if (key === undefined)
    return { status: 400, body: errorOf('INVALID_REQUEST', 'PAYPAL_REQUEST_ID_REQUIRED') }
  const [unit] = body.purchase_units
  const minor = minorIn(unit.amount)
  if (typeof minor === 'string') return refused('create', minor)
  const wallet = body.payment_source?.paypal ?? {}
  const behaviour = behindOrder(books, wallet, unit.custom_id)
  if (behaviour === null) return refused('create', 'TOKEN_ID_NOT_FOUND')
  if (behaviour.isUnreachable) throw new Unreachable()
  const isStored = wallet.vault_id !== undefined
  const order = orderOf(books, body, isStored ? 'APPROVED' : 'PAYER_ACTION_REQUIRED')
  if (isStored) return payStored(books, order, behaviour.later ?? 'COMPLETED')
  books.orders.set(order.id, order)
  books.behind.set(order.id, { ...behaviour, ...(wallet.attributes && { isKept: true }) })
  return described('order', 201, order)
}

function orderOf(books: Books, { intent, purchase_units: [unit], payment_source }: Resource, status: string) {
  const id = books.id()
  return {
    id,
    intent,
    status,
    purchase_units: [{ ...unit }],
    payment_source: { paypal: payment_source?.paypal?.attributes ? { attributes: {} } : {} },
    create_time: books.time(),
    links: linksOf(id),
  }
}

function payStored(books: Books, order: Resource, later: string): Answer {
  if (books.refusesStored) return books.refusesStored
  if (later === 'PAYER_ACTION_REQUIRED') {
    order.status = later
    books.orders.set(order.id, order)
    return described('order', 201, order)
  }
  const outcome = captured(books, order, later)
  if (typeof outcome === 'string') return refused('create', outcome)
  books.orders.set(order.id, order)
  return described('order', 201, order)
}

const linksOf = (id: string) => [
  link('self', `/v2/checkout/orders/${id}`),
  link('payer-action', `https://www.sandbox.paypal.com/checkoutnow?token=${id}`),
]

export const readOrder = (books: Books, id: string): Answer => {
  const order = books.orders.get(id)
  if (books.isApprovedAtOnce) approve(books, id)
  return order ? described('order', 200, order) : missing
}

export function patchOrder(books: Books, id: string, body: Resource): Answer {
  const wrong = malformed('patch_request', body)
  if (wrong) return wrong
  const order = books.orders.get(id)
  if (!order) return missing
  if (order.status === 'COMPLETED') return refused('patch', 'ORDER_ALREADY_COMPLETED')
  const [unit] = order.purchase_units
  for (const { path, value } of body) {
    if (path === '/intent') order.intent = value
    else if (path === `/purchase_units/@reference_id=='${unit.reference_id}'/custom_id`)
      unit.custom_id = value
    else return refused('patch', 'NOT_PATCHABLE')
  }
  return { status: 204, body: null }
}

/** Its owner comes to PayPal, and approves or leaves it. */
export function approve(books: Books, id: string): void {
  const order = books.orders.get(id)
  if (order?.status !== 'PAYER_ACTION_REQUIRED') return
  order.status = books.behind.get(id)?.approves === false ? 'VOIDED' : 'APPROVED'
  if (order.status === 'APPROVED') books.report('CHECKOUT.ORDER.APPROVED', 'checkout-order', order)
}

export function captureOrder(books: Books, id: string, body: Resource): Answer {
  const wrong = malformed('order_capture_request', body)
  if (wrong) return wrong
  const order = books.orders.get(id)
  if (!order) return missing
  if (order.intent !== 'CAPTURE') return refused('capture', 'ACTION_DOES_NOT_MATCH_INTENT')
  if (order.status === 'COMPLETED') return refused('capture', 'ORDER_ALREADY_CAPTURED')
  if (order.status !== 'APPROVED') return refused('capture', 'ORDER_NOT_APPROVED')
  const behaviour = books.behind.get(id) ?? {}
  const outcome = captured(books, order, behaviour.first ?? 'COMPLETED')
  if (typeof outcome === 'string') return refused('capture', outcome)
  if (behaviour.isKept) storeWallet(books, order, behaviour)
  if (behaviour.isDisputed) openDispute(books, outcome)
  return described('order', 201, order)
}

const STATUSES = new Set(['COMPLETED', 'PENDING', 'DECLINED', 'FAILED'])

/** Takes the money; an issue: PayPal refuses. */
function captured(books: Books, order: Resource, status: string): Resource | string {
  const [unit] = order.purchase_units
  if (books.isInvoiceOnce && isInvoiced(books, order)) return 'DUPLICATE_INVOICE_ID'
  if (!STATUSES.has(status)) return status
  const id = books.id()
  const { amount, custom_id, invoice_id } = unit
  const capture = {
    id,
    status,
    amount,
    ...(custom_id && { custom_id }),
    ...(invoice_id && { invoice_id }),
    final_capture: true,
    create_time: books.time(),
    links: [link('self', `/v2/payments/captures/${id}`), link('up', `/v2/checkout/orders/${order.id}`)],
  }
  const kept = { ...capture, supplementary_data: { related_ids: { order_id: order.id } } }
  order.status = 'COMPLETED'
  unit.payments = { captures: [capture] }
  books.captures.set(id, { kept, order, capture })
  if (status === 'COMPLETED') paid(books, kept)
  else books.report(`PAYMENT.CAPTURE.${status === 'FAILED' ? 'DECLINED' : status}`, 'capture', kept)
  return kept
}

const isInvoiced = ({ captures }: Books, order: Resource): boolean =>
  [...captures.values()].some(
    ({ kept }) =>
      kept.invoice_id !== undefined &&
      kept.invoice_id === order.purchase_units[0].invoice_id &&
      kept.status !== 'DECLINED' &&
      kept.status !== 'FAILED',
  )

function paid(books: Books, kept: Resource): void {
  const { order, capture } = books.captures.get(kept.id)
  const { currency_code: currency } = kept.amount
  const minor = Number(minorIn(kept.amount))
  const fee = Math.min(minor, Math.round(minor * 0.029) + 30)
  const rate = books.behind.get(order.id)?.exchangeRate
  const seller_receivable_breakdown = {
    gross_amount: kept.amount,
    paypal_fee: written(fee, currency),
    net_amount: written(minor - fee, currency),
    ...(rate && { exchange_rate: { source_currency: currency, target_currency: 'USD', value: rate } }),
  }
  for (const one of [kept, capture]) Object.assign(one, { status: 'COMPLETED', seller_receivable_breakdown })
  books.report('PAYMENT.CAPTURE.COMPLETED', 'capture', kept)
}

/** What was pending is decided. */
export function decide(books: Books, orderId: string, status: 'COMPLETED' | 'DECLINED'): void {
  const [{ id }] = books.orders.get(orderId).purchase_units[0].payments.captures
  const { kept, capture } = books.captures.get(id)
  if (status === 'COMPLETED') return paid(books, kept)
  for (const one of [kept, capture]) Object.assign(one, { status })
  books.report('PAYMENT.CAPTURE.DECLINED', 'capture', kept)
}

function storeWallet(books: Books, order: Resource, behaviour: Behaviour): void {
  const { id, customer } = store(books, behaviour)
  const isLate = behaviour.isStoredLate
  order.payment_source.paypal.attributes = {
    vault: isLate
      ? { status: 'APPROVED', customer: { id: customer } }
      : { id, status: 'VAULTED', customer: { id: customer } },
  }
}

/** Stores a wallet for a customer of its own. */
export function store(books: Books, behaviour: Behaviour, customer = `cus${books.id()}`) {
  const id = `vault-${books.id()}`
  books.stored.set(id, { customer, behaviour })
  return { id, customer }
}

/** The buyer, or whose bank, takes it or a part of it back; the stage can be an inquiry, which takes nothing. */
export function openDispute(
  books: Books,
  { id, amount: paid }: Resource,
  { stage = 'CHARGEBACK', amount = paid }: { readonly stage?: string; readonly amount?: Resource } = {},
): Resource {
  const dispute = {
    dispute_id: `PP-D-${books.id()}`,
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_life_cycle_stage: stage,
    dispute_amount: amount,
    disputed_transactions: [{ seller_transaction_id: id, gross_amount: paid }],
    money_movements: [
      { affected_party: 'SELLER', type: 'DEBIT', reason: 'DISPUTE_SETTLEMENT', amount },
      {
        affected_party: 'SELLER',
        type: 'DEBIT',
        reason: 'CHARGEBACK_FEE',
        amount: written(1_500, amount.currency_code),
      },
    ],
    create_time: books.time(),
    update_time: books.time(),
  }
  books.disputes.set(dispute.dispute_id, dispute)
  return dispute
}
