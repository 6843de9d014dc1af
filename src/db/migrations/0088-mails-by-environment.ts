import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Mails say whether they are about something of a sandbox; those of which that is not known count as live. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table mails add column environment smallint not null default 0`.execute(db)
  await sql`update mails set environment = 1 where on_clock is not null
    or license_id in (select id from licenses where environment = 1)`.execute(db)
  await sql`create index mails_of_environment on mails (product_id, environment, id)
    where product_id is not null`.execute(db)
}
