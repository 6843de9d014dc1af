import {
  described,
  errorOf,
  link,
  malformed,
  missing,
  Unreachable,
  type Answer,
  type Books,
  type Resource,
} from './books.ts'
import { store } from './orders.ts'

const KEYLESS: Answer = { status: 400, body: errorOf('INVALID_REQUEST', 'MISSING_REQUEST_ID') }

export function createSetUp(books: Books, body: Resource, key: string | undefined): Answer {
  const wrong = malformed('setup_token_request', body)
  if (wrong || key === undefined) return wrong ?? KEYLESS
  const behaviour = books.buyers.get(key) ?? {}
  if (behaviour.isUnreachable) throw new Unreachable()
  const id = `5S${books.id()}`
  const token = {
    id,
    customer: { id: `cus${books.id()}` },
    status: 'PAYER_ACTION_REQUIRED',
    payment_source: { paypal: {} },
    links: [
      link('approve', `https://www.sandbox.paypal.com/agreements/approve?approval_session_id=${id}`),
      link('self', `/v3/vault/setup-tokens/${id}`),
    ],
  }
  books.setUps.set(id, token)
  books.behind.set(id, behaviour)
  return described('setup_token_response', 201, token)
}

export function readSetUp(books: Books, id: string): Answer {
  const token = books.setUps.get(id)
  return token ? described('setup_token_response', 200, token) : missing
}

/** Its owner comes to PayPal and approves that it is stored. */
export function approveSetUp(books: Books, id: string): void {
  const token = books.setUps.get(id)
  if (token?.status === 'PAYER_ACTION_REQUIRED' && books.behind.get(id)?.approves !== false)
    token.status = 'APPROVED'
}

export function createToken(books: Books, body: Resource, key: string | undefined): Answer {
  const wrong = malformed('payment_token_request', body)
  if (wrong || key === undefined) return wrong ?? KEYLESS
  const { id: setUpId, type } = body.payment_source.token
  const token = books.setUps.get(setUpId)
  if (type !== 'SETUP_TOKEN' || !token) return missing
  const behaviour = books.behind.get(setUpId) ?? {}
  if (token.status !== 'APPROVED' || behaviour.first !== undefined)
    return { status: 422, body: errorOf('UNPROCESSABLE_ENTITY', 'INVALID_SETUP_TOKEN') }
  token.status = 'VAULTED'
  const { id, customer } = store(books, behaviour, token.customer.id)
  return described('payment_token_response', 201, tokenOf(id, customer))
}

const tokenOf = (id: string, customer: string) => ({
  id,
  customer: { id: customer },
  payment_source: { paypal: {} },
  links: [link('self', `/v3/vault/payment-tokens/${id}`)],
})

export function listTokens(books: Books, query: URLSearchParams): Answer {
  const customer = query.get('customer_id') ?? ''
  const payment_tokens = [...books.stored]
    .filter(([, { customer: of }]) => of === customer)
    .map(([id]) => tokenOf(id, customer))
  return described('customer_vault_payment_tokens_response', 200, {
    customer: { id: customer },
    payment_tokens,
  })
}
