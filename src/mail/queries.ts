import type { Insertable, Selectable } from 'kysely'
import { claim, held, type ClaimOptions } from '../db/claim.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { MailsTable } from '../db/tables/mails.ts'
import type { MailAddress } from './message.ts'

export type MailRow = Selectable<MailsTable>

export const insertMail = (db: Writer, row: Insertable<MailsTable>) =>
  db.insertInto('mails').values(row).execute()

/**
 * Who mail of a product comes from that wants no answer: `dont_reply`, else `general`, each column of the
 * product or else of its store, which it inherits; null when neither has any.
 */
export async function findSender(db: Reader, productId: number): Promise<MailAddress | null> {
  const found = await db
    .selectFrom('products')
    .leftJoin('email_addresses as own', 'own.product_id', 'products.id')
    .leftJoin('email_addresses as inherited', (join) =>
      join.onRef('inherited.store_id', '=', 'products.store_id').on('inherited.product_id', 'is', null),
    )
    .select(({ fn }) => [
      fn.coalesce('own.dont_reply', 'inherited.dont_reply').as('dont_reply'),
      fn.coalesce('own.dont_reply_name', 'inherited.dont_reply_name').as('dont_reply_name'),
      fn.coalesce('own.general', 'inherited.general').as('general'),
      fn.coalesce('own.general_name', 'inherited.general_name').as('general_name'),
    ])
    .where('products.id', '=', productId)
    .executeTakeFirst()
  if (!found) return null
  const { dont_reply: dontReply, general, general_name: name } = found
  if (dontReply !== null) return { address: dontReply, name: found.dont_reply_name ?? name ?? '' }
  return general === null ? null : { address: general, name: name ?? '' }
}

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
