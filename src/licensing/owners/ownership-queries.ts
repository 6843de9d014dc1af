import { sql, type Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { hold } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { isOfNetwork } from '../../db/reach.ts'
import { columnIsLate, type Lately } from '../../db/has-come.ts'
import { unscoped } from '../../db/scoped.ts'
import type { OwnershipChangesTable } from '../../db/tables/installs.ts'
import type { OwnReach } from '../../db/tables/reach.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_TOKEN = 'the token names the change and its install'
const OF_INSTALL = 'of an install that the caller was found to have'

export const insertOwnershipChange = (db: Writer, row: Insertable<OwnershipChangesTable>) =>
  db.insertInto('ownership_changes').values(row).returning('id').executeTakeFirstOrThrow()

/** Ends the changes of an install that are not completed, as a later one takes their place. */
export const endOwnershipChanges = (db: Writer, installId: number, now: UtcTime) =>
  unscoped(db, OF_INSTALL)
    .updateTable('ownership_changes')
    .set({ expires_at: now, updated: now })
    .where('install_id', '=', installId)
    .where('completed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()

/** How many changes of an install's owner began since then. */
export async function countOwnershipChanges(db: Reader, installId: number, lately: Lately): Promise<number> {
  const { count } = await unscoped(db, OF_INSTALL)
    .selectFrom('ownership_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('install_id', '=', installId)
    .where(columnIsLate('created', lately))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export type Side = 'owner' | 'candidate'

/** A change that the side's token can still confirm, with its product and install. */
export const findOwnershipChange = (db: Reader, side: Side, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('ownership_changes')
    .innerJoin('products', 'products.id', 'ownership_changes.product_id')
    .innerJoin('installs', 'installs.id', 'ownership_changes.install_id')
    .innerJoin('users', 'users.id', 'ownership_changes.from_user_id')
    .selectAll('ownership_changes')
    .select(['products.developer_id', 'products.title as product_title'])
    .select(['installs.url', 'installs.uid', 'installs.environment'])
    .select(['users.email as owner_email', 'users.email_folded as owner_email_folded'])
    .where(side === 'owner' ? 'owner_hash' : 'candidate_hash', '=', tokenHash)
    .where('completed_at', 'is', null)
    .where('ownership_changes.expires_at', '>', now)
    .executeTakeFirst()

/** Holds a change until the end of the transaction. */
export const holdOwnershipChange = (db: Writer, id: number) => hold(db, 'ownership_changes', BY_TOKEN, id)

/** The hosts of installs, the oldest install first. */
export const findHosts = (db: Reader, ids: readonly number[]) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('installs')
    .select('host')
    .where('id', 'in', inList(ids))
    .orderBy('id')
    .execute()

/** Notes that a side agrees; undefined when it did before. The row holds what the other side did by then. */
export const confirmSide = (db: Writer, id: number, side: Side, now: UtcTime) => {
  const column = side === 'owner' ? 'owner_at' : 'candidate_at'
  return unscoped(db, BY_TOKEN)
    .updateTable('ownership_changes')
    .set({ [column]: now, updated: now })
    .where('id', '=', id)
    .where(column, 'is', null)
    .where('completed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Completes a change that both sides agreed to, with what goes along; undefined when it is not so, or somebody has. */
export const completeChange = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .updateTable('ownership_changes')
    .set({ completed_at: now, updated: now })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .where('owner_at', 'is not', null)
    .where('candidate_at', 'is not', null)
    .returning('install_ids')
    .executeTakeFirst()

/** Names the installs that go along, unless one of these sides has agreed before; false then. */
export async function replaceInstallIds(
  db: Writer,
  { id, sides }: { readonly id: number; readonly sides: readonly Side[] },
  installIds: string | null,
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('ownership_changes')
    .set({ install_ids: installIds, updated: now })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .where((is) =>
      is.and(sides.map((side) => is(side === 'owner' ? 'owner_at' : 'candidate_at', 'is', null))),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

interface OwnerInReach {
  readonly userId: number
  readonly productId: number
  /** Absent: all that the owner has. */
  readonly reach?: OwnReach | undefined
}

/** Those of some installs that a user has in a product and its add-ons, as far as the caller reaches. */
export const findInstallsOfOwner = (db: Reader, owner: OwnerInReach, ids: readonly number[]) =>
  installsOfOwner(db, owner).where('installs.id', 'in', inList(ids)).orderBy('installs.id').execute()

/** Up to `limit` installs that a user has there. */
export const listInstallsOfOwner = (db: Reader, owner: OwnerInReach, limit: number) =>
  installsOfOwner(db, owner).orderBy('installs.id').limit(limit).execute()

const installsOfOwner = (db: Reader, { userId, productId, reach }: OwnerInReach) =>
  unscoped(db, 'named by their owner')
    .selectFrom('installs')
    .innerJoin('products', 'products.id', 'installs.product_id')
    .selectAll('installs')
    .where('installs.user_id', '=', userId)
    .where(reach ? isOfNetwork(reach) : sql<boolean>`1 = 1`)
    .where((or) =>
      or.or([or('products.id', '=', productId), or('products.parent_plugin_id', '=', productId)]),
    )

/** Gives an install to another user, unless its owner is another one by now; undefined then. */
export const changeOwner = (
  db: Writer,
  { id, from, to }: { readonly id: number; readonly from: number; readonly to: number },
  updated: UtcTime,
) =>
  unscoped(db, 'named by its owner')
    .updateTable('installs')
    .set({ updated, user_id: to })
    .where('id', '=', id)
    .where('user_id', '=', from)
    .returningAll()
    .executeTakeFirst()

/** Gives the trial of an install to another user; one that has had its own by this uid leaves it as it is. */
export const changeOwnerOfTrials = (db: Writer, installId: number, userId: number) =>
  unscoped(db, OF_INSTALL)
    .updateTable('trials')
    .set({ user_id: userId, is_by_key: false })
    .where('install_id', '=', installId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('trials as own')
            .select('own.id')
            .whereRef('own.product_id', '=', 'trials.product_id')
            .whereRef('own.uid', '=', 'trials.uid')
            .where('own.user_id', '=', userId),
        ),
      ),
    )
    .execute()

/**
 * Gives licenses of a user to another one, each with all of its installs: one that is active elsewhere too, or
 * belongs to a bundle, stays. The ids of those that went.
 */
export const changeOwnerOfLicenses = (
  db: Writer,
  {
    from,
    to,
    installIds,
  }: { readonly from: number; readonly to: number; readonly installIds: readonly number[] },
  updated: UtcTime,
) =>
  unscoped(db, 'active on installs that change their owner')
    .updateTable('licenses')
    .set({ user_id: to, updated })
    .where('user_id', '=', from)
    .where('parent_license_id', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('installs')
        .select('license_id')
        .where('installs.id', 'in', inList(installIds))
        .where('license_id', 'is not', null)
        .$castTo<{ license_id: number }>(),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('installs as elsewhere')
            .select('elsewhere.id')
            .whereRef('elsewhere.license_id', '=', 'licenses.id')
            .where('elsewhere.id', 'not in', inList(installIds)),
        ),
      ),
    )
    .returning(['id', 'environment'])
    .execute()
