import { sql } from 'kysely'
import type { Writer } from '../database.ts'

const BATCH = 500

/** The method of payment that a charge is asked for with, which is sealed, out of the JSON beside which it stood. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table charges add column token text`.execute(db)
  for (let last: number | null = 0; last !== null;) last = await moveAfter(db, last)
}

/** Moves the tokens of the next rows; the last of them, null where nothing is left. */
async function moveAfter(db: Writer, last: number): Promise<number | null> {
  const { rows } = await sql<{ id: number; details: string }>`select id, details from charges
    where id > ${last} and details like '%"token":%' order by id limit ${BATCH}`.execute(db)
  for (const { id, details } of rows) {
    const { token, ...rest } = JSON.parse(details) as { token?: string }
    if (token === undefined) continue
    await sql`update charges set token = ${token}, details = ${JSON.stringify(rest)} where id = ${id}`.execute(
      db,
    )
  }
  return rows.at(-1)?.id ?? null
}
