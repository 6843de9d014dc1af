import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [confirmations, ownershipChanges, developerChanges]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const confirmations = ({ text }: Words) => [
  sql`alter table email_confirmations add column replaces ${text}`,
  // How often a person asked for another address lately; the links that end.
  sql`create index email_confirmations_replacing on email_confirmations (user_id, created)
    where replaces is not null`,
]

const ownershipChanges = () => [
  // The changes that wait for an owner, which end when its address changes.
  sql`create index ownership_changes_of_owner on ownership_changes (from_user_id)
    where completed_at is null`,
]

const developerChanges = ({ id, text }: Words) => [
  sql`create table developer_email_changes (
    id ${id},
    developer_id bigint not null references developers (id),
    email ${text} not null,
    email_folded ${text} not null,
    replaces ${text} not null,
    token_hash ${text} not null unique,
    created ${text} not null,
    expires_at ${text} not null,
    used_at ${text})`,
  // How often a person asked for another address lately; the links that end.
  sql`create index developer_email_changes_of_developer
    on developer_email_changes (developer_id, created)`,
  // The job `prune`: links that have expired.
  sql`create index developer_email_changes_expiry on developer_email_changes (expires_at)`,
]
