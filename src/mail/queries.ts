import type { Insertable } from 'kysely'
import { claim, type ClaimOptions } from '../db/claim.ts'
import type { Writer } from '../db/database.ts'
import { preparedRows } from '../db/prepared.ts'
import type { MailsTable } from '../db/tables/mails.ts'
import { WITHIN_MS, type MailRow } from './mail-rows.ts'

export type NewMail = Insertable<MailsTable>

export const insertMails = (db: Writer, rows: readonly NewMail[]) => inserting(db, rows, {})
const inserting = preparedRows((db, rows: NewMail[]) => db.insertInto('mails').values(rows))

export const claimMails = (db: Writer, options: Omit<ClaimOptions, 'id' | 'withinMs'>): Promise<MailRow[]> =>
  claim(db, 'mails', { ...options, withinMs: WITHIN_MS })
