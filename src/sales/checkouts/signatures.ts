import { createHmac, hash } from 'node:crypto'
import { sameText } from '../../lib/credentials.ts'
import { isHttpUrl } from '../../lib/formats.ts'
import { SECOND } from '../../lib/time.ts'

/** What a sandbox token is made of; `context` is Unix seconds or any text that is used once. */
export interface SandboxContext {
  readonly context: string
  readonly productId: number
  readonly secretKey: string
  readonly publicKey: string
}

/** The token by which a seller opens a checkout in the sandbox (`docs/interface.md` 2.8). */
export const sandboxToken = ({ context, productId, secretKey, publicKey }: SandboxContext): string =>
  hash('md5', `${context}${productId}${secretKey}${publicKey}checkout`)

/** Whether a text is the sandbox token of this context. */
export const isSandboxToken = (token: string, of: SandboxContext): boolean =>
  sameText(token, sandboxToken(of))

/** Unix seconds or milliseconds in a context that says when its token was made; null: it says no time. */
export function timeOfContext(context: string): number | null {
  if (/^\d{9,11}(\.\d{1,9})?$/.test(context)) return Math.floor(Number(context) * SECOND)
  return /^\d{12,14}$/.test(context) ? Number(context) : null
}

/** What the address after a checkout says, in the order in which it is written; null and undefined are left out. */
export type RedirectValues = Readonly<Record<string, string | number | null | undefined>>

/**
 * The signed address a buyer is led to after a checkout: the values are added to the query of `target`, with `+` for
 * a space, and the signature is the last (`docs/interface.md` 8.4).
 */
export function signedRedirect(target: string, values: RedirectValues, secretKey: string): string {
  const url = new URL(target)
  url.searchParams.delete('signature')
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value))
  }
  const text = url.href.slice(0, url.href.length - url.hash.length)
  return `${text}&signature=${redirectSignature(text.replaceAll('%20', '+'), secretKey)}${url.hash}`
}

/** Hex HMAC-SHA256 of an address up to its signature. */
export const redirectSignature = (address: string, secretKey: string): string =>
  createHmac('sha256', secretKey).update(address).digest('hex')

/**
 * Whether a checkout may lead there: an https address on one of the product's hosts, the host compared as browsers
 * read it (`docs/decisions.md` 3.10, `docs/security-checks.md` S27). `development` allows http on this machine.
 */
export function isRedirectTarget(
  target: string,
  hosts: readonly string[],
  { isDevelopment = false }: { readonly isDevelopment?: boolean } = {},
): boolean {
  if (!isHttpUrl(target)) return false
  const { protocol, host, hostname } = new URL(target)
  const isLocal = isDevelopment && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && hosts.includes(host)
}
