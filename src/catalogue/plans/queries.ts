import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { PlansTable } from '../../db/tables/plans.ts'
import { PLAN_COLUMNS } from './schema.ts'

const plans = (db: Reader, owner: Owner) => scoped(db, 'plans', owner).select().select(PLAN_COLUMNS)

export const findPlan = preparedFor((db, owner, { id }: { id: number }) =>
  plans(db, owner).where('plans.id', '=', id),
)

/** Every plan of the product, each with the product's order of them. */
export const listPlans = preparedFor((db, owner, _: object) =>
  plans(db, owner)
    .innerJoin('products', 'products.id', 'plans.product_id')
    .select(['products.plans as plan_order', 'products.default_plan_id', 'products.is_released']),
)

/** Adds a plan unless its product has one of this name; undefined then. */
export const insertPlan = (db: Writer, row: Insertable<PlansTable>) =>
  db
    .insertInto('plans')
    .values(row)
    .onConflict((conflict) => conflict.columns(['product_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** False when there is no such plan, or when another one of the product has the new name. */
export async function updatePlanRow(
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<PlansTable>,
): Promise<boolean> {
  let update = scopedWrite(db, 'plans', owner).update().set(change).where('plans.id', '=', id)
  const { name } = change
  if (name !== undefined) {
    update = update.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('plans as others')
            .select('others.id')
            .where('others.product_id', '=', owner.productId)
            .where('others.name', '=', name)
            .where('others.id', '!=', id),
        ),
      ),
    )
  }
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a plan without prices; its features' values go with it. False when there is none. */
export async function deletePlanRow(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'plans', owner)
    .delete()
    .where('plans.id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
