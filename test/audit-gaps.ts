import { subscribe } from 'node:diagnostics_channel'
import pino, { type DestinationStream, type Logger } from 'pino'
import { operations } from '../src/app.ts'
import type { Reader } from '../src/db/database.ts'
import { REVIEW_PATH } from '../src/licensing/reviews/review-link.ts'
import { addressKey, networkKey } from '../src/lib/token-buckets.ts'
import { UNSUBSCRIBE_PATH } from '../src/sales/carts/unsubscribe.ts'
import { OPT_IN, OWNERS } from './opt-in.ts'

/** What a server tells its log of an answer. */
export interface Answered {
  readonly request_id: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ip: string
  /** Null where nobody was let in. */
  readonly credential: string | null
}

/** A row of the audit log, as far as it says who, what and whence. */
export interface Recorded {
  readonly action: string
  readonly credential: string
  readonly ip: string | null
  readonly request_id: string | null
  readonly details: string
}

const WRITES = new Map(operations.filter(({ kind }) => kind === 'write').map((op) => [op.id, op]))
const LET_IN = 'authentication.success'

/** Requests that were answered from what is kept under their Idempotency-Key: what they asked for was done before. */
const replayed = new Set<string>()
subscribe('http.server.response.finish', (message) => {
  // A head that is written at once is kept nowhere else.
  const { _header: head = '' } = (message as { readonly response: { readonly _header?: string } }).response
  if (!head.includes('idempotent-replayed: true')) return
  const [, id = ''] = /^x-request-id: (\S+)/m.exec(head) ?? []
  replayed.add(id)
})

/** What servers with this log answer from here on, of every client. */
export function answersIn(log: Logger): readonly Answered[] {
  const answers: Answered[] = []
  const { [pino.symbols.streamSym]: stream } = log as Logger & Record<symbol, DestinationStream>
  if (!stream) throw new Error('The log is written nowhere.')
  const write = stream.write.bind(stream)
  stream.write = (line) => {
    if (line.includes('"msg":"response"')) answers.push(JSON.parse(line) as Answered)
    write(line)
  }
  return answers
}

/** The audit log of a database. */
export const recordedIn = (db: Reader): Promise<Recorded[]> =>
  db.selectFrom('audit_log').select(['action', 'credential', 'ip', 'request_id', 'details']).execute()

/** How often something was, by its name. */
class Tally {
  readonly #counts = new Map<string, number>()

  add(name: string, count = 1): void {
    this.#counts.set(name, this.#of(name) + count)
  }

  /** Whether there was one more of it. */
  take(name: string): boolean {
    const left = this.#of(name)
    if (left > 0) this.#counts.set(name, left - 1)
    return left > 0
  }

  readonly #of = (name: string): number => this.#counts.get(name) ?? 0
}

/**
 * By what something may be told, first the narrowest: of its caller alone, of many in its network, of many anywhere.
 */
type Names = readonly string[]

/**
 * What was answered and is not in the audit log (`docs/security-checks.md` S40): a write that was done, by who did it,
 * from where and by which request; each caller that was let in, and each that was refused, as often as it was.
 */
export function gapsBetween(answers: readonly Answered[], rows: readonly Recorded[]): string[] {
  const found = new Tally()
  for (const row of rows) addFound(found, row)
  const owed = answers.flatMap(owedFor)
  const missing = owed.filter((names) => !names.some((name) => found.take(name)))
  return [...new Set(missing.map(([name = '']) => name))]
}

/** Addresses that are one caller have one name; a row may tell of a network as it is. */
const whence = (ip: string | null) => (ip === null || ip.includes('/') ? ip : addressKey(ip))

const refusedFrom = (ip: string | null) => `a refusal of ${whence(ip)}`
const countedOf = (action: string, credential: string, ip: string | null) =>
  `${action} by ${credential} of ${whence(ip)}`
const everDone = (action: string) => `${action} by anybody`
const doneBy = (about: string, requestId: string | null) => `${about} in ${requestId}`

const refused = (ip: string): Names => [ip, networkKey(ip), null].map(refusedFrom)

/** From many addresses at once an install is told of without them, and strangers without their names. */
const counted = (action: string, credential: string, ip: string): Names => [
  countedOf(action, credential, ip),
  countedOf(action, credential, null),
  countedOf(action, 'many', networkKey(ip)),
  countedOf(action, 'many', null),
]

function owedFor(answer: Answered): Names[] {
  const { status, ip, credential } = answer
  const isKnown = credential !== null && credential !== 'none'
  return [
    ...(isKnown ? [counted(LET_IN, credential, ip)] : []),
    ...(status === 401 ? [refused(ip)] : []),
    ...(status < 400 ? doneIn(answer) : []),
  ]
}

function doneIn(answer: Answered): Names[] {
  const { request_id: id, operation, method, path, ip, credential } = answer
  if (operation === 'none') return doneOnPage(answer)
  const [, gateway] = /\/gateways\/(\w+)\//.exec(path) ?? []
  if (gateway !== undefined) return [counted(LET_IN, `gateway:${gateway}`, ip)]
  const op = WRITES.get(operation)
  if (!op || method === 'HEAD' || replayed.has(id)) return []
  const who = credential ?? 'none'
  const isStranger = who === 'none' || who.startsWith('FSP:')
  if (op.isAnybodys && isStranger) return [counted(operation, who, ip)]
  return [[doneBy(countedOf(operation, who, ip), id)]]
}

/**
 * What the button of a page does stands there under a name of its own. A site asks by POST who owns a license; who
 * sends a review again, or has unsubscribed, is told that it is done.
 */
function doneOnPage({ request_id: id, method, path, ip }: Answered): Names[] {
  if (method !== 'POST' || OWNERS.startsWith(path)) return []
  if (path.startsWith(REVIEW_PATH)) return [[everDone('keywright/review-page')]]
  if (path.startsWith(UNSUBSCRIBE_PATH)) return [[everDone('keywright/unsubscribe-cart')]]
  return [OPT_IN.startsWith(path) ? counted('keywright/opt-in', 'none', ip) : [doneBy('a page', id)]]
}

interface Details {
  readonly count?: number
  readonly reason?: string
  readonly refused?: string
  readonly callers?: readonly (readonly [credential: string, ip: string, requestId: string, count: number])[]
}

function addFound(found: Tally, { action, credential, ip, request_id: id, details }: Recorded): void {
  const { count = 1, reason, refused: code, callers = [] } = JSON.parse(details) as Details
  const isRefusal = reason !== undefined || code !== undefined || action.endsWith('.failure')
  const told = countedOf(action, credential, ip)
  found.add(told, count)
  found.add(everDone(action), Infinity)
  for (const [one, from, , often] of callers) found.add(countedOf(action, one, from), often)
  if (isRefusal) found.add(refusedFrom(ip), count)
  for (const about of [told, 'a page']) found.add(doneBy(about, id))
}
