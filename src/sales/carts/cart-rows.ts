import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

export async function findCart(db: Reader, owner: Owner, id: number) {
  const [found] = await cartById(db, owner, { id })
  return found
}
const cartById = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'carts', owner).select().selectAll().where('carts.id', '=', id),
)

export const findCarts = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'carts', owner).select().selectAll().where('carts.id', 'in', inList(ids)).execute()

export async function hasPlan(db: Reader, owner: Owner, id: number): Promise<boolean> {
  const row = await scoped(db, 'plans', owner)
    .select()
    .select('plans.id')
    .where('plans.id', '=', id)
    .execute()
  return row.length > 0
}

export const open = (db: Writer, owner: Owner) =>
  scopedWrite(db, 'carts', owner).update().where('carts.completed', 'is', null)

/** Ends the recovery of an open cart that began no earlier than a time; undefined when there is none. */
export const leaveCart = (
  db: Writer,
  owner: Owner,
  { id, since }: { readonly id: number; readonly since: UtcTime },
) =>
  open(db, owner)
    .set({ recover_at: null })
    .where('carts.id', '=', id)
    .where('carts.created', '>=', since)
    .returningAll()
    .executeTakeFirst()
