import type { Insertable, Updateable } from 'kysely'
import { ofAnyUser } from '../../access/scope.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { DeploymentsTable } from '../../db/tables/deployments.ts'
import type { UtcTime } from '../../lib/time.ts'
import { COLUMNS } from './schema.ts'

export const findReport = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'deployments', owner).select().select('build_report').where('id', '=', id).executeTakeFirst()

/** Adds a version unless the product has it; undefined then. */
export const insertDeployment = (db: Writer, row: Insertable<DeploymentsTable>) =>
  db
    .insertInto('deployments')
    .values(row)
    .onConflict((conflict) => conflict.columns(['product_id', 'version_key']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()

/** Holds the row until the end of the transaction; undefined when there is none. */
export const lockDeployment = (db: Writer, owner: Owner, id: number) =>
  holding(
    db,
    scoped(db, 'deployments', owner).select().select(COLUMNS).where('id', '=', id),
  ).executeTakeFirst()

export const updateDeploymentRow = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<DeploymentsTable>,
) =>
  scopedWrite(db, 'deployments', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export async function deleteDeploymentRow(db: Writer, owner: Owner, id: number): Promise<void> {
  await scopedWrite(db, 'deployment_users', ofAnyUser(owner))
    .delete()
    .where('deployment_id', '=', id)
    .execute()
  await scopedWrite(db, 'deployments', owner).delete().where('id', '=', id).execute()
}

interface OfUser {
  readonly id: number
  readonly userId: number
}

/** Notes an offer; false when the user had it. */
export async function insertOffer(db: Writer, owner: Owner, { id, userId }: OfUser): Promise<boolean> {
  const row = await db
    .insertInto('deployment_users')
    .values({
      deployment_id: id,
      user_id: userId,
      product_id: owner.productId,
      is_offered: true,
      downloaded_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'user_id'])
        .doUpdateSet({ is_offered: true })
        .where('deployment_users.is_offered', '=', false),
    )
    .returning('deployment_id')
    .executeTakeFirst()
  return row !== undefined
}

export const withdrawOffer = (db: Writer, owner: Owner, { id, userId }: OfUser) =>
  scopedWrite(db, 'deployment_users', { ...owner, userId })
    .update()
    .set({ is_offered: false })
    .where('deployment_id', '=', id)
    .execute()

/** Counts one more user unless the limit is reached. One statement, so no two can share the last place. */
export async function countOffer(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'deployments', owner)
    .update()
    .set((eb) => ({ offered: eb('offered', '+', 1) }))
    .where('id', '=', id)
    .where((is) => is.or([is('max_users', 'is', null), is('offered', '<', is.ref('max_users'))]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes a user's first download; false for any later one. */
export async function insertDownload(
  db: Writer,
  owner: Owner,
  { id, userId, now }: OfUser & { readonly now: UtcTime },
): Promise<boolean> {
  const row = await db
    .insertInto('deployment_users')
    .values({
      deployment_id: id,
      user_id: userId,
      product_id: owner.productId,
      is_offered: false,
      downloaded_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'user_id'])
        .doUpdateSet({ downloaded_at: now })
        .where('deployment_users.downloaded_at', 'is', null),
    )
    .returning('deployment_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function countDownload(
  db: Writer,
  owner: Owner,
  { id, isFirst }: { readonly id: number; readonly isFirst: boolean },
): Promise<void> {
  await scopedWrite(db, 'deployments', owner)
    .update()
    .set((eb) => ({
      downloaded: eb('downloaded', '+', 1),
      ...(isFirst && { uniques: eb('uniques', '+', 1) }),
    }))
    .where('id', '=', id)
    .execute()
  await scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({ downloads: eb('downloads', '+', 1) }))
    .execute()
}

/** Adds to how many versions of each build the product has. */
export const countReleases = (
  db: Writer,
  owner: Owner,
  by: { readonly free: number; readonly premium: number },
) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({
      free_releases_count: eb('free_releases_count', '+', by.free),
      premium_releases_count: eb('premium_releases_count', '+', by.premium),
    }))
    .execute()

/** Has the job that removes files without a version run at once. */
export const hurrySweep = (db: Writer) =>
  unscoped(db, 'files are removed for all products at once')
    .updateTable('jobs')
    .set({ due_at: 0 })
    .where('name', '=', 'sweep-files')
    .execute()
