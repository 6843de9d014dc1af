import type { Reader, Writer } from '../../db/database.ts'
import { excluding } from '../../db/hold.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

export const listSettings = (db: Reader, owner: Owner) =>
  scoped(db, 'settings', owner).select().selectAll().orderBy('settings.setting_type').execute()

export const findSetting = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'settings', owner).select().selectAll().where('settings.id', '=', id).executeTakeFirst()

/** Every column of the scope's product. */
export const findWholeProduct = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner).select().selectAll().executeTakeFirst()

/** Waits for what is done in the portal by the switches as they are (`keeping`). */
export const awaitPortal = (db: Writer, owner: Owner) =>
  excluding(db, scoped(db, 'products', owner).select().select('products.id')).execute()

/** Whether the product has a support address that is not its own setting: its sender's, or that of its store. */
export async function inheritsSupport(db: Reader, owner: Owner): Promise<boolean> {
  const found = await scoped(db, 'products', owner)
    .select()
    .innerJoin('email_addresses', (join) =>
      join.on((on) =>
        on.or([
          on('email_addresses.product_id', '=', on.ref('products.id')),
          on.and([
            on('email_addresses.store_id', '=', on.ref('products.store_id')),
            on('email_addresses.product_id', 'is', null),
          ]),
        ]),
      ),
    )
    .select('email_addresses.id')
    .where('email_addresses.support', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Adds settings of these types as far as the product lacks them. */
export const insertSettings = (
  db: Writer,
  { productId }: Pick<Owner, 'productId'>,
  types: readonly number[],
  created: UtcTime,
) =>
  db
    .insertInto('settings')
    .values(types.map((type) => ({ product_id: productId, setting_type: type, created, updated: null })))
    .onConflict((conflict) => conflict.columns(['product_id', 'setting_type']).doNothing())
    .execute()

export const touchSetting = (db: Writer, owner: Owner, id: number, updated: UtcTime) =>
  scopedWrite(db, 'settings', owner).update().set({ updated }).where('settings.id', '=', id).execute()

/** The type of what was deleted; undefined when there is no such setting. */
export const deleteSettingRow = (db: Writer, owner: Owner, id: number) =>
  scopedWrite(db, 'settings', owner)
    .delete()
    .where('settings.id', '=', id)
    .returning('setting_type')
    .executeTakeFirst()
