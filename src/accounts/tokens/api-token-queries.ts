import type { Reader, Writer } from '../../db/database.ts'
import { type Owner, scoped, scopedWrite } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

const COLUMNS = [
  'id',
  'product_id',
  'name',
  'hint',
  'created',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

/** Newest first; never the hashes. */
export const listOwnTokens = (
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) =>
  scoped(db, 'api_tokens', owner)
    .select()
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const findOwnToken = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'api_tokens', owner).select().select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** False when the product has no such token, or it was revoked before. */
export async function revokeOwnToken(db: Writer, owner: Owner, id: number, now: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'api_tokens', owner)
    .update()
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
