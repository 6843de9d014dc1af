import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { SystemClock } from '../lib/clock.ts'
import { errorText } from '../lib/error-text.ts'
import { SECOND } from '../lib/time.ts'
import {
  bodySignature,
  newWebhookSecret,
  signingKey,
  standardHeaders,
} from '../events/delivery/webhook-signatures.ts'
import { addressArgument } from './arguments.ts'
import type { Cli } from './cli.ts'
import { plainCommand, type Given } from './command.ts'
import { Failure } from './failure.ts'
import { noAnswer, SERVER_OPTION, serverToCall } from './server-option.ts'
import { stopSignal } from './stop-signal.ts'

const AGAIN_MS = SECOND
const FORWARD_MS = 15 * SECOND

const options = {
  '--forward-to <address>': {
    describe: 'where each event is posted to',
    parse: addressArgument,
    required: true,
  },
  '--product <id>': { describe: 'product whose events they are', parse: numberArgument, required: true },
  ...SERVER_OPTION,
  '--after <id>': {
    describe: 'begin after this event of the stream; 0: from the first',
    parse: numberArgument,
  },
} as const

type Listening = Given<object, typeof options>

export const command = plainCommand({
  describe: 'forward the events of a product to an address of this machine, signed, until it is stopped',
  docs: 'docs/webhooks.md',
  options,
  json: 'print one JSON object for each event',
  more: `KEYWRIGHT_API_TOKEN is the token of the product. Events are signed with KEYWRIGHT_WEBHOOK_SECRET, or
a secret that is shown, and with KEYWRIGHT_PRODUCT_SECRET_KEY where that is set.`,
  handler: async (given, cli) => {
    const token = cli.env['KEYWRIGHT_API_TOKEN']
    if (!token) throw new Failure('no_token', 'Set KEYWRIGHT_API_TOKEN to a token of the product.')
    const secret = cli.env['KEYWRIGHT_WEBHOOK_SECRET']
    const productKey = cli.env['KEYWRIGHT_PRODUCT_SECRET_KEY'] ?? null
    const keys: Keys = { token, secret: secret ?? newWebhookSecret(), productKey }
    const stopping = new AbortController()
    const asParentEnds = cli.env['npm_lifecycle_event'] !== undefined
    void stopSignal(() => {}, { asParentEnds }).then(() => stopping.abort())
    cli.note(`Events of product ${given.product} go to ${given.forwardTo}.`)
    if (secret === undefined) cli.note(`They are signed with ${keys.secret}`)
    let last = given.after === undefined ? null : String(given.after)
    while (!stopping.signal.aborted) {
      last = await readStream(cli, given, { keys, last, stopping: stopping.signal })
      await sleep(AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  },
})

interface Keys {
  readonly token: string
  readonly secret: string
  readonly productKey: string | null
}

interface Reading {
  readonly keys: Keys
  /** The last event that was forwarded, or that was before the first. */
  readonly last: string | null
  readonly stopping: AbortSignal
}

/** Forwards event by event until the stream ends; the last one that was forwarded. */
async function readStream(cli: Cli, given: Listening, reading: Reading): Promise<string | null> {
  let seen = reading.last
  // One that was started again may be elsewhere.
  const server = await serverToCall(cli, given.server)
  try {
    const { body, headers } = await openStream(`${server}/v1/products/${given.product}`, reading)
    seen ??= headers.get('last-event-id')
    const arrived: EventSourceMessage[] = []
    const parser = createParser({ onEvent: (event) => void arrived.push(event) })
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      for (const event of arrived.splice(0)) {
        seen = (await forward(cli, given, reading, event)) ?? seen
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (!reading.stopping.aborted) cli.warn('disconnected', `${sayWhy(error, server)} It is tried again.`)
  }
  return seen
}

async function openStream(product: string, { keys, last, stopping }: Reading) {
  const headers = { authorization: `Bearer ${keys.token}`, ...(last !== null && { 'last-event-id': last }) }
  const response = await fetch(`${product}/events/stream`, { headers, signal: stopping })
  if (response.status === 401 || response.status === 404) {
    throw new Failure('refused', `The server has answered ${response.status}: look at product and token.`)
  }
  if (!response.ok) throw new Error(`The server has answered ${response.status}.`)
  return response
}

/** Fetch says of whatever went wrong on the way only that it failed. */
const sayWhy = (error: unknown, server: string): string =>
  error instanceof TypeError ? noAnswer(server) : errorText(error)

/** The place of the event; null: it has none, or was not forwarded since this is stopped. */
async function forward(
  cli: Cli,
  { forwardTo }: Listening,
  { keys: { secret, productKey }, stopping }: Reading,
  { id: place, data, event: type = '' }: EventSourceMessage,
): Promise<string | null> {
  if (stopping.aborted) return null
  const { id } = JSON.parse(data) as { readonly id: string }
  const timestamp = Math.floor(new SystemClock().real() / SECOND)
  const headers = {
    'content-type': 'application/json',
    ...standardHeaders([signingKey(secret)], { id: `evt_${id}`, timestamp, body: data }),
    ...(productKey !== null && { 'x-signature': bodySignature(productKey, data) }),
  }
  const status = await post({ forwardTo, stopping }, headers, data)
  if (status === null && stopping.aborted) return null
  cli.result({ event_id: id, type, status }, `${type} ${id} → ${status ?? 'no answer'}`)
  return place ?? null
}

/** Null: there was no answer. */
async function post(
  { forwardTo, stopping }: Pick<Listening, 'forwardTo'> & Pick<Reading, 'stopping'>,
  headers: Record<string, string>,
  body: string,
): Promise<number | null> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(FORWARD_MS)])
    const response = await fetch(forwardTo, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}

function numberArgument(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 7.')
  return Number(text)
}
