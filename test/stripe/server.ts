import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import type { StripeConfig } from '../../src/lib/stripe-settings.ts'
import type { Webhook } from '../../src/gateways/gateway.ts'
import { fixture, StripeApi, Unreachable, type Resource } from './api.ts'

/** What goes wrong with a request: `lost` is done, but its answer does not arrive; `silent` is never answered; `none`. */
export type Fault = 'none' | 'reset' | 'silent' | 'lost' | number

interface Ask {
  readonly method: string
  readonly path: string
  readonly form: URLSearchParams
  readonly key: string | undefined
}

interface Reply {
  readonly status: number
  readonly body: string
}

const webhookSecret = 'whsec_of_the_tests'
const signer = new Stripe('sk_test_signer')

// Stripe's own client pauses for half a second before it asks again; tests lose hundreds of its answers.
Object.assign(Stripe.prototype, { getInitialNetworkRetryDelay: () => 0.005 })

/** Stripe, played on a local port: it keeps what it was asked for, and answers the same to the same key. */
export async function startStripe() {
  const api = new StripeApi()
  /** For the next requests, one each. */
  const faults: Fault[] = []
  const asked: Ask[] = []
  const replies: Replies = new Map()
  const replyTo = replier(api, replies)
  const server = createServer((request, response) => {
    void readAsk(request).then((ask) => {
      asked.push(ask)
      serve(response, faults.shift(), () => replyTo(ask))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config: StripeConfig = {
    secretKey: 'sk_test_local',
    webhookSecret,
    apiBase: `http://127.0.0.1:${port}`,
  }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  /** As Stripe does with keys after a day. */
  const forgetKeys = () => replies.clear()
  return { config, api, faults, asked, webhook, signed, forgetKeys, close }
}

async function readAsk(request: IncomingMessage): Promise<Ask> {
  const { method = 'GET', headers } = request
  const body = await text(request)
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://stripe.test')
  const form = new URLSearchParams(method === 'POST' ? body : search)
  return { method, path, form, key: headers['idempotency-key']?.toString() }
}

function serve(response: ServerResponse, fault: Fault | undefined, reply: () => Reply): void {
  const send = ({ status, body }: Reply) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (fault === 'silent') return
  if (fault === 'reset') return void response.destroy()
  if (typeof fault === 'number') {
    send({ status: fault, body: JSON.stringify({ error: { message: 'a fault' } }) })
    return
  }
  try {
    const made = reply()
    if (fault === 'lost') response.destroy()
    else send(made)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    response.destroy()
  }
}

type Replies = Map<string, Reply & { readonly request: string }>

function replier(api: StripeApi, replies: Replies) {
  return ({ method, path, form, key }: Ask): Reply => {
    const request = `${path} ${form}`
    const earlier = key === undefined ? undefined : replies.get(key)
    if (earlier) {
      const error = { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' }
      return earlier.request === request ? earlier : { status: 400, body: JSON.stringify({ error }) }
    }
    const answer = api.answer(method, path, form)
    const isRefusal = answer.error !== undefined
    const status = isRefusal ? Number(answer.status) : 200
    const body = JSON.stringify(isRefusal ? { error: answer.error } : answer)
    if (key !== undefined) replies.set(key, { request, status, body })
    return { status, body }
  }
}

/** What Stripe sends of an object, signed; by somebody else when `isForged`. */
function webhook(
  type: string,
  object: Resource,
  { id, now, isForged }: { id: string; now: number; isForged?: boolean },
): Webhook {
  const created = Math.floor(now / 1000)
  const payload = JSON.stringify(fixture('event', { id, type, created, data: { object } }))
  return signed(payload, now, isForged ? 'whsec_of_somebody' : webhookSecret)
}

/** What Stripe would send if it signed this text. */
function signed(payload: string, now: number, secret = webhookSecret): Webhook {
  const timestamp = Math.floor(now / 1000)
  const header = signer.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload), now }
}
