import { randomUUID } from 'node:crypto'
import { sameText } from './credentials.ts'
import type { Keyring } from './keyring.ts'
import { SECOND } from './time.ts'

/** What a token is good for; each purpose has a key of its own, so that no token passes for another. */
export type TokenPurpose =
  | 'checkout'
  | 'checkout.license'
  | 'checkout.cart'
  | 'checkout.receipt'
  | 'checkout.resend'
  | 'portal'
  | 'cart.unsubscribe'
  | 'download'
  | 'export'
  | 'sandbox'
  | 'sign_in'
  | 'password'

export interface TokenClaims {
  /** The purpose. */
  readonly aud: string
  /** Unix seconds. */
  readonly iat: number
  /** Unix seconds; the token works before, not at it. Absent: it works always. */
  readonly exp?: number
  /** One of its kind, by which a token is known that may be used up. */
  readonly jti: string
  readonly [name: string]: unknown
}

interface Issue {
  readonly purpose: TokenPurpose
  /** Ids as text. */
  readonly claims: Readonly<Record<string, string | boolean>>
  /** Milliseconds since the epoch, real time. */
  readonly now: number
  /** Null: it works always. */
  readonly lastsMs: number | null
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The only header there is: no token chooses how it is checked. */
const HEADER = encoded({ alg: 'HS256', typ: 'JWT' })

/** Longer ones are not looked at. */
const MAX_LENGTH = 2_048

/** How far the clock of the process that issued a token may be ahead of this one's. */
const SKEW_SECONDS = 5

/** A token in the form of a JWT (HS256), under the server's secret. */
export function issueToken(keys: Keyring, { purpose, claims, now, lastsMs }: Issue): string {
  const iat = Math.floor(now / SECOND)
  const exp = lastsMs === null ? {} : { exp: iat + Math.floor(lastsMs / SECOND) }
  const signed = `${HEADER}.${encoded({ ...claims, aud: purpose, iat, ...exp, jti: randomUUID() })}`
  return `${signed}.${signatureOf(keys.keyedHash(signed, keyOf(purpose)))}`
}

/**
 * What a token says that was issued for a purpose and works at `now`; null for any other text
 * (`docs/security-checks.md` S15). Those of secrets before the present one work too.
 */
export function readToken(
  keys: Keyring,
  token: string,
  { purpose, now }: Pick<Issue, 'purpose' | 'now'>,
): TokenClaims | null {
  const claims = claimsOf(keys, token, purpose)
  if (!claims) return null
  const seconds = now / SECOND
  const isInTime = seconds >= claims.iat - SKEW_SECONDS && (claims.exp === undefined || seconds < claims.exp)
  return isInTime ? claims : null
}

/** What a token says that was issued for a purpose, whether it works still or is over; null for any other text. */
export function claimsOf(keys: Keyring, token: string, purpose: TokenPurpose): TokenClaims | null {
  const [header = '', payload = '', signature = '', ...rest] = token.slice(0, MAX_LENGTH + 1).split('.')
  if (token.length > MAX_LENGTH || header !== HEADER || rest.length > 0) return null
  const hashes = keys.keyedHashes(`${header}.${payload}`, keyOf(purpose))
  if (!hashes.some((hash) => sameText(signatureOf(hash), signature))) return null
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims
  return claims.aud === purpose ? claims : null
}

const keyOf = (purpose: TokenPurpose) => `token:${purpose}`

const signatureOf = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
