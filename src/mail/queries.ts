import type { Insertable, Selectable } from 'kysely'
import { claim, held, type ClaimOptions } from '../db/claim.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { MailsTable } from '../db/tables/mails.ts'

export type MailRow = Selectable<MailsTable>

export const insertMail = (db: Writer, row: Insertable<MailsTable>) =>
  db.insertInto('mails').values(row).execute()

export async function anyDueMail(db: Reader, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('due_at', '<=', now)
    .where('lease_until', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const claimMails = (db: Writer, options: Omit<ClaimOptions, 'id'>): Promise<MailRow[]> =>
  claim(db, 'mails', options)

/** Changes a claimed mail; false when another holder has it now. */
export const updateMail = (
  db: Writer,
  row: MailRow,
  change: Partial<Omit<MailRow, 'id' | 'fence'>>,
): Promise<boolean> => held(db, 'mails', row, change)
