import type { EventSourceMessage } from 'eventsource-parser'
import { SystemClock } from '../lib/clock.ts'
import { SECOND } from '../lib/time.ts'
import {
  bodySignature,
  newWebhookSecret,
  signingKey,
  standardHeaders,
} from '../events/delivery/webhook-signatures.ts'
import { addressArgument, numberArgument } from './arguments.ts'
import type { Cli } from './cli.ts'
import { follow } from './client/follow.ts'
import { plainCommand, type Given } from './command.ts'
import { Failure } from './failure.ts'
import { SERVER_OPTION, serverToCall } from './server-option.ts'
import { stopSignal } from './stop-signal.ts'

const FORWARD_MS = 15 * SECOND

const options = {
  '--forward-to <address>': {
    describe: 'where each event is posted to',
    parse: addressArgument,
    required: true,
    example: 'http://127.0.0.1:3000/hook',
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
  isShowing: true,
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
    const keys: Keys = { secret: secret ?? newWebhookSecret(), productKey }
    const stopping = new AbortController()
    const asParentEnds = cli.env['npm_lifecycle_event'] !== undefined
    void stopSignal(() => {}, { asParentEnds }).then(() => stopping.abort())
    cli.note(`Events of product ${given.product} go to ${given.forwardTo}.`)
    if (secret === undefined) cli.note(`They are signed with ${keys.secret}`)
    await follow(cli, {
      address: async () =>
        `${await serverToCall(cli, given.server)}/v1/products/${given.product}/events/stream`,
      headers: { authorization: `Bearer ${token}` },
      after: given.after === undefined ? null : String(given.after),
      stopping: stopping.signal,
      each: (event) => forward(cli, given, { keys, stopping: stopping.signal }, event),
    })
  },
})

interface Keys {
  readonly secret: string
  readonly productKey: string | null
}

interface Reading {
  readonly keys: Keys
  readonly stopping: AbortSignal
}

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
