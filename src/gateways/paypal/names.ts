import { hash } from 'node:crypto'

/** PayPal's own limit for `PayPal-Request-Id` is 108, and what we put before a name is shorter than 10. */
const MAX = 90

/**
 * How a key of ours stands at PayPal, as request id, invoice id and custom id, which for refunds may have no colon:
 * `checkout:1:2` is `checkout,1,2`; one that does not fit is its hash.
 */
export const named = (key: string): string =>
  key.length <= MAX && /^[\w.:-]+$/.test(key) ? key.replaceAll(':', ',') : `sha256.${hash('sha256', key)}`

/** The key that stands there as `name`; null when the name does not tell it. */
export const keyOf = (name: string | undefined): string | null =>
  name === undefined || name === '' || /^(?:sha256|ended)\./.test(name) ? null : name.replaceAll(',', ':')
