import { addressKey, networkKey } from '../lib/token-buckets.ts'
import type { Audited } from './audit.ts'
import type { Actor, Scope } from './scope.ts'

/** How many installs share a row of the audit log. */
const FEWEST_SHARING = 10
const MOST_SHARING = 50
/** From so many addresses at once an install or user is told of for each. */
const MOST_ADDRESSES = 8

export const LET_IN = 'authentication.success'
const NO_DETAILS: object = Object.freeze({})

/** Who was let in or refused, where, and by which request. */
export type Caller = Pick<Scope, 'actor' | 'ip' | 'requestId'> & {
  readonly productId: number | null
  readonly developerId?: number
}

/** What was done: the id of an operation, or what the log calls it. */
export interface Counted {
  readonly action: string
  readonly details?: object
}

/** What one caller did, and how often, until it is written. */
export interface Entry {
  readonly action: string
  /** Its `ip` is a network where it came from several addresses of one. */
  caller: Caller
  readonly details: object
  count: number
}

export const entryOf = (
  action: string,
  { actor, productId, developerId = 0, ip, requestId }: Caller,
  details: object = NO_DETAILS,
): Entry => ({
  action,
  caller: { actor, productId, developerId, ip, requestId },
  details,
  count: 1,
})

const isNetwork = (ip: string) => ip.includes('/')

/** Addresses that one caller has are one: those of a /64 of IPv6 (`docs/decisions.md` 7.1). */
const whence = (ip: string | null) => (ip === null || isNetwork(ip) ? ip : addressKey(ip))

export const keyOf = ({ action, caller: { actor, productId, developerId, ip }, details }: Entry): string =>
  `${action} ${details === NO_DETAILS ? '' : JSON.stringify(details)} ${actor.credential} ${developerId} ${productId} ${whence(ip)}`

export const isFromSame = ({ caller }: Entry, ip: string | null): boolean =>
  caller.ip === ip || whence(caller.ip) === whence(ip)

/** Counts what is of the same key. The address is told for as long as there is one, then what all have in common. */
export function join(known: Entry, { caller: { ip }, count }: Pick<Entry, 'caller' | 'count'>): void {
  known.count += count
  if (known.caller.ip !== ip) known.caller = { ...known.caller, ip: whence(ip) }
}

const MANY: Actor = { kind: 'anonymous', id: 0, credential: 'many' }

const ofMany = ({ action, count }: Entry, ip: string | null): Entry => ({
  ...entryOf(action, { actor: MANY, productId: null, ip, requestId: null }),
  count,
})

/** Stands for all callers beyond a limit: none of them is named for what others did. */
export const asMany = (entry: Entry): Entry => ofMany(entry, null)

/** Stands for those of them that come from one network. */
export const asManyOfNetwork = (entry: Entry): Entry => ofMany(entry, networkOf(entry))

/** The IPv4 address or /48 of IPv6 from which it came; null: from many. */
export function networkOf({ caller: { ip } }: Entry): string | null {
  const [address = ''] = ip?.split('/') ?? []
  return ip === null ? null : networkKey(address)
}

/** How many callers an entry stands for: one, those of a network, or any. */
export const SPANS = ['caller', 'network', 'all'] as const
export type Span = (typeof SPANS)[number]

export function spanOf({ caller }: Entry): Span {
  if (caller.actor !== MANY) return 'caller'
  return caller.ip === null ? 'all' : 'network'
}

/** Whoever anybody may become, as many as there are. */
const nameOf = ({ caller: { actor, productId } }: Entry): string | null =>
  actor.kind === 'install' || actor.kind === 'user' ? `${actor.credential} ${productId}` : null

/**
 * The entries as they are, but for an install or user that calls from many addresses at once: what is from most of them
 * is told together.
 */
export const fromFewAddresses = (entries: Iterable<Entry>): Entry[] =>
  [...Map.groupBy(entries, nameOf)].flatMap(([name, its]) => {
    const [other, ...others] = name === null ? [] : its.slice(MOST_ADDRESSES)
    if (!other) return its
    for (const { count } of others) other.count += count
    other.caller = { ...other.caller, ip: null, requestId: null }
    return its.slice(0, MOST_ADDRESSES + 1)
  })

const auditOf = ({ action, caller, details, count }: Entry): Audited => ({
  action,
  ...caller,
  details: { count, ...details },
})

/** A row for each; installs that were let in, which come in thousands, share one where they are many of a product. */
export function rowsOf(entries: readonly Entry[]): Audited[] {
  const isShared = ({ action, caller }: Entry) => action === LET_IN && caller.actor.kind === 'install'
  const rows = entries.filter((entry) => !isShared(entry)).map(auditOf)
  const products = Map.groupBy(entries.filter(isShared), ({ caller }) => caller.productId)
  for (const [productId, installs] of products) {
    for (let at = 0; at < installs.length; at += MOST_SHARING) {
      const page = installs.slice(at, at + MOST_SHARING)
      if (page.length < FEWEST_SHARING) rows.push(...page.map(auditOf))
      else rows.push(sharedRow(productId, page))
    }
  }
  return rows
}

/** Who, from where, by which request and how often stands in its details, for each. */
const sharedRow = (productId: number | null, entries: readonly Entry[]): Audited => ({
  action: LET_IN,
  actor: { kind: 'install', id: 0, credential: 'several' },
  productId,
  ip: null,
  requestId: null,
  details: {
    count: entries.reduce((sum, { count }) => sum + count, 0),
    callers: entries.map(({ caller, count }) => [
      caller.actor.credential,
      caller.ip,
      caller.requestId,
      count,
    ]),
  },
})
