import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Answers of listeners may stand in clear where nobody has judged them: a start finds and seals those (`seal-clear.ts`). */
export async function up(db: Writer): Promise<void> {
  await sql`alter table delivery_attempts add column is_sealed smallint not null default 0`.execute(db)
  // At a start: answers that nobody has judged, in order.
  await sql`create index delivery_attempts_to_judge on delivery_attempts (id)
    where is_sealed = 0 and answer is not null`.execute(db)
}
