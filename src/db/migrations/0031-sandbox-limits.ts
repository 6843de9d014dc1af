import { sql } from 'kysely'
import type { Writer } from '../database.ts'

export async function up(db: Writer): Promise<void> {
  await sql`alter table deployments add column is_sandbox smallint not null default 0`.execute(db)
  await sql`alter table products add column sandbox_gets_released smallint not null default 0`.execute(db)
  await sql`alter table products add column accepts_client_sandbox_tokens smallint not null default 1`.execute(
    db,
  )
}
