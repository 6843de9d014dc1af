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

type NewToken = Omit<Insertable<ApiTokensTable>, 'developer_id' | 'product_id'> &
  (
    | { readonly developer_id: number; readonly product_id: null }
    | { readonly developer_id: null; readonly product_id: number }
  )

/** Writes a token of an account or of a product, whose account is that of the product. */
export const insertApiToken = (db: Writer, row: NewToken) =>
  db
    .insertInto('api_tokens')
    .values(({ selectFrom }) => ({
      ...row,
      developer_id:
        row.developer_id ??
        selectFrom('products').select('developer_id').where('id', '=', row.product_id).$asScalar().$notNull(),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()

/** The tokens of a product or of an account with all its products, newest first; never their hashes. */
export const listApiTokens = (
  db: Reader,
  [column, id]: readonly [column: 'product_id' | 'developer_id', id: number],
) =>
  unscoped(db, 'the command line names whose they are')
    .selectFrom('api_tokens')
    .select(['id', 'product_id', 'product_ids', 'rights', 'name', 'hint'])
    .select(['created', 'expires_at', 'revoked_at', 'last_used_at'])
    .where(column, '=', id)
    .orderBy('id', 'desc')
    .execute()

/** Revokes a token; undefined when there is none or it was revoked before. */
export const revokeApiToken = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, 'the command line names the token')
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['id', 'developer_id', 'product_id'])
    .executeTakeFirst()
