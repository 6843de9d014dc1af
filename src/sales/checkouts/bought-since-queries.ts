import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { fold } from '../../lib/fold.ts'
import type { CheckoutRow } from './schema.ts'
import type { ReportedCharge } from '../charges/reported-charge-rows.ts'
import { provenNameOf } from './purchase.ts'

const isGiftOfTyped = sql<boolean>`exists (select 1 from licenses
  where licenses.id = checkouts.license_id and licenses.is_unproven = 1)`

/** Whether the address of a checkout pays the same in another one, from whatever place, with a proof or without. */
export async function isPaidElsewhere(db: Reader, { id, email, ...row }: CheckoutRow): Promise<boolean> {
  const name = provenNameOf(row)
  const found = await unscoped(db, 'an address has the same under way in any of its checkouts')
    .selectFrom('checkout_guards')
    .innerJoin('checkouts', 'checkouts.id', 'checkout_guards.checkout_id')
    .select('checkouts.id')
    .where('checkout_guards.email_folded', '=', fold(email))
    .where((or) =>
      or.or([or('checkout_guards.name', '=', name), or('checkout_guards.name', 'like', `${name}:%`)]),
    )
    .where('checkouts.id', '<>', id)
    .where('checkouts.state', '=', 'paying')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * What the buyer of a checkout has bought of the same price and cycle in another one since a charge was made, whoever of
 * both has proven to be that buyer; of two sites it is not the same. What anybody could have got for nothing for the
 * address does not count.
 */
export async function findBoughtSince(db: Reader, row: CheckoutRow, charge: ReportedCharge) {
  const reason = 'a purchase is held against the others of its buyer, in its own product'
  const isOfAddress = sql<boolean>`checkouts.user_id in (select users.id from users
    where users.developer_id = ${charge.developer_id} and users.email_folded = ${fold(row.email)})`
  const query = unscoped(db, reason)
    .selectFrom('checkouts')
    .select(['checkouts.user_id', 'checkouts.license_id'])
    .where('checkouts.product_id', '=', row.product_id)
    .where('checkouts.pricing_id', '=', row.pricing_id)
    .where('checkouts.billing_cycle', '=', row.billing_cycle)
    .where('checkouts.environment', '=', row.environment)
    .where('checkouts.action', '=', 'purchase')
    .where('checkouts.state', '=', 'paid')
    .where('checkouts.id', '<>', row.id)
    .where(row.user_id === null ? isOfAddress : sql<boolean>`checkouts.user_id = ${row.user_id}`)
    // A clock that was ahead may have dated the charge.
    .where((or) =>
      or.or([or('checkouts.updated', '>=', charge.created), or('checkouts.charge_id', '>', charge.id)]),
    )
    .where((not) => not.not(isGiftOfTyped))
  const ofSite =
    row.install_id === null
      ? query
      : query.where((or) =>
          or.or([or('checkouts.install_id', 'is', null), or('checkouts.install_id', '=', row.install_id)]),
        )
  return ofSite.orderBy('checkouts.id').limit(1).executeTakeFirst()
}
