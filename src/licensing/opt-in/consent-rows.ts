import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'

const PROVEN = 'the secret of the pair is the proof, in the products of the client'

/** A product as its clients know it. */
export const findClientProduct = (db: Reader, id: number) =>
  unscoped(db, 'the client names the product, and has its public key compared')
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'parent_plugin_id', 'confirms_opt_in'])
    .where('id', '=', id)
    .executeTakeFirst()
export type ClientProduct = NonNullable<Awaited<ReturnType<typeof findClientProduct>>>

/** Pairs of own reach that are tried for a proof; it does not say which it was made with. */
const PAIRS_TRIED = 1_000

interface Prover {
  readonly userId: number
  readonly productIds: readonly number[]
  /** The sites that the proof comes with. */
  readonly uids: readonly string[]
}

/** The pairs of whole reach that a person has for some products; that which the seller is shown has no id. */
export const wholeKeysOf = (db: Reader, { userId, productIds }: Prover) =>
  unscoped(db, PROVEN)
    .selectFrom('product_users')
    .select(({ lit, ref }) => [
      lit(null).$castTo<number | null>().as('id'),
      'public_key',
      'secret_key',
      'reach',
      ref('product_id').$castTo<number | null>().as('proof_product_id'),
    ])
    .where('user_id', '=', userId)
    .where('product_id', 'in', inList(productIds))
    .where('reach', '=', 'whole')
    .unionAll(({ selectFrom }) =>
      selectFrom('user_keys')
        .select(({ ref }) => [
          ref('user_keys.id').$castTo<number | null>().as('id'),
          'public_key',
          'secret_key',
          'reach',
          'proof_product_id',
        ])
        .where('user_id', '=', userId)
        .where('product_id', 'in', inList(productIds))
        .where('reach', '=', 'whole'),
    )
    .execute()

const ownKeys = (db: Reader, { userId, productIds }: Prover) =>
  unscoped(db, PROVEN)
    .selectFrom('user_keys')
    .select(({ ref }) => [
      ref('user_keys.id').$castTo<number | null>().as('id'),
      'user_keys.public_key',
      'user_keys.secret_key',
      'user_keys.reach',
      'user_keys.proof_product_id',
    ])
    .where('user_keys.user_id', '=', userId)
    .where('user_keys.product_id', 'in', inList(productIds))
    .where('user_keys.reach', '=', 'own')

/** Those of own reach that the sites of a proof have. */
export const siteKeysOf = (db: Reader, prover: Prover) =>
  ownKeys(db, prover)
    .where('user_keys.id', 'in', ({ selectFrom }) =>
      selectFrom('user_key_installs')
        .innerJoin('installs', 'installs.id', 'user_key_installs.install_id')
        .select('user_key_installs.user_key_id')
        .where('installs.user_id', '=', prover.userId)
        .where('installs.product_id', 'in', inList(prover.productIds))
        .where('installs.uid', 'in', prover.uids.length > 0 ? [...prover.uids] : ['']),
    )
    .orderBy('user_keys.id')
    .limit(PAIRS_TRIED)
    .execute()

/** The oldest of own reach: whoever has a key may have any number handed out, and those push none of them out. */
export const oldestKeysOf = (db: Reader, prover: Prover) =>
  ownKeys(db, prover).orderBy('user_keys.id').limit(PAIRS_TRIED).execute()

/** Whether a person wants mail about a product; undefined when it is no user of it. */
export const consentOf = (db: Reader, userId: number, productId: number) =>
  unscoped(db, 'of the owner of a license whose key was given')
    .selectFrom('product_users')
    .select('is_marketing_allowed')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .executeTakeFirst()
