import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Keeps a proof as used until it is too old anyway; false when it was used before. One statement decides. */
export async function useProof(db: Writer, proofHash: string, expiresAt: UtcTime): Promise<boolean> {
  const kept = await db
    .insertInto('used_proofs')
    .values({ proof_hash: proofHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('proof_hash')
    .executeTakeFirst()
  return kept !== undefined
}

/** Ends the links that a person was mailed and has not followed. */
export const endPending = (db: Writer, userId: number, now: UtcTime) =>
  unscoped(db, 'the links of a person, in all products')
    .updateTable('pending_activations')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
