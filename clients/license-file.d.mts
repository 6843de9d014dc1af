/** The types of `license-file.mjs`, for software in TypeScript. */

/** A public key as `license_keys.json` lists it. */
export interface ListedKey {
  readonly kid: string
  readonly alg: string
  readonly public_key: string
}

export interface Given {
  readonly publicKeys: readonly ListedKey[]
  readonly productId: string | number
  /** What this install calls itself; a file that is bound to one is bad without. */
  readonly uid?: string | undefined
  /** Unix seconds; absent: this machine's clock. */
  readonly now?: number | undefined
  /** The latest `now` of an earlier call, if any. */
  readonly lastSeen?: number | null | undefined
}

/** What a file says; `docs/license-files.md` explains it. */
export interface LicenseFile {
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
  /** Unix seconds. */
  readonly issued: number
  /** Unix seconds: the first at which it is no longer good. */
  readonly expires: number
  /** Seconds that were asked for. */
  readonly ttl: number
}

/** Why a file is not good. */
export type Fault =
  | 'malformed'
  | 'unknown_algorithm'
  | 'unknown_key'
  | 'invalid_signature'
  | 'wrong_product'
  | 'wrong_machine'
  | 'clock_rolled_back'
  | 'expired'

export type Verified =
  | ({ readonly valid: true; readonly code: 'valid' } & LicenseFile)
  | { readonly valid: false; readonly code: Fault }

/** Says whether a license file is good here and now; throws where Web Crypto has no Ed25519. */
export function verify(fileText: string, given: Given): Promise<Verified>
