import type { Generated } from 'kysely'
import type { LICENSE } from '../../licensing/licenses/license.entity.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ColumnsOf, Entity, Sealed } from './columns.ts'

/** 0 production, 1 sandbox. */
export type Environment = 0 | 1

/** The right to use a plan of a product; its columns are described with the noun. */
export interface LicensesTable extends ColumnsOf<(typeof LICENSE)['fields']> {}

/** A site that a license may be active on (`allow`), may not (`deny`), or that counts as local (`local`). */
export interface LicenseSitesTable {
  id: Generated<number>
  product_id: number
  license_id: number
  kind: 'allow' | 'deny' | 'local'
  pattern: string
  created: UtcTime
}

/**
 * One trial of an install, of which it has one in its life, and a uid of a user one, whichever install has it; or of a
 * buyer at the checkout, who has one of a product.
 */
export interface TrialsTable extends Entity {
  product_id: number
  user_id: number
  /** Null: it was deleted, or the trial is of the checkout. */
  install_id: number | null
  /** The uid that the install had; of a trial of the checkout `checkout:` and its environment. */
  uid: string
  plan_id: number
  license_id: number | null
  payment_id: number | null
  subscription_id: number | null
  /** On the clock of its environment, as its end. */
  started_at: UtcTime
  trial_ends_at: UtcTime
  with_payment_method: boolean
  canceled_at: UtcTime | null
  converted_at: UtcTime | null
  environment: Environment
  /** As of licenses. */
  notice: number
  notice_at: UtcTime | null
  /** 1: begun by who had not shown to be the user, by an address that was typed or by keys of own reach. */
  is_unproven: Generated<boolean>
  /** 1: begun on an install by keys of own reach, of which a user has one of a product. */
  is_by_key: Generated<boolean>
}

/** On which sites a trial of the checkout was used, once each. */
export interface TriedSitesTable {
  id: Generated<number>
  trial_id: number
  /** Of the install, as its uid is. */
  user_id: number
  uid: string
  /** Null: it was deleted. */
  install_id: number | null
}

/** What a person that was known already must confirm by a mailed link before it is done (`docs/decisions.md` 3.1). */
export interface PendingActivationsTable {
  id: Generated<number>
  product_id: number
  /** Null: nobody had the address when it was asked for; who that is stands in `work`. */
  user_id: number | null
  token_hash: string
  /** Sealed JSON: what to do. */
  work: Sealed
  used_at: UtcTime | null
  expires_at: UtcTime
  created: UtcTime
}

/** Proofs that a call carried, such as `s_ctx_secure`, and that no other call may carry again. */
export interface UsedProofsTable {
  proof_hash: string
  expires_at: UtcTime
  /** Until when it may be carried again; null: never. */
  again_until: UtcTime | null
}
