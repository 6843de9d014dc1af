import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isCountry } from '../lib/countries.ts'
import { networkCheck } from '../lib/networks.ts'

/**
 * The country of a caller, ISO 3166-1 in upper case, as a proxy says that is trusted, in the header that the settings
 * name; null: nobody says it.
 */
export function countryReader({
  countryHeader,
  trustProxy,
}: Pick<Config, 'countryHeader' | 'trustProxy'>): (
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
) => string | null {
  if (!countryHeader || trustProxy.length === 0) return () => null
  const isTrusted = networkCheck(trustProxy)
  return ({ headers, socket }) => {
    const text = headers[countryHeader]
    if (typeof text !== 'string' || !isTrusted(socket.remoteAddress ?? '')) return null
    return isCountry(text) ? text.toUpperCase() : null
  }
}
