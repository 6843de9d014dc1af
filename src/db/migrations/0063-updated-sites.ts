import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Up to how many installs a site begins that used the product before; null: there is no limit. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table products add column updated_sites_limit integer`.execute(db)
}
