import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { hold } from '../../db/hold.ts'
import { columnIsLate, type Lately } from '../../db/has-come.ts'
import { unscoped } from '../../db/scoped.ts'
import type { DeveloperEmailChangesTable, DevelopersTable } from '../../db/tables/developers.ts'
import type { UtcTime } from '../../lib/time.ts'

const OWN = "a person's own account"
const BY_TOKEN = 'the token names the person'

export const updateDeveloper = (db: Writer, id: number, change: Updateable<DevelopersTable>) =>
  unscoped(db, OWN).updateTable('developers').set(change).where('id', '=', id).execute()

/** Holds a person's row until the end of the transaction. */
export const holdDeveloper = (db: Writer, id: number) => hold(db, 'developers', OWN, id)

/** Who has an address on this server, whatever its case. */
export const findDeveloperByEmail = (db: Reader, emailFolded: string) =>
  unscoped(db, 'an address is unique among all developers')
    .selectFrom('developers')
    .select('id')
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

export const insertAddressChange = (db: Writer, row: Insertable<DeveloperEmailChangesTable>) =>
  unscoped(db, OWN).insertInto('developer_email_changes').values(row).execute()

/** How often a person asked for another address since then, with what was refused. */
export async function countAddressChanges(db: Reader, id: number, lately: Lately): Promise<number> {
  const { asked } = await unscoped(db, OWN)
    .selectFrom('developer_email_changes')
    .select(({ fn }) => fn.countAll<number>().as('asked'))
    .where('developer_id', '=', id)
    .where(columnIsLate('created', lately))
    .executeTakeFirstOrThrow()
  return Number(asked)
}

/** Ends the links that a person has not followed. */
export const endAddressChanges = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, OWN)
    .updateTable('developer_email_changes')
    .set({ used_at: now })
    .where('developer_id', '=', id)
    .where('used_at', 'is', null)
    .execute()

/** A link that can still be used, with whose it is. */
export const findAddressChange = (db: Reader, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('developer_email_changes')
    .innerJoin('developers', 'developers.id', 'developer_email_changes.developer_id')
    .select([
      'developer_email_changes.id',
      'developer_email_changes.developer_id',
      'developer_email_changes.email',
      'developer_email_changes.email_folded',
      'developer_email_changes.replaces',
      'developers.email as old_email',
      'developers.first',
      'developers.last',
      'developers.language',
    ])
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Uses a link up; false when somebody has. One statement, so it works once. */
export async function useAddressChange(db: Writer, id: number, now: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('developer_email_changes')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives a person another address; false when it has another one by now than when it asked. */
export async function replaceOwnAddress(
  db: Writer,
  { id, replaces, ...address }: { id: number; replaces: string; email: string; email_folded: string },
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OWN)
    .updateTable('developers')
    .set({ ...address, is_verified: true, updated: now })
    .where('id', '=', id)
    .where('email_folded', '=', replaces)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
