import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

/** A public key as `license_keys.json` lists it. */
interface ListedKey {
  readonly kid: string
  readonly alg: string
  readonly public_key: string
}

export interface Verified {
  readonly valid: boolean
  readonly code: string
  readonly [key: string]: unknown
}

export interface Options {
  readonly publicKeys: readonly ListedKey[]
  readonly productId: string | number
  readonly uid?: string
  /** Unix seconds. */
  readonly now?: number
  readonly lastSeen?: number
}

export type Verify = (fileText: string, options: Options) => Promise<Verified>

/** The folder of the verifiers. */
export const CLIENTS = join(import.meta.dirname, '../../clients')

/** The verifier for JavaScript, which has no types of its own. */
export const { verify } = (await import(pathToFileURL(join(CLIENTS, 'license-file.mjs')).href)) as {
  readonly verify: Verify
}
