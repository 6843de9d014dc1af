import { preparedFor } from '../../db/prepared.ts'
import { scoped } from '../../db/scoped.ts'
import { FEATURE_COLUMNS } from './feature-schema.ts'

/** Every feature that a plan has, with its value and the product's order of features. */
export const listFeaturesOfPlan = preparedFor((db, owner, { planId }: { planId: number }) =>
  scoped(db, 'feature_values', owner)
    .select()
    .innerJoin('features', 'features.id', 'feature_values.feature_id')
    .innerJoin('products', 'products.id', 'feature_values.product_id')
    .select(FEATURE_COLUMNS)
    .select(['feature_values.plan_id', 'feature_values.value', 'products.features as feature_order'])
    .where('feature_values.plan_id', '=', planId),
)
