import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PaypalConfig } from '../../src/lib/paypal-settings.ts'
import { Books, errorOf, missing, Unreachable, type Answer, type Resource } from './books.ts'
import { listEvents, readWebhook, signed, verify, WEBHOOK_ID } from './notifications.ts'
import { captureOrder, createOrder, patchOrder, readOrder } from './orders.ts'
import { listDisputes, readCapture, readDispute, readRefund, refundCapture } from './payments.ts'
import { createSetUp, createToken, listTokens, readSetUp } from './vault.ts'

/**
 * What goes wrong with a request: `lost` is done, but its answer does not arrive; `silent` is never answered; `none`; a
 * function is what happens just before it.
 */
export type Fault = 'none' | 'reset' | 'silent' | 'lost' | number | Answer | (() => void)

interface Ask {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly raw: string
  readonly key: string | undefined
  readonly authorization: string
}

const CLIENT = { clientId: 'client-of-the-tests', clientSecret: 'secret-of-the-tests' } as const
const BASIC = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`

/** PayPal, played on a local port: it keeps what it was asked for, and answers the same to the same key. */
export async function startPaypal() {
  const books = new Books()
  /** For the next requests, one each; those for a token are none. */
  const faults: Fault[] = []
  const asked: Ask[] = []
  const tokens = tokenGiver()
  const replies = new Map<string, Answer>()
  const server = createServer((request, response) => {
    void readAsk(request).then((ask) => {
      if (ask.path === '/v1/oauth2/token') return send(response, tokens.give(ask))
      asked.push(ask)
      const fault = faults.shift()
      return serve(response, fault, () => (tokens.knows(ask) ? replyTo(books, replies, ask) : UNKNOWN))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config: PaypalConfig = {
    ...CLIENT,
    webhookId: WEBHOOK_ID,
    mode: 'sandbox',
    apiBase: `http://127.0.0.1:${port}`,
  }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  /** As PayPal does with keys after some hours. */
  const forgetKeys = () => replies.clear()
  return { config, books, faults, asked, tokens, signed, forgetKeys, close }
}

const UNKNOWN: Answer = { status: 401, body: errorOf('AUTHENTICATION_FAILURE') }

function tokenGiver() {
  const known = new Set<string>()
  return {
    /** Seconds. */
    lasts: 32_400,
    /** How often one was asked for. */
    given: 0,
    give({ authorization }: Ask): Answer {
      if (authorization !== BASIC) return { status: 401, body: { error: 'invalid_client' } }
      this.given += 1
      const access_token = `A21AA${crypto.randomUUID()}`
      known.add(access_token)
      return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: this.lasts } }
    },
    knows: ({ authorization }: Ask): boolean => known.has(authorization.replace('Bearer ', '')),
    /** None that was given is good any more. */
    revoke: () => known.clear(),
  }
}

async function readAsk(request: IncomingMessage): Promise<Ask> {
  const { method = 'GET', headers } = request
  const raw = await text(request)
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://paypal.test')
  const key = headers['paypal-request-id']?.toString()
  return { method, path, query, raw, key, authorization: headers.authorization ?? '' }
}

const send = (response: ServerResponse, { status, body }: Answer) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === null ? undefined : JSON.stringify(body))

function serve(response: ServerResponse, fault: Fault | undefined, reply: () => Answer): void {
  if (typeof fault === 'function') fault()
  if (fault === 'silent') return
  if (fault === 'reset') return void response.destroy()
  if (typeof fault === 'number') return send(response, { status: fault, body: errorOf('A_FAULT') })
  if (typeof fault === 'object') return send(response, fault)
  try {
    const made = reply()
    if (fault === 'lost') response.destroy()
    else send(response, made)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    response.destroy()
  }
}

/** What was done under a key is answered again, as it was then; what was refused is looked at anew. */
function replyTo(books: Books, replies: Map<string, Answer>, ask: Ask): Answer {
  const { method, path, key } = ask
  const name = method === 'POST' && key !== undefined ? `${path} ${key}` : null
  const earlier = name === null ? undefined : replies.get(name)
  if (earlier) return { ...earlier, status: 200 }
  const answer = answerTo(books, ask)
  if (name !== null && answer.status < 300) replies.set(name, answer)
  return answer
}

type Route = (books: Books, ask: Ask & { readonly id: string; readonly body: Resource }) => Answer

const ROUTES: readonly (readonly [method: string, path: RegExp, route: Route])[] = [
  ['POST', /^\/v2\/checkout\/orders$/, (books, { body, key }) => createOrder(books, body, key)],
  ['GET', /^\/v2\/checkout\/orders\/(\w+)$/, (books, { id }) => readOrder(books, id)],
  ['PATCH', /^\/v2\/checkout\/orders\/(\w+)$/, (books, { id, body }) => patchOrder(books, id, body)],
  [
    'POST',
    /^\/v2\/checkout\/orders\/(\w+)\/capture$/,
    (books, { id, body }) => captureOrder(books, id, body),
  ],
  ['GET', /^\/v2\/payments\/captures\/([\w-]+)$/, (books, { id }) => readCapture(books, id)],
  [
    'POST',
    /^\/v2\/payments\/captures\/(\w+)\/refund$/,
    (books, { id, body }) => refundCapture(books, id, body),
  ],
  ['GET', /^\/v2\/payments\/refunds\/([\w-]+)$/, (books, { id }) => readRefund(books, id)],
  ['POST', /^\/v3\/vault\/setup-tokens$/, (books, { body, key }) => createSetUp(books, body, key)],
  ['GET', /^\/v3\/vault\/setup-tokens\/([\w-]+)$/, (books, { id }) => readSetUp(books, id)],
  ['POST', /^\/v3\/vault\/payment-tokens$/, (books, { body, key }) => createToken(books, body, key)],
  ['GET', /^\/v3\/vault\/payment-tokens$/, (books, { query }) => listTokens(books, query)],
  ['GET', /^\/v1\/customer\/disputes$/, (books, { query }) => listDisputes(books, query)],
  ['GET', /^\/v1\/customer\/disputes\/([\w-]+)$/, (books, { id }) => readDispute(books, id)],
  ['GET', /^\/v1\/notifications\/webhooks-events$/, (books, { query }) => listEvents(books, query)],
  ['GET', /^\/v1\/notifications\/webhooks\/(\w+)$/, (books, { id }) => readWebhook(books, id)],
  ['POST', /^\/v1\/notifications\/verify-webhook-signature$/, (_books, { raw, body }) => verify(raw, body)],
]

function answerTo(books: Books, ask: Ask): Answer {
  const body = ask.raw === '' ? undefined : (JSON.parse(ask.raw) as Resource)
  for (const [method, path, route] of ROUTES) {
    const found = method === ask.method ? path.exec(ask.path) : null
    if (found) return route(books, { ...ask, id: found[1] ?? '', body })
  }
  return missing
}
