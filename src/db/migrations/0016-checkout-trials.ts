import { sql } from 'kysely'
import type { Writer } from '../database.ts'

export async function up(db: Writer): Promise<void> {
  // Whether a buyer has tried a product.
  await sql`create index trials_of_user on trials (user_id, product_id)`.execute(db)
  // The trial that a license is for.
  await sql`create index trials_of_license on trials (license_id) where license_id is not null`.execute(db)
}
