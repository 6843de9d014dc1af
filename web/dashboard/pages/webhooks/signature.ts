/** What a receiver got, and the secret of the listener. */
export interface Got {
  readonly secret: string
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
}

/** How a signature stands: good, or why it is not. */
export type Verdict =
  'valid' | 'old' | 'bad_secret' | 'bad_timestamp' | 'no_signature' | 'no_match' | 'no_crypto'

const PREFIX = 'whsec_'
/** Seconds around now within which a receiver should take a message. */
export const TOLERANCE = 300

/**
 * Whether a message was signed with this secret, as Standard Webhooks has it; `now` in seconds. It is done here, so that
 * the secret goes nowhere.
 */
export async function judge({ secret, id, timestamp, signature, body }: Got, now: number): Promise<Verdict> {
  const key = secret.startsWith(PREFIX) ? bytesIn(secret.slice(PREFIX.length)) : null
  if (key === null || key.length === 0) return 'bad_secret'
  if (!/^\d{1,12}$/.test(timestamp)) return 'bad_timestamp'
  const given = signature.split(/\s+/).filter((one) => one.startsWith('v1,'))
  if (given.length === 0) return 'no_signature'
  // A page that came without TLS has none.
  const subtle = globalThis.crypto.subtle as typeof crypto.subtle | undefined
  if (!subtle) return 'no_crypto'
  const hmac = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const one of given) {
    const mac = bytesIn(one.slice('v1,'.length))
    if (mac !== null && (await subtle.verify('HMAC', hmac, mac, signed))) {
      return Math.abs(now - Number(timestamp)) <= TOLERANCE ? 'valid' : 'old'
    }
  }
  return 'no_match'
}

/** Bytes in base64; null: it is none. */
function bytesIn(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  } catch {
    return null
  }
}
