import { randomBytes } from 'node:crypto'
import { isIssue, wrongIn } from './described.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- resources of PayPal of every shape
export type Resource = any

/** An answer of PayPal. */
export interface Answer {
  readonly status: number
  readonly body: Resource
}

export class Unreachable extends Error {}

/** What happens with a wallet. */
export interface Behaviour {
  /** Whether its owner approves at PayPal, or the order ends without it. */
  readonly approves?: false
  /** How it pays while its owner is there; an issue: PayPal refuses. */
  readonly first?: string
  /** How it pays while its owner is away. */
  readonly later?: string
  readonly isDisputed?: true
  readonly isUnreachable?: true
  /** It is to be stored; an order says so. */
  readonly isKept?: true
  /** Stored only after it was paid by. */
  readonly isStoredLate?: true
  /** What is paid out in another currency, for how much of it a unit of the order's is bought. */
  readonly exchangeRate?: string
}

/** By the names that `buyers.ts` gives them. */
export const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['wallet_paid', {}],
  ['wallet_declined', { first: 'INSTRUMENT_DECLINED', later: 'INSTRUMENT_DECLINED' }],
  ['wallet_confirmed', {}],
  ['wallet_unconfirmed', { approves: false }],
  ['wallet_unreachable', { isUnreachable: true }],
  ['wallet_declined_later', { later: 'INSTRUMENT_DECLINED' }],
  ['wallet_failed_later', { later: 'FAILED' }],
  ['wallet_disputed', { isDisputed: true }],
  ['wallet_pending', { first: 'PENDING' }],
  ['wallet_pending_later', { later: 'PENDING' }],
  ['wallet_confirm_later', { later: 'PAYER_ACTION_REQUIRED' }],
  ['wallet_gone_later', { later: 'TOKEN_ID_NOT_FOUND' }],
  ['wallet_stored_late', { isStoredLate: true }],
  ['wallet_paid_out_in_dollars', { exchangeRate: '1.25' }],
])

/** What PayPal keeps of one account. */
export class Books {
  readonly orders = new Map<string, Resource>()
  readonly captures = new Map<string, Resource>()
  readonly refunds = new Map<string, Resource>()
  readonly disputes = new Map<string, Resource>()
  readonly setUps = new Map<string, Resource>()
  /** Stored wallets, with their customers. */
  readonly stored = new Map<string, { readonly customer: string; readonly behaviour: Behaviour }>()
  readonly events: Resource[] = []
  /** Who stands behind what was asked for, by its name. */
  readonly buyers = new Map<string, Behaviour>()
  /** Who stands behind an order or a setup token. */
  readonly behind = new Map<string, Behaviour>()
  /** Whether the account takes an invoice once only. */
  isInvoiceOnce = true
  /** Whether every buyer has approved by the time an order is looked at. */
  isApprovedAtOnce = false
  /** Why no stored wallet is charged. */
  refusesStored: Answer | null = null
  /** What the webhook is set to report. */
  reports: readonly string[] = ['*']
  /** Where to. */
  reportsTo = 'https://shop.example/v1/gateways/paypal/webhook.json'
  /** Milliseconds. */
  now = (): number => Date.now()
  readonly #account = randomBytes(3).toString('hex').toUpperCase()
  #count = 0

  id(): string {
    this.#count += 1
    return `${this.#count}X${this.#account}`
  }

  time = (): string => new Date(this.now()).toISOString().replace(/\.\d+Z/, 'Z')

  /** What it reports, which can be listed for 30 days. */
  report(event_type: string, resource_type: string, resource: Resource): void {
    const copy = structuredClone(resource)
    const event = { id: `WH-${this.id()}`, create_time: this.time(), event_type, resource_type }
    this.events.unshift({ ...event, summary: event_type, resource: copy })
  }
}

const ADDRESS = 'https://api-m.sandbox.paypal.com'

export const link = (rel: string, path: string, method = 'GET') => ({
  rel,
  href: path.startsWith('/') ? ADDRESS + path : path,
  method,
})

/** A refusal with its details, as PayPal words it. */
export function refused(call: Parameters<typeof isIssue>[0], issue: string): Answer {
  if (!isIssue(call, issue) && !UNLISTED.has(issue))
    throw new Error(`PayPal does not describe ${issue} of ${call}.`)
  return { status: 422, body: errorOf('UNPROCESSABLE_ENTITY', issue) }
}

/** Described of the call beside it only. */
const UNLISTED: ReadonlySet<string> = new Set([
  'ACTION_DOES_NOT_MATCH_INTENT',
  'TOKEN_ID_NOT_FOUND',
  'PREVIOUS_REQUEST_IN_PROGRESS',
])

export const errorOf = (name: string, issue?: string) => ({
  name,
  message: 'The requested action could not be performed.',
  debug_id: 'f0debug',
  ...(issue !== undefined && { details: [{ issue, description: issue }] }),
})

export const missing: Answer = { status: 404, body: errorOf('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID') }

/** The refusal of a request that PayPal does not describe; null: it does. */
export function malformed(schema: string, body: unknown): Answer | null {
  const wrong = wrongIn(schema, body)
  return wrong === null ? null : { status: 400, body: errorOf('INVALID_REQUEST', wrong) }
}

/** An answer, which must be as PayPal describes it. */
export function described(schema: string, status: number, body: Resource): Answer {
  const wrong = wrongIn(schema, body)
  if (wrong !== null) throw new Error(`The fake answers what PayPal does not describe: ${wrong}`)
  return { status, body: structuredClone(body) }
}

/** Minor units of an amount; an issue when PayPal takes no such. */
export function minorIn({ value }: { readonly value: string }): number | string {
  if (!/^-?\d+(\.\d{1,2})?$/.test(value)) return 'DECIMAL_PRECISION'
  const minor = Math.round(Number(value) * 100)
  return minor > 0 ? minor : 'CANNOT_BE_ZERO_OR_NEGATIVE'
}

/** As PayPal writes an amount. */
export const written = (minor: number, currency_code: string) => ({
  currency_code,
  value: (minor / 100).toFixed(2),
})
