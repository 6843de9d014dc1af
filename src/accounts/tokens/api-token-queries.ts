import type { Reader, Writer } from '../../db/database.ts'
import { type Owner, scoped, scopedWrite, unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

const OF_ACCOUNT = 'the account is that of the scope'

const COLUMNS = [
  'id',
  'product_id',
  'product_ids',
  'rights',
  'name',
  'hint',
  'created',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

interface Page {
  readonly count: number
  readonly offset: number
}

/** Newest first; never the hashes. */
export const listOwnTokens = (db: Reader, owner: Owner, { count, offset }: Page) =>
  scoped(db, 'api_tokens', owner)
    .select()
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

/** Those of an account and of its products, newest first; never the hashes. */
export const listTokensOfAccount = (db: Reader, developerId: number, { count, offset }: Page) =>
  unscoped(db, OF_ACCOUNT)
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('developer_id', '=', developerId)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const findToken = (db: Reader, id: number) =>
  unscoped(db, 'a token that was issued right before, or that calls')
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

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

/** False when neither the account nor a product of it has such a token, or it was revoked before. */
export async function revokeTokenOfAccount(
  db: Writer,
  developerId: number,
  id: number,
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OF_ACCOUNT)
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
