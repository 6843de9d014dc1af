import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** What of a product says how its archives are read and built; whether it has a price, and a plan without one. */
export const findDeployed = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner)
    .select()
    .select(['slug', 'type', 'type_alias', 'kind', 'is_sdk_required'])
    .select((eb) =>
      eb
        .exists(
          scoped(db, 'pricing', owner)
            .select()
            .select(sql<number>`1`.as('one')),
        )
        .$castTo<boolean>()
        .as('is_sold'),
    )
    .select((eb) =>
      eb
        .exists(
          scoped(db, 'plans', owner)
            .select()
            .select(sql<number>`1`.as('one'))
            .where((is) =>
              is.not(
                is.exists(
                  scoped(db, 'pricing', owner)
                    .select()
                    .select(sql<number>`1`.as('one'))
                    .where('pricing.plan_id', '=', sql.ref<number>('plans.id')),
                ),
              ),
            ),
        )
        .$castTo<boolean>()
        .as('has_free_plan'),
    )
    .executeTakeFirst()

/** How many users have a license that is active at `now`. */
export async function countLicensedUsers(db: Reader, owner: Owner, now: UtcTime): Promise<number> {
  const row = await scoped(db, 'licenses', owner)
    .select()
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('count'))
    .where('environment', '=', 0)
    .where('is_cancelled', '=', false)
    .where((is) => is.or([is('expiration', 'is', null), is('expiration', '>', now)]))
    .executeTakeFirstOrThrow()
  return row.count
}
