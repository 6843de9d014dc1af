import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Whether a pair of a user may have gone to who proved nothing: it is to be replaced, or was (`settleKeys`). */
const isUnproven = (product: string) => sql`(${sql.ref(`${product}.reach`)} = 'own' or exists (
  select 1 from user_keys where user_keys.user_id = ${sql.ref(`${product}.user_id`)}
    and user_keys.product_id = ${sql.ref(`${product}.product_id`)} and user_keys.reach = 'own'
    and user_keys.install_id is null and user_keys.created = ${sql.ref(`${product}.created`)}))`

/** Whether the pair went to anybody: whom it was handed out to has an install, or had one. */
const WENT_OUT = sql`(
  exists (select 1 from installs
    where installs.user_id = product_users.user_id and installs.product_id = product_users.product_id)
  or exists (select 1 from events
    where events.user_id = product_users.user_id and events.product_id = product_users.product_id
      and events.type = 'install.deleted'))`

/** What is later than the first pair that was handed out with a reach is of no former version. */
const isFormer = (table: string) => sql`${sql.ref(`${table}.created`)} <= coalesce(
  (select min(handed.created) from user_keys as handed where handed.install_id is not null), '9999')`

/**
 * A pair that proved nothing connected sites with the add-ons of its product and the bundles that this is in, and their
 * installs read a pair of the user there: that has no proof either, nor have these installs.
 */
export async function up(db: Writer): Promise<void> {
  await sql`with recursive opened (user_id, product_id) as (
      select held.user_id, held.product_id from product_users as held where ${isUnproven('held')}
      union
      select opened.user_id, products.id from opened, products
        where products.parent_plugin_id = opened.product_id
          or exists (select 1 from bundle_members where bundle_members.bundle_id = products.id
            and bundle_members.product_id = opened.product_id))
    update product_users set reach = 'own'
    where reach = 'whole' and ${WENT_OUT} and ${isFormer('product_users')} and not ${isUnproven('product_users')}
      and exists (select 1 from opened
        where opened.user_id = product_users.user_id and opened.product_id = product_users.product_id)`.execute(
    db,
  )
  await sql`update installs set reach = 'own' where reach = 'whole' and ${isFormer('installs')}
    and exists (select 1 from product_users where product_users.user_id = installs.user_id
      and product_users.product_id = installs.product_id and product_users.reach = 'own')`.execute(db)
}
