import { createHash, createHmac } from 'node:crypto'
import type { Call } from './client.ts'

/** The keys of an entity and the id it signs with. */
export interface Signer {
  readonly id: number | string
  readonly publicKey: string
  readonly secretKey: string
}

export interface Signing {
  readonly scheme?: 'FS' | 'FSP'
  /** Exactly as it is signed and sent. */
  readonly date: string
  /** The content type in the signature; null: an empty line. */
  readonly signedType: string | null
  /** The content type that is sent, null for none. Default: the one that is signed. */
  readonly sentType?: string | null
  /** Default: lower-case hex of the body's MD5, empty without a body. */
  readonly md5?: string
}

/**
 * Signs as `docs/interface.md` 2.2 says, written from the text alone so that it checks the server's own
 * reading: HMAC-SHA256 over five lines, its hex text in base64url without padding.
 */
export function signature(secret: string, lines: readonly string[]): string {
  const hex = createHmac('sha256', secret).update(lines.join('\n')).digest('hex')
  return Buffer.from(hex, 'ascii').toString('base64url')
}

export const md5 = (body: string | Buffer) => createHash('md5').update(body).digest('hex')

/** The call with its headers of a signed request. */
export function signed(signer: Signer, call: Call, signing: Signing): Call {
  const { scheme = 'FS', date, signedType, sentType = signedType } = signing
  const digest = signing.md5 ?? (call.body === undefined || call.body.length === 0 ? '' : md5(call.body))
  const [path = ''] = call.path.split('?')
  const secret = scheme === 'FSP' ? signer.publicKey : signer.secretKey
  const text = signature(secret, [call.method, digest, signedType ?? '', date, path])
  return {
    ...call,
    headers: {
      ...call.headers,
      date,
      authorization: `${scheme} ${signer.id}:${signer.publicKey}:${text}`,
      ...(digest !== '' && { 'content-md5': digest }),
      ...(sentType !== null && { 'content-type': sentType }),
    },
  }
}

/** The call with its signature in the query: no content type, no MD5 (`docs/interface.md` 2.5). */
export function signedInQuery(signer: Signer, call: Call, date: string): Call {
  const [path = '', query] = call.path.split('?')
  const text = signature(signer.secretKey, [call.method, '', '', date, path])
  const parameters = new URLSearchParams(query)
  parameters.set('authorization', `FS ${signer.id}:${signer.publicKey}:${text}`)
  parameters.set('auth_date', date)
  return { ...call, path: `${path}?${parameters}` }
}
