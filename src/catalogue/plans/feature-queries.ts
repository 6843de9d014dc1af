import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { FeaturesTable, FeatureValuesTable } from '../../db/tables/plans.ts'
import { FEATURE_COLUMNS } from './feature-schema.ts'

const features = (db: Reader, owner: Owner) => scoped(db, 'features', owner).select().select(FEATURE_COLUMNS)

export const findFeature = preparedFor((db, owner, { id }: { id: number }) =>
  features(db, owner).where('features.id', '=', id),
)

/** Every feature of the product, each with the product's order of them. */
export const listFeatures = preparedFor((db, owner, _: object) =>
  features(db, owner)
    .innerJoin('products', 'products.id', 'features.product_id')
    .select('products.features as feature_order'),
)

export const insertFeature = (db: Writer, row: Insertable<FeaturesTable>) =>
  db.insertInto('features').values(row).returningAll().executeTakeFirstOrThrow()

export const updateFeatureRow = (db: Writer, owner: Owner, id: number, change: Updateable<FeaturesTable>) =>
  scopedWrite(db, 'features', owner).update().set(change).where('id', '=', id).execute()

/** Removes a feature, and with it its values in plans; false when there is none. */
export async function deleteFeatureRow(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'features', owner)
    .delete()
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Gives a plan a feature, or another value of it. */
export const upsertFeatureValue = (db: Writer, row: Insertable<FeatureValuesTable>) =>
  db
    .insertInto('feature_values')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['product_id', 'plan_id', 'feature_id'])
        .doUpdateSet({ value: row.value, updated: row.created }),
    )
    .execute()

/** Takes a feature from a plan; false when it does not have it. */
export async function deleteFeatureValue(
  db: Writer,
  owner: Owner,
  { planId, featureId }: { readonly planId: number; readonly featureId: number },
): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'feature_values', owner)
    .delete()
    .where('plan_id', '=', planId)
    .where('feature_id', '=', featureId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
