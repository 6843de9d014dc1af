import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/**
 * On which sites a trial of the checkout was used, and whether a trial was begun by who had not proven to be its user.
 * Of those that are there nobody can say it: they count as before.
 */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`alter table trials add column is_unproven smallint not null default 0`.execute(db)
  await sql`create table tried_sites (
    id ${id},
    trial_id bigint not null references trials (id) on delete cascade,
    user_id bigint not null references users (id),
    uid ${text} not null,
    install_id bigint references installs (id) on delete set null)`.execute(db)
  // A site uses a trial once; which trials a user has used by a uid.
  await sql`create unique index tried_sites_once on tried_sites (user_id, uid, trial_id)`.execute(db)
  // Whether a site has used a trial.
  await sql`create index tried_sites_of_trial on tried_sites (trial_id)`.execute(db)
  // Which trials an install has used.
  await sql`create index tried_sites_of_install on tried_sites (install_id)`.execute(db)
  await sql`insert into tried_sites (trial_id, user_id, uid, install_id)
    select trials.id, installs.user_id, installs.uid, installs.id
    from trials join installs on installs.license_id = trials.license_id
    where trials.install_id is null`.execute(db)
}
