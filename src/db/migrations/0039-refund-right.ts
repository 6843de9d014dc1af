import { sql } from 'kysely'
import type { Writer } from '../database.ts'

export async function up(db: Writer): Promise<void> {
  await sql`alter table members add column can_refund smallint not null default 0`.execute(db)
}
