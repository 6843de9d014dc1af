import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { EmailConfirmationsTable } from '../../db/tables/users.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_TOKEN = 'the token names the confirmation and its product'

export const insertConfirmation = (db: Writer, row: Insertable<EmailConfirmationsTable>) =>
  db.insertInto('email_confirmations').values(row).execute()

/** A confirmation that can still be used, with the product it is for. */
export const findConfirmation = (db: Reader, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('email_confirmations')
    .innerJoin('products', 'products.id', 'email_confirmations.product_id')
    .leftJoin('installs', 'installs.id', 'email_confirmations.install_id')
    .select([
      'email_confirmations.id',
      'email_confirmations.user_id',
      'email_confirmations.product_id',
      'email_confirmations.email',
      'email_confirmations.redirect_url',
      'email_confirmations.install_id',
      'installs.host',
      'products.developer_id',
      'products.title',
    ])
    .where('email_confirmations.token_hash', '=', tokenHash)
    .where('email_confirmations.used_at', 'is', null)
    .where('email_confirmations.expires_at', '>', now)
    .executeTakeFirst()

/** Uses a confirmation up; false when somebody has. One statement, so it works once. */
export async function useConfirmation(db: Writer, id: number, now: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('email_confirmations')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Notes that a person's address is proven; undefined when it was before, or is another one by now. One statement,
 * so of two links one proves it. Only `proveAddress` may call it, as it knows what else a first proof changes.
 */
export const verifyPerson = (
  db: Writer,
  owner: Owner,
  { user_id: id, email }: { readonly user_id: number; readonly email: string },
  now: UtcTime,
) =>
  scopedWrite(db, 'users', owner)
    .update()
    .set({ is_verified: 1, updated: now })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('is_verified', '=', 0)
    .returning('came_with')
    .executeTakeFirst()
