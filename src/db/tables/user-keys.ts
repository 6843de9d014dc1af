import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { BillingTable } from './billing.ts'
import type { KeyPairColumns } from './columns.ts'

/**
 * How far keys reach: everything of a user in a product, or only what came by these keys (`docs/decisions.md` 3.12).
 */
export type Reach = 'whole' | 'own'

/** A key pair that was handed out for a user of a product, beside the one that its seller is shown. */
export interface UserKeysTable extends KeyPairColumns {
  id: Generated<number>
  product_id: number
  user_id: number
  /** The install that it is handed out to, each time; null: to none any more. */
  install_id: number | null
  reach: Reach
  /**
   * Of whole reach: the product whose pair was the proof, beyond which it opens nothing (`docs/decisions.md` 3.20);
   * null: the address was.
   */
  proof_product_id: number | null
  /** The address that its holder said when it was handed out, which it may therefore read; null: none. */
  email_folded: string | null
  created: UtcTime
}

/** The installs that were made with a pair. */
export interface UserKeyInstallsTable {
  user_key_id: number
  install_id: number
  /** The keys of the install have the reach of the pair. */
  signs: boolean
}

/** The licenses whose key the holder of a pair has shown; their children are in its reach too. */
export interface UserKeyLicensesTable {
  user_key_id: number
  license_id: number
}

/** The billing address that the holder of a pair says, which is not the person's. */
export interface UserKeyBillingTable extends Omit<BillingTable, 'user_id'> {
  user_key_id: number
}
