import {
  described,
  link,
  malformed,
  minorIn,
  missing,
  refused,
  type Answer,
  type Books,
  type Resource,
} from './books.ts'

export function readCapture(books: Books, id: string): Answer {
  const found = books.captures.get(id)
  return found ? described('capture-2', 200, found.kept) : missing
}

export function refundCapture(books: Books, id: string, body: Resource): Answer {
  const wrong = malformed('refund_request', body)
  if (wrong) return wrong
  const found = books.captures.get(id)
  if (!found) return missing
  const { kept } = found
  if (kept.status === 'PENDING') return refused('refund', 'PENDING_CAPTURE')
  if (kept.status === 'REFUNDED') return refused('refund', 'CAPTURE_FULLY_REFUNDED')
  const amount = body.amount ?? kept.amount
  if (amount.currency_code !== kept.amount.currency_code)
    return refused('refund', 'REFUND_CAPTURE_CURRENCY_MISMATCH')
  const minor = minorIn(amount)
  if (typeof minor === 'string') return refused('refund', minor)
  if (isDisputed(books, id)) return refused('refund', 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
  if (minor > leftOf(books, id)) return refused('refund', 'REFUND_AMOUNT_EXCEEDED')
  return refundOf(books, found, { amount, custom_id: body.custom_id })
}

const isDisputed = ({ disputes }: Books, captureId: string): boolean =>
  [...disputes.values()].some(
    ({ status, dispute_life_cycle_stage: stage, disputed_transactions: of }) =>
      status !== 'RESOLVED' && stage !== 'INQUIRY' && of[0].seller_transaction_id === captureId,
  )

/** Minor units that were given back. */
const givenOf = ({ refunds }: Books, captureId: string): number =>
  [...refunds.values()]
    .filter(({ captureId: of, refund }) => of === captureId && refund.status !== 'FAILED')
    .reduce((sum, { refund }) => sum + Number(minorIn(refund.amount)), 0)

/** Minor units that were lost in disputes. */
const lostOf = ({ disputes }: Books, captureId: string): number =>
  [...disputes.values()]
    .filter(
      ({ dispute_outcome: end, disputed_transactions: [of] }) =>
        of.seller_transaction_id === captureId && end?.outcome_code === 'RESOLVED_BUYER_FAVOUR',
    )
    .reduce((sum, { dispute_amount: amount }) => sum + Number(minorIn(amount)), 0)

/** Minor units that were paid and neither given back nor lost. */
function leftOf(books: Books, captureId: string): number {
  const { kept } = books.captures.get(captureId)
  return Number(minorIn(kept.amount)) - givenOf(books, captureId) - lostOf(books, captureId)
}

/** The status of a capture that was paid, by what of it was given back. */
export function statusOf(books: Books, captureId: string): string {
  const [given, all] = [givenOf(books, captureId), minorIn(books.captures.get(captureId).kept.amount)]
  if (given === 0) return 'COMPLETED'
  return given === all ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

function refundOf(books: Books, { kept, order, capture }: Resource, given: Resource): Answer {
  const id = books.id()
  const refund = {
    id,
    status: 'COMPLETED',
    amount: given.amount,
    ...(given.custom_id && { custom_id: given.custom_id }),
    create_time: books.time(),
    links: [link('self', `/v2/payments/refunds/${id}`), link('up', `/v2/payments/captures/${kept.id}`)],
  }
  books.refunds.set(id, { captureId: kept.id, refund })
  const { payments } = order.purchase_units[0]
  payments.refunds = [...(payments.refunds ?? []), refund]
  for (const one of [kept, capture]) one.status = statusOf(books, kept.id)
  books.report('PAYMENT.CAPTURE.REFUNDED', 'refund', refund)
  return described('refund', 201, refund)
}

/** What the seller gives back in PayPal's own pages. */
export function refundInDashboard(books: Books, captureId: string, amount: Resource): Resource {
  return refundOf(books, books.captures.get(captureId), { amount }).body
}

export function readRefund(books: Books, id: string): Answer {
  const found = books.refunds.get(id)
  return found ? described('refund', 200, found.refund) : missing
}

export function listDisputes(books: Books, query: URLSearchParams): Answer {
  const of = query.get('disputed_transaction_id')
  const items = [...books.disputes.values()]
    .filter(({ disputed_transactions: [first] }) => first.seller_transaction_id === of)
    .map(({ dispute_id, status, create_time, update_time, dispute_amount, dispute_life_cycle_stage }) => ({
      dispute_id,
      status,
      create_time,
      update_time,
      dispute_amount,
      dispute_life_cycle_stage,
    }))
    .toReversed()
  return described('dispute_search', 200, items.length > 0 ? { items } : {})
}

export function readDispute(books: Books, id: string): Answer {
  const found = books.disputes.get(id)
  return found ? described('dispute', 200, found) : missing
}
