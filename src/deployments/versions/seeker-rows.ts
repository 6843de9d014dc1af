import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { isInReach } from '../../db/reach.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'

/** Who an install belongs to, what it has, and what its license is. */
export const findSeeker = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'installs', owner)
    .select()
    .leftJoin('product_users', (join) =>
      join
        .onRef('product_users.product_id', '=', 'installs.product_id')
        .onRef('product_users.user_id', '=', 'installs.user_id'),
    )
    .leftJoin('licenses', 'licenses.id', 'installs.license_id')
    .select([
      'installs.id',
      'installs.product_id',
      'installs.user_id',
      'installs.version',
      'installs.is_beta as is_install_beta',
      'installs.is_sdk_required',
      'product_users.is_beta as is_user_beta',
      'installs.environment',
      'licenses.id as license_id',
      'licenses.environment as license_environment',
      'licenses.is_cancelled',
      'licenses.expiration',
    ])
    .where('installs.id', '=', id),
)

/** A user's place in a product, and its licenses there; one row without a license. */
export const findUserSeeker = (db: Reader, owner: Owner, userId: number) =>
  scoped(db, 'product_users', { ...owner, userId })
    .select()
    .leftJoin('licenses', (join) =>
      join
        .onRef('licenses.product_id', '=', 'product_users.product_id')
        .onRef('licenses.user_id', '=', 'product_users.user_id')
        .on(owner.reach ? isInReach('licenses', owner.reach) : sql<boolean>`1 = 1`),
    )
    .select([
      'product_users.is_beta',
      'licenses.id as license_id',
      'licenses.is_cancelled',
      'licenses.expiration',
      'licenses.environment',
    ])
    .execute()

/** Whether licenses of the sandbox get what live ones get. */
export const findSandboxRule = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner).select().select('sandbox_gets_released').executeTakeFirst()

/** How many add-ons of this id a product has. */
export const findAddonOf = (db: Reader, owner: Owner, addonId: number) =>
  scoped(db, 'products', { ...owner, productId: addonId })
    .select()
    .select('id')
    .where('parent_plugin_id', '=', owner.productId)
    .executeTakeFirst()

export const findKind = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner).select().select('kind').executeTakeFirst()

/** Notes the version that an install of the product was sent last. */
export const noteServed = (db: Writer, { productId }: Owner, installId: number, version: string) =>
  unscoped(db, 'the install that the archive is sent to, of the product of the scope')
    .updateTable('installs')
    .set({ last_served_update_version: version })
    .where('id', '=', installId)
    .where('product_id', '=', productId)
    .execute()
