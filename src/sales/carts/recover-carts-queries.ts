import { sql } from 'kysely'
import { hasBought } from '../../db/bought.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { unscoped } from '../../db/scoped.ts'
import { MAILED } from '../../db/tables/carts.ts'
import type { Stage } from './cart-recovery.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { CartRow } from './schema.ts'
import type { DuePlace } from '../../db/waiting.ts'
import { FOUND } from './cart-stage-rows.ts'

const OF_CART = 'of the product and the address of a cart that the job has found'

/** Carts at which recovery is to look by now, those that wait longest first. */
export function cartsToRecover(db: Reader, place: DuePlace) {
  const query = unscoped(db, 'the job looks at the carts of every seller, or of one sandbox')
    .selectFrom('carts')
    .innerJoin('products', 'products.id', 'carts.product_id')
    .leftJoin('plans', 'plans.id', 'carts.plan_id')
    .selectAll('carts')
    .select([
      'products.developer_id',
      'products.enable_cart_recovery',
      'products.is_active',
      'products.recovery_url',
      'products.public_key as product_public_key',
      'plans.trial_period',
    ])
    .where('carts.recover_at', '<=', place.now)
    .where(notLeftAlone('recover-carts', place.real))
    .where((is) => is('carts.environment', '=', is.lit(place.environment)))
    .orderBy('carts.recover_at')
    .orderBy('carts.id')
    .limit(place.limit)
  return (place.environment === 0 ? query : query.where('carts.product_id', '=', place.productId)).execute()
}
export type CartToRecover = Awaited<ReturnType<typeof cartsToRecover>>[number]

/**
 * Whether who left a cart has bought the product since a time, also for nothing, on the clock of the cart; of a trial,
 * begun one too.
 */
export async function hasBoughtSince(
  db: Reader,
  { product_id: productId, environment, email_folded: emailFolded, is_trial }: CartRow,
  since: UtcTime,
): Promise<boolean> {
  const buyer = unscoped(db, OF_CART)
    .selectFrom('product_users')
    .select('product_users.user_id')
    .where('product_users.product_id', '=', productId)
    .where('product_users.email_folded', '=', emailFolded)
  const bought = buyer
    .innerJoin('payments', 'payments.user_id', 'product_users.user_id')
    .where('payments.product_id', '=', productId)
    .where('payments.environment', '=', environment)
    .where('payments.type', '=', 'payment')
    .where('payments.is_renewal', '=', false)
    .where('payments.processed_at', '>=', since)
    .where(hasBought)
    .limit(1)
  if (await bought.executeTakeFirst()) return true
  if (!is_trial) return false
  const tried = buyer
    .innerJoin('trials', 'trials.user_id', 'product_users.user_id')
    .where('trials.product_id', '=', productId)
    .where('trials.environment', '=', environment)
    .where('trials.started_at', '>=', since)
    .limit(1)
  return (await tried.executeTakeFirst()) !== undefined
}

/**
 * Whether a checkout of the cart, or of its address for the same product, is being paid and its gateway has not
 * decided.
 */
export async function isBeingPaid(
  db: Reader,
  { id, product_id: productId, environment, email_folded: emailFolded }: CartRow,
): Promise<boolean> {
  const found = await unscoped(db, OF_CART)
    .selectFrom('charges')
    .innerJoin('checkouts', 'checkouts.charge_id', 'charges.id')
    .leftJoin('checkout_guards', 'checkout_guards.checkout_id', 'checkouts.id')
    .select('charges.id')
    .where(
      sql<boolean>`charges.purpose in ('purchase', 'balance', 'setup') and charges.state in ('started', 'pending')`,
    )
    .where('charges.product_id', '=', productId)
    .where('charges.environment', '=', environment)
    .where('checkouts.state', '=', 'paying')
    .where((is) =>
      is.or([is('checkouts.cart_id', '=', id), is('checkout_guards.email_folded', '=', emailFolded)]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether another open cart of the address was mailed about. */
export async function isMailedElsewhere(
  db: Reader,
  { id, product_id: productId, environment, email_folded: emailFolded }: CartRow,
): Promise<boolean> {
  const found = await unscoped(db, OF_CART)
    .selectFrom('carts')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', environment)
    .where('email_folded', '=', emailFolded)
    .where('completed', 'is', null)
    .where('status', 'in', [...MAILED])
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Brings a cart to its next stage for this caller alone; undefined when somebody else did, or it has changed since it
 * was read.
 */
export const takeStage = (db: Writer, read: CartRow, { mail: _mail, ...stage }: Stage, updated: UtcTime) =>
  unscoped(db, FOUND)
    .updateTable('carts')
    .set({ ...stage, updated })
    .where('id', '=', read.id)
    .where('status', '=', read.status)
    .where('recover_at', '=', read.recover_at)
    .where('last_visit', '=', read.last_visit)
    .where('email', '=', read.email)
    .where('is_disabled', '=', read.is_disabled)
    .where('is_unsubscribed', '=', read.is_unsubscribed)
    .where('completed', 'is', null)
    .returningAll()
    .executeTakeFirst()
