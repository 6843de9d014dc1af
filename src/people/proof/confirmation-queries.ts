import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { columnIsLate, type Lately } from '../../db/has-come.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { EmailConfirmationsTable } from '../../db/tables/users.ts'
import type { UtcTime } from '../../lib/time.ts'
import { OF_PERSON, BY_TOKEN, TIMES, type Side } from './confirmation-rows.ts'

const HASHES = { wanted: 'token_hash', former: 'former_hash' } as const

export const insertConfirmation = (db: Writer, row: Insertable<EmailConfirmationsTable>) =>
  db.insertInto('email_confirmations').values(row).execute()

/** A confirmation whose link at an address can still be used, with the product it is for. */
export const findConfirmation = (db: Reader, at: Side, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('email_confirmations')
    .innerJoin('products', 'products.id', 'email_confirmations.product_id')
    .leftJoin('installs', 'installs.id', 'email_confirmations.install_id')
    .select([
      'email_confirmations.id',
      'email_confirmations.user_id',
      'email_confirmations.product_id',
      'email_confirmations.email',
      'email_confirmations.replaces',
      'email_confirmations.redirect_url',
      'email_confirmations.install_id',
      'email_confirmations.product_ids',
      'email_confirmations.former_hash',
      'installs.host',
      'products.developer_id',
      'products.title',
    ])
    .where(`email_confirmations.${HASHES[at]}`, '=', tokenHash)
    .where(`email_confirmations.${TIMES[at]}`, 'is', null)
    .where('email_confirmations.used_at', 'is', null)
    .where('email_confirmations.expires_at', '>', now)
    .executeTakeFirst()

/**
 * Notes that a person's address is proven; false when it was before, or is another one by now. One statement, so of two
 * links one proves it.
 */
export async function verifyPerson(
  db: Writer,
  owner: Owner,
  { user_id: id, email }: { readonly user_id: number; readonly email: string },
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'users', owner)
    .update()
    .set({ is_verified: true, updated: now })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('is_verified', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** How often a person's address was to be changed since then, with those that were refused. */
export async function countAddressChanges(db: Reader, userId: number, lately: Lately): Promise<number> {
  const { asked } = await unscoped(db, OF_PERSON)
    .selectFrom('email_confirmations')
    .select(({ fn }) => fn.countAll<number>().as('asked'))
    .where('user_id', '=', userId)
    .where('replaces', 'is not', null)
    .where(columnIsLate('created', lately))
    .executeTakeFirstOrThrow()
  return Number(asked)
}
