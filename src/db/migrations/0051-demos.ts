import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Up to when the live history of a demo is written. */
export async function up(db: Writer): Promise<void> {
  await sql`create table demos (
    developer_id bigint primary key references developers (id) on delete cascade,
    begun_ms bigint not null,
    booked_ms bigint not null)`.execute(db)
}
