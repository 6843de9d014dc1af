import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** A checkout knows where it is shown, and the page that holds it. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table checkouts add column mode text not null default 'dialog'`.execute(db)
  await sql`alter table checkouts add column url text not null default ''`.execute(db)
}
