import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { redactable, textOfJson, wordsOf } from '../dialect.ts'

/** Whose types of events are ours; what a client calls an event names no license. */
const ENTITIES = ['install', 'license', 'payment', 'plan', 'subscription', 'user'] as const

const INDEXES = [
  // What happened to a user of a product, and to a license, newest first.
  'events_of_user on events (product_id, user_id, created, id) where user_id is not null',
  'events_of_license on events (license_id, created, id) where license_id is not null',
  // What was mailed to a user of a product, and about a license.
  'mails_in_timeline on mails (user_id, product_id, created_at, id) where user_id is not null',
  'mails_of_license on mails (license_id, created_at, id) where license_id is not null',
] as const

/** Of a user and of a license: events, mails and what was done, each newest first. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table events add column license_id bigint`.execute(db)
  for (const table of ['events', 'mails']) {
    await sql`alter table ${sql.table(table)} add column on_clock ${text}`.execute(db)
  }
  const isOurs = sql.join(
    ENTITIES.map((entity) => sql`type like ${sql.lit(`${entity}.%`)}`),
    sql` or `,
  )
  const named = textOfJson(engine, 'data', 'license_id')
  await sql`update events set license_id = cast(${named} as bigint)
    where (${isOurs}) and ${named} is not null`.execute(db)
  await sql`alter table mails add column license_id bigint`.execute(db)
  await sql`drop index events_of_user`.execute(db)
  for (const index of INDEXES) await sql`create index ${sql.raw(index)}`.execute(db)
  await auditLog(db, engine)
}

async function auditLog(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table audit_log add column user_id bigint`.execute(db)
  await sql`alter table audit_log add column license_id bigint`.execute(db)
  // Nobody changes those either.
  for (const statement of redactable(engine, ['user_id', 'license_id'])) await statement.execute(db)
  await sql`create index audit_log_of_user on audit_log (user_id, product_id, at, id)
    where user_id is not null`.execute(db)
  await sql`create index audit_log_of_license on audit_log (license_id, at, id)
    where license_id is not null`.execute(db)
  // What a request did.
  await sql`create index audit_log_of_request on audit_log (request_id, id)
    where request_id is not null`.execute(db)
}
