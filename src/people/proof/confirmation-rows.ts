import type { Writer } from '../../db/database.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

export const BY_TOKEN = 'the token names the confirmation and its product'
export const OF_PERSON = 'a person has one address in all products of its developer'

/** Where a link was mailed: to the address that is confirmed, or to that in whose place it comes. */
export type Side = 'wanted' | 'former'

export const TIMES = { wanted: 'wanted_at', former: 'former_at' } as const

/**
 * Notes that the link at one of both addresses was followed; null when it was before, or the confirmation is used. One
 * statement, whose row has what was followed by then: of both at once, the later one has both.
 */
export async function agreeToAddress(
  db: Writer,
  { id, at }: { readonly id: number; readonly at: Side },
  now: UtcTime,
): Promise<{ readonly isByBoth: boolean } | null> {
  const row = await unscoped(db, BY_TOKEN)
    .updateTable('email_confirmations')
    .set({ [TIMES[at]]: now })
    .where('id', '=', id)
    .where(TIMES[at], 'is', null)
    .where('used_at', 'is', null)
    .returning(['former_at', 'wanted_at'])
    .executeTakeFirst()
  return row ? { isByBoth: row.former_at !== null && row.wanted_at !== null } : null
}

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
