import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { columnIsLate, type Lately } from '../../db/has-come.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { EmailConfirmationsTable } from '../../db/tables/users.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_TOKEN = 'the token names the confirmation and its product'
const OF_PERSON = 'a person has one address in all products of its developer'

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
      'email_confirmations.replaces',
      'email_confirmations.redirect_url',
      'email_confirmations.install_id',
      'email_confirmations.product_ids',
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
    .set({ is_verified: 1, updated: now })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('is_verified', '=', 0)
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

/** Ends the links by which a person's address was to be changed. */
export const endAddressChanges = (db: Writer, userId: number, now: UtcTime) =>
  unscoped(db, OF_PERSON)
    .updateTable('email_confirmations')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('replaces', 'is not', null)
    .where('used_at', 'is', null)
    .execute()

/**
 * Gives a person another address in place of the one that its link was asked for; false when it has another one by
 * now. The unique index refuses an address that somebody else has (`isDuplicate`).
 */
export async function replaceAddress(
  db: Writer,
  owner: Owner,
  {
    userId,
    replaces,
    ...address
  }: {
    readonly userId: number
    readonly replaces: string
    readonly email: string
    readonly email_folded: string
  },
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'users', owner)
    .update()
    .set({ ...address, email_status: null, updated: now })
    .where('id', '=', userId)
    .where('email_folded', '=', replaces)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
