import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { allowNull, wordsOf, type Words } from '../dialect.ts'

/** Products that are there already answer opt-ins as they did; a link may be for somebody whom nobody knows yet. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table products add column confirms_opt_in smallint not null default 0`.execute(db)
  for (const statement of allowNull(engine, pendingOf(wordsOf(engine)))) await statement.execute(db)
}

const pendingOf = ({ id, text }: Words) => ({
  table: 'pending_activations',
  column: 'user_id',
  columns: sql`
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint references users (id),
    token_hash ${text} not null unique,
    work ${text} not null,
    used_at ${text},
    expires_at ${text} not null,
    created ${text} not null`,
  names: ['id', 'product_id', 'user_id', 'token_hash', 'work', 'used_at', 'expires_at', 'created'],
  indexes: [
    // The job `prune`: links that have expired.
    sql`create index pending_activations_expiry on pending_activations (expires_at)`,
    // The links of a person, which end when its address changes.
    sql`create index pending_activations_of_user on pending_activations (user_id, created)`,
  ],
})
