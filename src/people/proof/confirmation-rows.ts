import type { Writer } from '../../db/database.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

export const BY_TOKEN = 'the token names the confirmation and its product'
export const OF_PERSON = 'a person has one address in all products of its developer'

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
