import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Which refunds a buyer is owed, which of them are of what has bought nothing, and which charge one is of that became no payment. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table charges add column is_owed smallint not null default 0`.execute(db)
  await sql`alter table charges add column is_unearned smallint not null default 0`.execute(db)
  await sql`alter table charges add column of_charge_id bigint references charges (id)`.execute(db)
  await sql`update charges set is_owed = 1
    where purpose = 'refund' and details like '%"isOwed":true%'`.execute(db)
  await sql`update charges set is_unearned = 1
    where purpose = 'refund' and details like '%"isUnearned":true%'`.execute(db)
  const { rows } = await sql<{ id: number; key: string }>`select id, key from charges
    where purpose = 'refund' and payment_id is null and key like 'refund:charge:%'`.execute(db)
  for (const { id, key } of rows) {
    const of = Number(/^refund:charge:(\d+)/.exec(key)?.[1])
    await sql`update charges set of_charge_id = (select id from charges where id = ${of}) where id = ${id}`.execute(
      db,
    )
  }
  // The refunds of a charge that became no payment, in order.
  await sql`create index charges_of_charge on charges (of_charge_id, id) where of_charge_id is not null`.execute(
    db,
  )
  // Whether a payment has bought nothing and is given back; which are.
  await sql`create index charges_owed on charges (payment_id, id) where is_owed = 1`.execute(db)
}
