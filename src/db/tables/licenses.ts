import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag, Sealed } from './columns.ts'

/** 0 production, 1 sandbox. */
export type Environment = 0 | 1

/** The right to use a plan of a product on so many installs until some time. */
export interface LicensesTable extends Entity {
  product_id: number
  /** Null: nobody's yet. */
  user_id: number | null
  plan_id: number
  pricing_id: number | null
  /** The license of the bundle that opened this one. */
  parent_license_id: number | null
  /** Null: unlimited. */
  quota: number | null
  /** How many installs have `counted_as` production; kept by the statements that change those. */
  activated: number
  /** How many installs have `counted_as` local. */
  activated_local: number
  /** The first moment at which it is expired; null: never. */
  expiration: UtcTime | null
  secret_key: Sealed
  /** Keyed hash of the key, by which it is found (`docs/decisions.md` 3.5). */
  key_hash: string
  is_free_localhost: Flag
  is_block_features: Flag
  is_cancelled: Flag
  is_whitelabeled: Flag
  /** Issued for a trial, and so blocks its features when over. */
  is_trial: Flag
  environment: Environment
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: number
  /** Whether it was brought along, also where `source` is 0. */
  is_brought: Generated<Flag>
  /** 1: got for nothing for an address that was typed, and on no site since. */
  is_unproven: Generated<Flag>
  /** When a change by its key alone was first begun since it was renewed last, real time; null: none was. */
  key_change_at: Generated<UtcTime | null>
  /** How many of the notices about its end were given, the expiry itself included. */
  notice: number
  /** When the next one is due; null: none is. */
  notice_at: UtcTime | null
}

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
  with_payment_method: Flag
  canceled_at: UtcTime | null
  converted_at: UtcTime | null
  environment: Environment
  /** As of licenses. */
  notice: number
  notice_at: UtcTime | null
  /** 1: begun by who had not shown to be the user, by an address that was typed or by keys of own reach. */
  is_unproven: Generated<Flag>
  /** 1: begun on an install by keys of own reach, of which a user has one of a product. */
  is_by_key: Generated<Flag>
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
}
