import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto'

/** RFC 8032, section 5.1; the only algorithm that verifiers know. */
export const FILE_ALGORITHM = 'Ed25519'
/** Signed before everything else, so that no other signature of the same key passes for a license file. */
const DOMAIN = 'keywright-license-file/1'
const KID_LENGTH = 16
const LINE = /.{1,64}/g

/** A pair of keys that signs license files; both are 32 bytes in base64url. */
export interface FileKeyPair {
  /** 16 hex digits of the SHA-256 of the public key. */
  readonly kid: string
  readonly publicKey: string
  /** The seed of RFC 8032, from which the rest of the secret key follows. */
  readonly secretKey: string
}

/** What a license file says; `docs/license-files.md` explains it. Ids are text, instants whole Unix seconds. */
export interface LicenseFilePayload {
  readonly product: { readonly id: string; readonly title: string }
  readonly license: {
    readonly id: string
    /** Null: unlimited. */
    readonly quota: number | null
    /** `YYYY-MM-DD HH:MM:SS` in UTC; null: never. */
    readonly expiration: string | null
    readonly is_block_features: boolean
    readonly is_whitelabeled: boolean
    /** 0 production, 1 sandbox. */
    readonly environment: 0 | 1
  }
  readonly plan: { readonly id: string; readonly name: string; readonly title: string }
  readonly features: readonly { readonly id: string; readonly title: string; readonly value: string | null }[]
  /** The only install it is good for; null: any. */
  readonly uid: string | null
  readonly issued: number
  /** The first moment at which it is no longer good. */
  readonly expires: number
  /** Seconds it was asked for; a license that ends earlier ends the file too. */
  readonly ttl: number
}

/** Another pair of keys, from the system's randomness. */
export function newFileKeyPair(): FileKeyPair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
  return { kid: kidOf(x), publicKey: x, secretKey: d }
}

/** The name of a public key, the same for the same key. */
export const kidOf = (publicKey: string): string =>
  hash('sha256', Buffer.from(publicKey, 'base64url')).slice(0, KID_LENGTH)

/**
 * A license file: between its two lines the base64 of JSON `{alg, kid, payload, sig}`. What is signed is the
 * payload as it is sent, after the domain, the algorithm and the key's name, so that nobody has to write JSON
 * the same way twice.
 */
export function licenseFile(payload: LicenseFilePayload, { kid, publicKey, secretKey }: FileKeyPair): string {
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  const jwk = { kty: 'OKP', crv: FILE_ALGORITHM, x: publicKey, d: secretKey }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const sig = sign(null, signedBytes({ alg: FILE_ALGORITHM, kid, payload: text }), key).toString('base64url')
  return armored(JSON.stringify({ alg: FILE_ALGORITHM, kid, payload: text, sig }))
}

/** What the signature of an envelope covers. */
export const signedBytes = (envelope: { alg: string; kid: string; payload: string }): Buffer =>
  Buffer.from([DOMAIN, envelope.alg, envelope.kid, envelope.payload].join('\n'))

/** The two lines around the envelope's base64, 64 characters a line. */
export function armored(envelope: string): string {
  const lines = Buffer.from(envelope).toString('base64').match(LINE) ?? []
  return ['-----BEGIN LICENSE FILE-----', ...lines, '-----END LICENSE FILE-----', ''].join('\n')
}
