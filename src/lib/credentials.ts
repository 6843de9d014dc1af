import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A public key and its secret key, each 32 characters (`docs/decisions.md` 3.4). */
export interface KeyPair {
  readonly publicKey: `pk_${string}`
  readonly secretKey: `sk_${string}`
}

/** Every base64url character carries six random bits, so a text cut to any length stays unbiased. */
const randomText = (length: number) =>
  randomBytes(Math.ceil((length * 6) / 8))
    .toString('base64url')
    .slice(0, length)

/** A product's bearer token: `kw_` and 40 random URL-safe characters, shown once (`docs/decisions.md` 3.3). */
export const newBearerToken = (): string => `kw_${randomText(40)}`

/** What an activation hands out: opens its own install only (`docs/decisions.md` 3.3). */
export const newInstallToken = (): string => `kwi_${randomText(40)}`

/** Whether a bearer token is an install's. */
export const isInstallToken = (token: string): boolean => token.startsWith('kwi_')

/** A license key: `sk_` and 29 URL-safe characters (`docs/decisions.md` 3.5). */
export const newLicenseKey = (): string => `sk_${randomText(29)}`

/** Keys of a developer, store, product, user or install: `pk_` or `sk_` and 29 URL-safe characters. */
export const newKeyPair = (): KeyPair => ({
  publicKey: `pk_${randomText(29)}`,
  secretKey: `sk_${randomText(29)}`,
})

/** 256 random bits for a session, link or access token (`docs/decisions.md` 3.8). */
export const newOpaqueToken = (): string => randomBytes(32).toString('base64url')

/** 192 random bits for a checkout; no command line reads one as an option, as none begins with a hyphen. */
export function newCheckoutToken(): string {
  const token = randomText(32)
  return token.startsWith('-') ? newCheckoutToken() : token
}

/** The form in which a random token is stored: hex SHA-256 (`docs/decisions.md` 3.3). */
export const hashToken = (token: string): string => hash('sha256', token)

/** Compares two texts in a time that says nothing about where they differ, whatever their lengths. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
