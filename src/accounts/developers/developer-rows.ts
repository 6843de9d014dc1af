import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { DevelopersTable } from '../../db/tables/developers.ts'
import type { AccessTokensTable, ApiTokensTable } from '../../db/tables/tokens.ts'
import type { UtcTime } from '../../lib/time.ts'

export const insertAccessToken = (db: Writer, row: Insertable<AccessTokensTable>) =>
  db.insertInto('access_tokens').values(row).execute()

export const insertDeveloper = (db: Writer, row: Insertable<DevelopersTable>) =>
  db
    .insertInto('developers')
    .values(row)
    .onConflict((conflict) => conflict.column('email_folded').doNothing())
    .returning('id')
    .executeTakeFirst()

export const insertApiToken = (db: Writer, row: Insertable<ApiTokensTable>) =>
  db.insertInto('api_tokens').values(row).returning('id').executeTakeFirstOrThrow()

/** The tokens of a product, newest first; never their hashes. */
export const listApiTokens = (db: Reader, productId: number) =>
  unscoped(db, 'the command line names the product')
    .selectFrom('api_tokens')
    .select(['id', 'product_id', 'name', 'hint', 'created', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('product_id', '=', productId)
    .orderBy('id', 'desc')
    .execute()

/** Revokes a token; undefined when there is none or it was revoked before. */
export const revokeApiToken = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, 'the command line names the token')
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['id', 'product_id'])
    .executeTakeFirst()
