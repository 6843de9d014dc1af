import type { Writer } from '../../db/database.ts'
import { hold } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Revokes what these tokens have made, one step; the ids of these. */
export async function revokeMadeBy(db: Writer, ids: readonly number[], now: UtcTime): Promise<number[]> {
  const rows = await unscoped(db, 'what a token has made ends with it')
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('made_by', 'in', inList(ids))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A token that calls, held until the end of the transaction, so that what it makes is there when it is revoked. */
export const holdToken = (db: Writer, id: number) => hold(db, 'api_tokens', 'the token that calls', id)
