import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import type { Config } from '../../config.ts'
import { networkCheck } from '../../lib/networks.ts'
import { addressIn, isLocalName, isPublicAddress } from '../../lib/public-address.ts'
import { SECOND } from '../../lib/time.ts'
import { nameResolver, type Resolve } from './names.ts'

const CONNECT_MS = 5 * SECOND
const HEADER_BYTES = 16 * 1024
const IDLE_MS = 4 * SECOND
const OLDEST_MS = 60 * SECOND

/** The address is none that may be called. */
export class AddressRefused extends Error {}

/** Which addresses may be called: public ones, those of the configuration, and in development this machine. */
function permittedBy({
  mode,
  webhookAllow,
}: Pick<Config, 'mode' | 'webhookAllow'>): (address: string) => boolean {
  const loopback = mode === 'development' ? ['127.0.0.0/8', '::1/128'] : []
  const isListed = networkCheck([...webhookAllow, ...loopback])
  return (address) => isPublicAddress(address) || isListed(address)
}

/** Whether a URL says by itself that it may not be called; what its name stands for is checked at each connection. */
export function isRefused(url: string, config: Pick<Config, 'mode' | 'webhookAllow'>): boolean {
  const isPermitted = permittedBy(config)
  const address = addressIn(url)
  if (address !== null) return !isPermitted(address)
  return isLocalName(new URL(url).hostname) && !isPermitted('127.0.0.1') && !isPermitted('::1')
}

interface Manner {
  readonly resolve?: Resolve
  /** No connection is used again that is older, so that its address is looked at anew. */
  readonly oldestMs?: number
}

/**
 * Connects only to addresses that may be called: a name is resolved once for a connection, and the connection goes to what
 * was checked (`docs/decisions.md` 6.8). It has no deadlines of its own but for the connection; the HTTP client is loaded
 * at the first call.
 */
export async function guardedAgent(
  config: Pick<Config, 'mode' | 'webhookAllow'>,
  { resolve = nameResolver(), oldestMs = OLDEST_MS }: Manner = {},
): Promise<Agent> {
  const isPermitted = permittedBy(config)
  const { Agent: Client, buildConnector } = await import('undici')
  const lookup = checkedLookup(isPermitted, resolve)
  const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, lookup })
  return new Client({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPermitted(host)) callback(refused(host), null)
      else connect(options, callback)
    },
    // Listeners at one address share nothing, and how many posts each has on their way is bound by its batches.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: oldestMs,
    clientTtl: oldestMs,
    // The deadline of a request is its only one.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_BYTES,
  })
}

const refused = (host: string) =>
  new AddressRefused(`${host} is no address of the internet, and KEYWRIGHT_WEBHOOK_ALLOW does not list it.`)

/** Hands on only the addresses that may be called. */
function checkedLookup(isPermitted: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (host, options, answer) => {
    const hand = (found: readonly LookupAddress[]) => {
      const permitted = found.filter(({ address }) => isPermitted(address))
      const [first] = permitted
      if (first === undefined) answer(refused(host), '', 0)
      else if (options.all) answer(null, permitted)
      else answer(null, first.address, first.family)
    }
    resolve(host).then(hand, (error: Error) => answer(error, '', 0))
  }
}
