import { createHmac, hash } from 'node:crypto'
import { sameText } from './credentials.ts'

/** Who an Authorization text says the caller is; nothing is proved yet (`docs/interface.md` 2.1). */
export type Authorization =
  | { readonly scheme: 'Bearer'; readonly token: string }
  | {
      readonly scheme: 'FS' | 'FSP'
      readonly id: string
      readonly publicKey: string
      readonly signature: string
    }
  | { readonly scheme: 'FSA'; readonly id: string; readonly token: string }

/** What a signature covers, each as sent; absent headers are empty (`docs/interface.md` 2.2). */
export interface SignedParts {
  /** Upper case. */
  readonly method: string
  /** Lower-case hex MD5 of the body, or empty. */
  readonly contentMd5: string
  readonly contentType: string
  /** Exactly the text of the Date header or of `auth_date`. */
  readonly date: string
  /** The path as sent, from `/v1`, without the query. */
  readonly path: string
}

const BEARER = /^Bearer ([\x21-\x7e]+)$/
const SIGNED = /^(FSP?) ([1-9][0-9]{0,18}):([\x21-\x39\x3b-\x7e]+):([\x21-\x39\x3b-\x7e]+)$/
const ACCESS_TOKEN = /^FSA ([1-9][0-9]{0,18}):([\x21-\x7e]+)$/

/** Reads an Authorization header or `authorization` parameter; null when it has none of the four forms. */
export function parseAuthorization(text: string): Authorization | null {
  const [, bearer] = BEARER.exec(text) ?? []
  if (bearer !== undefined) return { scheme: 'Bearer', token: bearer }
  const [, accessId, token] = ACCESS_TOKEN.exec(text) ?? []
  if (accessId !== undefined && token !== undefined) return { scheme: 'FSA', id: accessId, token }
  const [, scheme, id, publicKey, signature] = SIGNED.exec(text) ?? []
  if (id === undefined || publicKey === undefined || signature === undefined) return null
  return { scheme: scheme === 'FSP' ? 'FSP' : 'FS', id, publicKey, signature }
}

/** The five lines that are signed (`docs/interface.md` 2.2). */
export const signedText = ({ method, contentMd5, contentType, date, path }: SignedParts): string =>
  [method, contentMd5, contentType, date, path].join('\n')

/** Unpadded base64url of the hex text of HMAC-SHA256 over the five lines. */
export function signatureOf(secret: string, parts: SignedParts): string {
  const hex = createHmac('sha256', secret).update(signedText(parts)).digest('hex')
  return Buffer.from(hex).toString('base64url')
}

/**
 * Whether `signature` is that of `parts`. Clients disagree on the content type they sign, so the one received,
 * the empty one and, for GET, `application/json` count (`docs/decisions.md` 3.6). Of a signature that does not fit all
 * are tried.
 */
export function isSignedBy(secret: string, parts: SignedParts, signature: string): boolean {
  const contentTypes = [parts.contentType, '', ...(parts.method === 'GET' ? ['application/json'] : [])]
  return contentTypes.some((contentType) =>
    sameText(signatureOf(secret, { ...parts, contentType }), signature),
  )
}

/** Lower-case hex MD5 of a body for the second line of a signature; empty for an empty body. */
export const contentMd5 = (bytes: Uint8Array): string => (bytes.length === 0 ? '' : hash('md5', bytes))
