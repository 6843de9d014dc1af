import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { PricingTable } from '../../db/tables/plans.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Currency } from '../../lib/money.ts'
import type { PricingRow } from './pricing-schema.ts'
import { LICENSES_IN_ORDER } from './pricing-rows.ts'

export const findPricing = preparedFor((db, owner, { planId, id }: { planId: number; id: number }) =>
  scoped(db, 'pricing', owner).select().selectAll().where('id', '=', id).where('plan_id', '=', planId),
)

/** A price whatever plan it is of. */
export const findPrice = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'pricing', owner).select().selectAll().where('id', '=', id),
)

export interface PricingPage {
  readonly planId: number
  /** What their columns must have. */
  readonly equal: Partial<PricingRow>
  readonly count: number
  readonly offset: number
}

export function listPricing(db: Reader, owner: Owner, { planId, equal, count, offset }: PricingPage) {
  const prices = scoped(db, 'pricing', owner).select().selectAll().where('plan_id', '=', planId)
  return whereEqual(prices, 'pricing', equal)
    .orderBy(LICENSES_IN_ORDER)
    .orderBy('id')
    .limit(count)
    .offset(offset)
    .execute()
}

/** In which currencies the product has prices. */
export const listCurrencies = preparedFor((db, owner, _: object) =>
  scoped(db, 'pricing', owner).select().select('currency').distinct(),
)

/** Adds a price unless its plan has one for this number of licenses in this currency; undefined then. */
export const insertPricing = (db: Writer, row: Insertable<PricingTable>) =>
  db
    .insertInto('pricing')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

type Place = Pick<PricingRow, 'plan_id' | 'currency' | 'licenses'>

/** False when there is no such price, or `place`, where it is to go, is that of another one. */
export async function updatePricingRow(
  db: Writer,
  owner: Owner,
  { id, place, change }: { id: number; place: Place | null; change: Updateable<PricingTable> },
): Promise<boolean> {
  let update = scopedWrite(db, 'pricing', owner).update().set(change).where('pricing.id', '=', id)
  if (place !== null) {
    update = update.set({ twin_of: 0 }).where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pricing as others')
            .select('others.id')
            .where('others.plan_id', '=', place.plan_id)
            .where('others.currency', '=', place.currency)
            .where(sql<boolean>`coalesce(others.licenses, 0) = ${place.licenses ?? 0}`)
            .where('others.id', '!=', id),
        ),
      ),
    )
  }
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a price; false when the plan has no such one, or has it no more. */
export async function deletePricingRow(
  db: Writer,
  owner: Owner,
  { planId, id }: { readonly planId: number; readonly id: number },
): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'pricing', owner)
    .delete()
    .where('id', '=', id)
    .where('plan_id', '=', planId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes every price of a plan; returns their ids. */
export const deletePricingOf = (db: Writer, owner: Owner, planId: number) =>
  scopedWrite(db, 'pricing', owner).delete().where('plan_id', '=', planId).returning('id').execute()

export interface Cloning {
  readonly planId: number
  readonly from: Currency
  readonly to: Currency
  readonly now: UtcTime
}

/**
 * Copies a plan's prices into another currency, amount for amount, but for numbers of licenses that have a
 * price there already. One statement, so that it sees only the prices from before it.
 */
export const clonePricingRows = (db: Writer, owner: Owner, { planId, from, to, now }: Cloning) =>
  db
    .insertInto('pricing')
    .columns([
      'product_id',
      'plan_id',
      'currency',
      'licenses',
      'monthly_price',
      'annual_price',
      'lifetime_price',
      'is_whitelabeled',
      'is_hidden',
      'created',
    ])
    .expression(
      scoped(db, 'pricing', owner)
        .select()
        .select([
          'pricing.product_id',
          'pricing.plan_id',
          sql<Currency>`cast(${to} as text)`.as('currency'),
          'pricing.licenses',
          'pricing.monthly_price',
          'pricing.annual_price',
          'pricing.lifetime_price',
          'pricing.is_whitelabeled',
          'pricing.is_hidden',
          sql<UtcTime>`cast(${now} as text)`.as('created'),
        ])
        .where('pricing.plan_id', '=', planId)
        .where('pricing.currency', '=', from)
        .where('pricing.twin_of', '=', 0)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('pricing as known')
                .select('known.id')
                .whereRef('known.plan_id', '=', 'pricing.plan_id')
                .where('known.currency', '=', to)
                .where(sql<boolean>`coalesce(known.licenses, 0) = coalesce(pricing.licenses, 0)`),
            ),
          ),
        )
        .orderBy('pricing.id'),
    )
    .returningAll()
    .execute()
