import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { LicenseKeysTable } from '../../db/tables/license-keys.ts'
import type { UtcTime } from '../../lib/time.ts'

/** The current key, the next one, then the retired ones whose files have not all run out, newest first. */
export const listKeys = (db: Reader, owner: Owner, now: UtcTime) =>
  scoped(db, 'license_keys', owner)
    .select()
    .selectAll()
    .where((eb) => eb.or([eb('state', '<>', 'retired'), eb('files_until', '>', now)]))
    .orderBy('state')
    .orderBy('id', 'desc')
    .execute()

const keyThatIs = (db: Writer, owner: Owner, state: 'current' | 'next') =>
  scopedWrite(db, 'license_keys', owner).update().where('state', '=', state)

/**
 * The current key, which from now on has signed something that is good until then; undefined when the product
 * has none. The row is held until the end of the transaction, so that a rotation waits for what it signs.
 */
export const signWithCurrentKey = (db: Writer, owner: Owner, until: UtcTime) =>
  keyThatIs(db, owner, 'current')
    .set((eb) => ({
      files_until: eb.case().when('files_until', '>', until).then(eb.ref('files_until')).else(until).end(),
    }))
    .returningAll()
    .executeTakeFirst()

/** A key whose row is held until the end of the transaction; undefined when the product has none. */
export const holdKey = (db: Writer, owner: Owner, state: 'current' | 'next') =>
  holding(
    db,
    scoped(db, 'license_keys', owner).select().selectAll().where('state', '=', state),
  ).executeTakeFirst()

/** Puts another pair in the row of a key, which stays the same row: who waits for it finds the pair. */
export const replaceKey = (
  db: Writer,
  owner: Owner,
  state: 'current' | 'next',
  pair: Updateable<LicenseKeysTable>,
) => keyThatIs(db, owner, state).set(pair).execute()

/** Adds a key: a retired one, or the current or next one unless the product has it. */
export const insertKey = (db: Writer, row: Insertable<LicenseKeysTable>) =>
  db
    .insertInto('license_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const SHOWN = [
  'licenses.id',
  'licenses.quota',
  'licenses.expiration',
  'licenses.is_block_features',
  'licenses.is_trial',
  'licenses.is_cancelled',
  'licenses.is_whitelabeled',
  'licenses.environment',
  'licenses.plan_id',
  'plans.name as plan_name',
  'plans.title as plan_title',
  'products.title as product_title',
] as const

/** What a file says of a license, its plan and product, as far as the owner may touch the license. */
export const findLicense = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'licenses', owner)
    .select()
    .innerJoin('plans', 'plans.id', 'licenses.plan_id')
    .innerJoin('products', 'products.id', 'licenses.product_id')
    .select(SHOWN)
    .where('licenses.id', '=', id)
    .executeTakeFirst()

/** An install, as far as the owner may touch it, that the license is active on; by its uid where that is given. */
export function findActivation(
  db: Reader,
  owner: Owner,
  { licenseId, uid }: { readonly licenseId: number; readonly uid: string | undefined },
) {
  const installs = scoped(db, 'installs', owner).select().select('uid').where('license_id', '=', licenseId)
  return (uid === undefined ? installs : installs.where('uid', '=', uid)).limit(1).executeTakeFirst()
}
