import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Ends the changes that wait for an owner, who agrees by mail. */
export const endChangesOfOwner = (db: Writer, userId: number, now: UtcTime) =>
  unscoped(db, 'an owner agrees by one address in all products')
    .updateTable('ownership_changes')
    .set({ expires_at: now, updated: now })
    .where('from_user_id', '=', userId)
    .where('completed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
