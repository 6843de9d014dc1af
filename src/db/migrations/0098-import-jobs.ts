import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** Imports that the server itself works on, and what was wrong with their rows. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of COUNTS)
    await sql`alter table imports add column ${sql.ref(column)} bigint not null default 0`.execute(db)
  for (const column of TEXTS) await sql`alter table imports add column ${sql.ref(column)} ${text}`.execute(db)
  await sql`alter table imports add column is_dry_run smallint not null default 0`.execute(db)
  await sql`alter table imports add column kinds ${text} not null default '[]'`.execute(db)
  await sql`alter table imports add column due_at bigint`.execute(db)
  // The job `bring-imports`, and one import of an account at a time.
  await sql`create index imports_due on imports (due_at, id) where due_at is not null`.execute(db)
  await sql`create unique index imports_at_work on imports (developer_id) where due_at is not null`.execute(
    db,
  )
  // Which files are kept.
  await sql`create index imports_by_file on imports (file) where file is not null`.execute(db)
  await sql`create table import_report (
    import_id bigint not null references imports (id),
    n bigint not null,
    part ${text} not null,
    kind ${text} not null,
    file ${text},
    line bigint,
    row_key ${text},
    field ${text},
    code ${text} not null,
    message ${text} not null,
    primary key (import_id, n))`.execute(db)
  await sql`create index import_report_of_kind on import_report (import_id, kind, n)`.execute(db)
}

const COUNTS = ['failures', 'row_count', 'same', 'bad', 'left_out', 'removed', 'stayed', 'lease_until']

const TEXTS = ['asked', 'file', 'file_name', 'reading', 'error']
