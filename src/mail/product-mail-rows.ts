import { sql } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../db/scoped.ts'
import type { MailsTable } from '../db/tables/mails.ts'
import { again, type MailRow } from './mail-rows.ts'

export interface MailFilter {
  readonly user_id?: number | undefined
  readonly state?: MailsTable['state'] | undefined
  readonly environment?: 0 | 1 | undefined
  readonly count: number
  readonly offset: number
}

/** What is mailed about a product, newest first. */
export function listMails(
  db: Reader,
  owner: Owner,
  { user_id: user, state, environment, ...page }: MailFilter,
) {
  let query = scoped(db, 'mails', owner).select().selectAll()
  if (user !== undefined) query = query.where('user_id', '=', user)
  if (state !== undefined) query = query.where('state', '=', state)
  if (environment !== undefined) query = query.where(isIn(environment, user ?? state))
  return query.orderBy('id', 'desc').limit(page.count).offset(page.offset).execute()
}

/** Its index is for who asks for nothing beside it: of a user, or in a state, there are far fewer. */
const isIn = (environment: 0 | 1, narrower: unknown) =>
  narrower === undefined
    ? sql<boolean>`mails.environment = ${sql.lit(environment)}`
    : sql<boolean>`mails.environment + 0 = ${sql.lit(environment)}`

export const findMail = (db: Reader, owner: Owner, id: number): Promise<MailRow | undefined> =>
  scoped(db, 'mails', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** Makes a mail of a product due that was given up or waits; false when it was sent, or is no longer kept. */
export async function retryMailOf(db: Writer, owner: Owner, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'mails', owner)
    .update()
    .set(again(now))
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
