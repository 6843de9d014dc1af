import { batched, inOrder } from '../../db/batched.ts'
import { changingRows, namedBy } from '../../db/change-rows.ts'
import type { LicenseRow } from './schema.ts'
import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedRow } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { LicensesTable } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'

/** A license of the product by the hashes that its key may have (`hashesOfKey`). */
export const findLicenseByKey = (db: Reader, owner: Owner, hashes: readonly string[]) =>
  scoped(db, 'licenses', owner)
    .select()
    .selectAll()
    .where('licenses.key_hash', 'in', hashes as string[])
    .executeTakeFirst()

/** Adds a license unless its product has one with this key, or with this parent; undefined then. */
export async function insertLicense(db: Writer, row: Insertable<LicensesTable>) {
  const [inserted] = await inserting(db, row, {})
  return inserted
}
const inserting = preparedRow((db, row: Insertable<LicensesTable>) =>
  db
    .insertInto('licenses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const updateLicenseRow = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<LicensesTable>,
): Promise<LicenseRow | undefined> => updateOne(db, { owner, id, change })

interface Updating {
  readonly owner: Owner
  readonly id: number
  readonly change: Updateable<LicensesTable>
}

const updateOne = batched({
  alike: ({ owner, id, change }: Updating) =>
    owner.userId === null ? `${owner.productId} ${namedBy(change)}` : `one ${id}`,
  one: (db: Writer, { owner, id, change }): Promise<LicenseRow | undefined> =>
    scopedWrite(db, 'licenses', owner)
      .update()
      .set(change)
      .where('licenses.id', '=', id)
      .returningAll()
      .executeTakeFirst(),
  async many(db, all) {
    const [first] = all
    if (!first) return []
    const rows = all.map(({ id, change }) => ({ ...change, id }))
    const ids = rows.map(({ id }) => id)
    return inOrder(await updatingMany(db, first.owner, rows), ids, ({ id }) => id)
  },
})

const updatingMany = changingRows('licenses', { by: 'id' })

/** Cancels a license, which then has no notices; undefined when it is cancelled already. */
export const cancelLicenseRow = (db: Writer, owner: Owner, id: number, updated: UtcTime) =>
  scopedWrite(db, 'licenses', owner)
    .update()
    .set({ is_cancelled: true, notice_at: null, updated })
    .where('licenses.id', '=', id)
    .where('licenses.is_cancelled', '=', false)
    .returningAll()
    .executeTakeFirst()

/** False when the owner has no such license, or has it no more. */
export async function deleteLicenseRow(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'licenses', owner)
    .delete()
    .where('licenses.id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
