import { sql, type Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { Environment, TrialsTable } from '../../db/tables/licenses.ts'

/** Adds a trial unless its install, an earlier one of this uid and user, or the user by key has had one; undefined then. */
export const insertTrial = (db: Writer, row: Insertable<TrialsTable>) =>
  db
    .insertInto('trials')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findTrial = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'trials', owner).select().selectAll().where('trials.id', '=', id).executeTakeFirst()

/** An install with its keys, and by what its trials are found. */
export const findSite = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'installs', owner)
    .select()
    .select([
      'installs.id',
      'installs.uid',
      'installs.user_id',
      'installs.environment',
      'installs.reach',
      'installs.public_key',
      'installs.secret_key',
    ])
    .where('installs.id', '=', id)
    .executeTakeFirst()

interface Tried {
  readonly id: number
  readonly uid: string
  readonly user_id: number
  readonly environment: Environment
  /** Whether its keys are of own reach. */
  readonly isByKey: boolean
}

/**
 * Whether an install has had a trial, its own or one of the checkout, or an earlier one of its uid and user has; of one
 * with keys of own reach, whether its user has had one by such keys.
 */
export async function hasTried(
  db: Reader,
  owner: Owner,
  { id, uid, user_id: userId, environment, isByKey }: Tried,
): Promise<boolean> {
  const found = await scoped(db, 'trials', owner)
    .select()
    .select('trials.id')
    .where((or) =>
      or.or([
        or('trials.install_id', '=', id),
        or.and([
          or('trials.product_id', '=', owner.productId),
          or('trials.uid', '=', uid),
          or('trials.user_id', '=', userId),
        ]),
        or.and([
          or.lit(isByKey),
          or('trials.product_id', '=', owner.productId),
          or('trials.user_id', '=', userId),
          or('trials.environment', '=', environment),
          or('trials.is_by_key', '=', true),
        ]),
        or('trials.id', 'in', triedOn(db, 'install_id', id)),
        or('trials.id', 'in', triedOn(db, 'user_id', userId).where('tried_sites.uid', '=', uid)),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

const triedOn = (db: Reader, by: 'install_id' | 'user_id', id: number) =>
  unscoped(db, 'of an install that a scoped query has found')
    .selectFrom('tried_sites')
    .select('tried_sites.trial_id')
    .where(`tried_sites.${by}`, '=', id)

/**
 * Notes that a site uses the trial of the checkout that a license, or that of its bundle, is for; whether it is the
 * first time. The unique index keeps one row of each site.
 */
export async function noteTriedSite(
  db: Writer,
  { id, parent_license_id: parentId }: { readonly id: number; readonly parent_license_id: number | null },
  site: { readonly id: number; readonly user_id: number; readonly uid: string },
): Promise<boolean> {
  const noted = await unscoped(db, 'a license and an install that the caller holds')
    .insertInto('tried_sites')
    .columns(['trial_id', 'user_id', 'uid', 'install_id'])
    .expression(({ selectFrom }) =>
      selectFrom('trials')
        .select(['trials.id'])
        .select(() => [
          sql<number>`cast(${site.user_id} as bigint)`.as('user_id'),
          sql<string>`cast(${site.uid} as text)`.as('uid'),
          sql<number>`cast(${site.id} as bigint)`.as('install_id'),
        ])
        .where('trials.license_id', 'in', inList(parentId === null ? [id] : [id, parentId]))
        .where('trials.install_id', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('trial_id')
    .execute()
  return noted.length > 0
}
