import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { appendOnly } from '../dialect.ts'

const COLUMNS = [
  'id',
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'credential',
  'product_id',
  'ip',
  'request_id',
  'details',
  'developer_id',
]

/** Rows of the audit log say whose account they are about, from here on, and cannot be changed in that either. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const guard = appendOnly(engine, 'audit_log', COLUMNS).at(-1)
  await (
    engine === 'sqlite'
      ? sql`drop trigger audit_log_no_update`
      : sql`drop trigger audit_log_no_update on audit_log`
  ).execute(db)
  await sql`alter table audit_log add column developer_id bigint`.execute(db)
  await guard?.execute(db)
  // The log of an account, newest first.
  await sql`create index audit_log_of_developer on audit_log (developer_id, id)
    where developer_id is not null`.execute(db)
}
