import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { hold } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { LicenseRow } from '../licenses/schema.ts'

const OF_LICENSE = 'of a license that the caller has found, whoever has its sites'
export const OF_INSTALL = 'an install that the caller has found'

/** Holds a license's row until the end of the transaction, so that what is done on it takes turns; the row. */
export const holdLicense = (db: Writer, id: number) => hold(db, 'licenses', OF_LICENSE, id)

/** Holds an install's row until the end of the transaction; the row. */
export const holdInstall = (db: Writer, id: number) => hold(db, 'installs', OF_INSTALL, id)

const counting = (as: 'production' | 'local') =>
  prepared((db: Writer, { id, now }: { id: number; now: UtcTime }) => {
    const column = as === 'production' ? 'activated' : 'activated_local'
    const used = sql`activated + case when is_free_localhost = 1 then 0 else activated_local end`
    const isFree = as === 'local' ? sql`is_free_localhost = 1` : sql`1 = 0`
    return unscoped(db, OF_LICENSE)
      .updateTable('licenses')
      .set((eb) => ({ [column]: eb(column, '+', 1) }))
      .where('id', '=', id)
      .where('is_cancelled', '=', false)
      .where((or) => or.or([or('expiration', 'is', null), or('expiration', '>', now)]))
      .where(sql<boolean>`(quota is null or ${isFree} or ${used} < quota)`)
      .returningAll()
  })

const countingAs = { production: counting('production'), local: counting('local') }

/**
 * Counts one activation, unless the license is cancelled, expired or used up: one statement decides, whoever
 * else activates. Used up is: quota ≤ production + (local is free ? 0 : local), and a local one that is free
 * never is (`docs/interface.md` 5.3). Undefined when it may not.
 */
export const countActivation = async (db: Writer, id: number, as: 'production' | 'local', now: UtcTime) =>
  (await countingAs[as](db, { id, now }))[0]

/** Changes both counters of a license by what came and went. */
export const changeCounts = (
  db: Writer,
  id: number,
  { production, local }: { readonly production: number; readonly local: number },
) =>
  unscoped(db, OF_LICENSE)
    .updateTable('licenses')
    .set((eb) => ({
      activated: eb('activated', '+', production),
      activated_local: eb('activated_local', '+', local),
    }))
    .where('id', '=', id)
    .execute()

/** Those of some hosts on which a license is counted. */
export const countedHosts = async (
  db: Reader,
  licenseId: number,
  hosts: readonly string[],
): Promise<string[]> => {
  if (hosts.length === 0) return []
  const found = await unscoped(db, OF_LICENSE)
    .selectFrom('installs')
    .select('host')
    .distinct()
    .where('license_id', '=', licenseId)
    .where('host', 'in', hosts as string[])
    .where('counted_as', '=', 'production')
    .execute()
  return found.flatMap(({ host }) => host ?? [])
}

/** The installs that a license only covers, with their hosts. The condition stands as its index has it. */
export const coveredInstalls = (db: Reader, licenseId: number) =>
  unscoped(db, OF_LICENSE)
    .selectFrom('installs')
    .select(['id', 'host'])
    .where('license_id', '=', licenseId)
    .where(sql<boolean>`counted_as = 'covered'`)
    .orderBy('id')
    .execute()

export const countInFull = (db: Writer, ids: readonly number[]) =>
  unscoped(db, OF_LICENSE)
    .updateTable('installs')
    .set({ counted_as: 'production' })
    .where('id', 'in', inList(ids))
    .execute()

/** The license that is on an install at the moment. */
export const licenseIdOn = async (db: Reader, installId: number): Promise<number | null> => {
  const found = await unscoped(db, OF_INSTALL)
    .selectFrom('installs')
    .select('license_id')
    .where('id', '=', installId)
    .executeTakeFirst()
  return found?.license_id ?? null
}

/** The sites that a license's owner or seller wrote down for it. */
export const sitesOfLicense = prepared((db, { id }: { id: number }) =>
  unscoped(db, OF_LICENSE)
    .selectFrom('license_sites')
    .select(['kind', 'pattern'])
    .where('license_id', '=', id),
)

const findPlan = prepared((db, { id, parentId }: { id: number; parentId: number }) =>
  unscoped(db, 'the plan of a license that the caller has found, and the bundle that opened it')
    .selectFrom('plans')
    .innerJoin('products', 'products.id', 'plans.product_id')
    .select(['plans.name', 'plans.license_type', 'products.is_released', 'products.selling_unit_singular'])
    .select((eb) =>
      eb
        .selectFrom('licenses')
        .select('is_unproven')
        .where('licenses.id', '=', parentId)
        .as('is_bundle_unproven'),
    )
    .where('plans.id', '=', id),
)

/**
 * What a plan says of the licenses that are issued on it, and whether its product is released; null of a license that
 * no bundle opened: whether that is of an address that was only typed.
 */
export async function planOfLicense(
  db: Reader,
  { plan_id: id, parent_license_id: parentId }: Pick<LicenseRow, 'plan_id' | 'parent_license_id'>,
) {
  const [plan] = await findPlan(db, { id, parentId: parentId ?? 0 })
  if (!plan) throw new Error('The plan of a license is there.')
  return plan
}
export type PlanOfLicense = Awaited<ReturnType<typeof planOfLicense>>
