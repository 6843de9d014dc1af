import { join } from 'node:path'
import type { verify } from '../../clients/license-file.mjs'

export { verify, type Given as Options } from '../../clients/license-file.mjs'
export type Verify = typeof verify

/** What a verifier answers, in whichever language it is. */
export interface Verified {
  readonly valid: boolean
  readonly code: string
}

/** The folder of the verifiers. */
export const CLIENTS = join(import.meta.dirname, '../../clients')
