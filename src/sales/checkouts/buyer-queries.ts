import { sql } from 'kysely'
import { hasBought } from '../../db/bought.ts'
import type { Reader } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'

const COUPONS = 'what coupons ask of whoever buys, in the product that is bought'

interface Bought {
  readonly userId: number
  readonly productId: number
  readonly environment: 0 | 1
  /** Also what was got for nothing for an address that was typed, as long as its key is on no site. */
  readonly withUnproven: boolean
}

/** Of what cost nothing here and is joined with its license, which may have been erased. */
const isOfProven = sql<boolean>`licenses.is_unproven = 0`

/**
 * What coupons ask of a buyer, by the address; a person nobody knows has bought nothing. What was paid elsewhere was
 * brought along, whatever its source, and not bought here. A coupon of a store is redeemed in each of its products.
 */
export async function buyerFacts(
  db: Reader,
  owner: Owner,
  { emailFolded, ...asked }: Pick<Bought, 'environment' | 'withUnproven'> & { readonly emailFolded: string },
) {
  const user = await unscoped(db, COUPONS)
    .selectFrom('users')
    .innerJoin('products', 'products.developer_id', 'users.developer_id')
    .select('users.id')
    .where('products.id', '=', owner.productId)
    .where('users.email_folded', '=', emailFolded)
    .executeTakeFirst()
  if (!user) return null
  const buyer = { ...asked, userId: user.id, productId: owner.productId }
  const paid = await wherePaid(db, buyer)
  const redeemed = await unscoped(db, COUPONS)
    .selectFrom('coupon_redemptions')
    .select('coupon_redemptions.coupon_id')
    .where('coupon_redemptions.user_id', '=', user.id)
    .where('coupon_redemptions.environment', '=', asked.environment)
    .where((is) => (asked.withUnproven ? is.lit(true) : is('coupon_redemptions.license_id', 'is', null)))
    .execute()
  return {
    hasBought: paid.includes('here'),
    hasSubscription: await isSubscribed(db, buyer),
    isMigrated: paid.includes('elsewhere') || (await isBrought(db, buyer)),
    redeemed: new Set(redeemed.map(({ coupon_id: id }) => id)),
  }
}

/**
 * What a license was brought along with was charged by no gateway of ours; what could pay for nothing, and is given back,
 * has bought nothing.
 */
async function wherePaid(db: Reader, { userId, productId, environment, withUnproven }: Bought) {
  const rows = await unscoped(db, COUPONS)
    .selectFrom('payments')
    .leftJoin('licenses', 'licenses.id', 'payments.license_id')
    .select(['payments.source', 'payments.gateway', 'payments.payment_method_id', 'licenses.is_brought'])
    .distinct()
    .where('payments.user_id', '=', userId)
    .where('payments.product_id', '=', productId)
    .where('payments.environment', '=', environment)
    .where('payments.type', '=', 'payment')
    .where(hasBought)
    .where((is) =>
      withUnproven
        ? is.lit(true)
        : is.or([is('payments.gross', '>', 0), is('payments.source', '>', 0), isOfProven]),
    )
    .execute()
  return rows.map(({ source, gateway, payment_method_id: method, is_brought: brought }) =>
    source > 0 || (brought && gateway === null && method === null) ? 'elsewhere' : 'here',
  )
}

const isSubscribed = async (db: Reader, { userId, productId, environment, withUnproven }: Bought) =>
  (await unscoped(db, COUPONS)
    .selectFrom('subscriptions')
    .leftJoin('licenses', 'licenses.id', 'subscriptions.license_id')
    .select('subscriptions.id')
    .where('subscriptions.user_id', '=', userId)
    .where('subscriptions.product_id', '=', productId)
    .where('subscriptions.environment', '=', environment)
    .where('subscriptions.canceled_at', 'is', null)
    .where((is) =>
      withUnproven
        ? is.lit(true)
        : is.or([is('subscriptions.total_gross', '>', 0), is('subscriptions.source', '>', 0), isOfProven]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Whether a person was brought along, or a license of theirs. */
async function isBrought(db: Reader, { userId, productId, environment }: Bought): Promise<boolean> {
  const license = await unscoped(db, COUPONS)
    .selectFrom('licenses')
    .select('id')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .where('environment', '=', environment)
    .where('is_brought', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (license) return true
  const person = await unscoped(db, COUPONS)
    .selectFrom('product_users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .where('source', '>', 0)
    .executeTakeFirst()
  return person !== undefined
}
