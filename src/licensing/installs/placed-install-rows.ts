import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

/** Holds the install that a user has by this uid until the end of the transaction. */
export const holdInstallOfUid = (
  db: Writer,
  { productId, userId, uid }: { readonly productId: number; readonly userId: number; readonly uid: string },
) =>
  holding(
    db,
    unscoped(db, 'named by product, uid and user, by which it is unique')
      .selectFrom('installs')
      .selectAll()
      .where('product_id', '=', productId)
      .where('uid', '=', uid)
      .where('user_id', '=', userId),
  ).executeTakeFirst()

const freeDefaultPlan = prepared((db, { productId }: { productId: number }) =>
  unscoped(db, 'what a product says of its installs, whoever asks')
    .selectFrom('products')
    .innerJoin('plans', 'plans.id', 'products.default_plan_id')
    .select('plans.id')
    .where('products.id', '=', productId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('pricing').select('pricing.id').whereRef('pricing.plan_id', '=', 'plans.id'))),
    ),
)

/** The plan of an install without license: the product's default one where that costs nothing, else none. */
export const planWithoutLicense = async (db: Reader, productId: number): Promise<number | null> =>
  (await freeDefaultPlan(db, { productId }))[0]?.id ?? null
