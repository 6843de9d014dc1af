import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Stage } from './cart-recovery.ts'
import type { CartRow } from './schema.ts'

export const FOUND = 'a cart that the caller has found'

/** Writes the stage of a cart that this caller holds. */
export const setStage = (db: Writer, { id }: CartRow, { status, recover_at }: Stage) =>
  unscoped(db, FOUND)
    .updateTable('carts')
    .set({ status, recover_at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
