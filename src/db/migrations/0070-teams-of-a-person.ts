import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** `GET /session.json`: the teams that a person has joined, whatever their number is. */
export async function up(db: Writer): Promise<void> {
  await sql`create index members_of_person on members (person_id)`.execute(db)
}
