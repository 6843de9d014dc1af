import { verify, type Given, type LicenseFile, type Verified } from '../../../../clients/license-file.mjs'
import type { LicenseKeys } from '../../../../src/licensing/license-files/schema.ts'

export type FileKey = LicenseKeys['keys'][number]

interface Product {
  readonly id: string
  readonly title: string
}

/** What a file is checked by. */
export interface Checking {
  /** The id of the product that the page is about. */
  readonly here: string
  /** Those of the account. */
  readonly products: readonly Product[]
  readonly keysOf: (product: string) => Promise<readonly FileKey[]>
  /** Unix seconds. */
  readonly now: number
}

/** How a file that is signed stands to the moment. */
type Time = 'valid' | 'expired' | 'early'

/** A file that is signed: what it says holds, wherever and whenever it is good. */
export interface Genuine {
  readonly verdict: Time | 'other_product'
  readonly time: Time
  /** As the account names it. */
  readonly product: Product
  readonly file: LicenseFile
  readonly signer: FileKey
}

/** A file whose signature does not hold, or cannot be checked: what it says may be anybody's. */
interface Unproven {
  readonly verdict: 'changed' | 'unknown_key' | 'foreign' | 'no_crypto'
  /** The name of the key that it says it is signed with. */
  readonly kid: string
  /** The product that it says it is of, by its name in the account where it has one. */
  readonly product: Product
  readonly says: unknown
}

/** What comes of a check. */
export type Outcome = Genuine | Unproven | { readonly verdict: 'no_file' | 'damaged' | 'unknown_algorithm' }

/** What every file has in its first line, however it was spoiled. */
const MARK = 'BEGIN LICENSE FILE'

/**
 * What a text is that a customer sends for a license file. The verifier that is given to software decides all of it, by
 * the keys of the product that the page is about, or of the one of the account that the file says it is of. It is asked
 * first whether the file is signed, at the time and for the machine that it names, then whether it is good now.
 */
export async function checkFile(text: string, checking: Checking): Promise<Outcome> {
  const { here, now } = checking
  const { code: form } = await verify(text, { publicKeys: [], productId: here })
  if (form === 'malformed') return { verdict: text.includes(MARK) ? 'damaged' : 'no_file' }
  if (form === 'unknown_algorithm') return { verdict: form }

  const { kid, says } = envelopeIn(text)
  const claim = claimsIn(says)
  const { product, keys } = await signersOf(kid, claim, checking)
  const unproven = (verdict: Unproven['verdict']): Unproven => ({ verdict, kid, product, says })
  if (keys === null) return unproven('foreign')
  const given = { publicKeys: keys, productId: product.id, uid: claim.uid }
  const proof = await verifying(text, { ...given, now: claim.issued })
  if (proof === null) return unproven('no_crypto')
  const signer = keys.find((one) => one.kid === kid)
  if (!signer || proof.code === 'unknown_key') return unproven('unknown_key')
  if (!proof.valid) return unproven('changed')
  const { valid: _, code: __, ...file } = proof
  const time = timeOf((await verify(text, { ...given, now })).code)
  return { verdict: product.id === here ? time : 'other_product', time, product, file, signer }
}

/** Of a file that is signed nothing but the time can be wrong. */
const timeOf = (code: Verified['code']): Time => (code === 'valid' || code === 'expired' ? code : 'early')

/** The product that a file is of, and the keys that may have signed it; null: the account has no such product. */
async function signersOf(kid: string, claim: Claim, { here, products, keysOf }: Checking) {
  const own = await keysOf(here)
  const isOurs = own.some((one) => one.kid === kid)
  const id = isOurs ? here : (claim.product ?? here)
  const known = products.find((one) => one.id === id)
  if (!known) return { product: { id, title: claim.title }, keys: null }
  return { product: known, keys: id === here ? own : await keysOf(id) }
}

/** As the verifier, and null where the browser has not what that needs. */
async function verifying(text: string, given: Given): Promise<Verified | null> {
  // A page that came without TLS has none.
  if (!(globalThis.crypto.subtle as typeof crypto.subtle | undefined)) return null
  try {
    return await verify(text, given)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null
    throw error
  }
}

/** The key that a file names and what it says, of one that is written as a file is; nothing of it is proven. */
function envelopeIn(text: string): { readonly kid: string; readonly says: unknown } {
  const envelope = JSON.parse(atob(text.replace(/-----[A-Z ]+-----|\s/g, ''))) as Record<string, string>
  return { kid: envelope['kid'] ?? '', says: payloadIn(envelope['payload'] ?? '') }
}

/** What is under the signature; null: it cannot be read. */
function payloadIn(base64url: string): unknown {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0))))
  } catch {
    return null
  }
}

/** What of it the check begins with; whoever wrote it may have put anything there. */
function claimsIn(says: unknown) {
  const claims = membersOf(says)
  const { id, title } = membersOf(claims['product'])
  return {
    product: typeof id === 'string' ? id : null,
    title: typeof title === 'string' ? title : '',
    uid: typeof claims['uid'] === 'string' ? claims['uid'] : undefined,
    issued: Number(claims['issued']),
  }
}

type Claim = ReturnType<typeof claimsIn>

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
