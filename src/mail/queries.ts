import type { Insertable } from 'kysely'
import type { Writer } from '../db/database.ts'
import type { MailsTable } from '../db/tables/mails.ts'

export const insertMail = (db: Writer, row: Insertable<MailsTable>) =>
  db.insertInto('mails').values(row).execute()
