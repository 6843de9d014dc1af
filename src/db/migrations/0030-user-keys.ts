import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [userKeys, installsOfKeys, licensesOfKeys, billingOfKeys, reachColumns]
  const tables = subjects.flatMap((subject) => subject(words))
  for (const statement of [...tables, ...reaches]) await statement.execute(db)
}

const userKeys = ({ id, text }: Words) => [
  sql`create table user_keys (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    install_id bigint unique references installs (id) on delete set null,
    reach ${text} not null,
    email_folded ${text},
    public_key ${text} not null unique,
    secret_key ${text} not null,
    created ${text} not null)`,
  // The pairs of a user for a product, oldest first.
  sql`create index user_keys_of_user on user_keys (user_id, product_id, id)`,
]

const installsOfKeys = () => [
  sql`create table user_key_installs (
    user_key_id bigint not null references user_keys (id) on delete cascade,
    install_id bigint not null references installs (id) on delete cascade,
    signs smallint not null,
    primary key (user_key_id, install_id))`,
  // The pairs with which an install was made.
  sql`create index user_key_installs_of_install on user_key_installs (install_id)`,
]

const licensesOfKeys = () => [
  sql`create table user_key_licenses (
    user_key_id bigint not null references user_keys (id) on delete cascade,
    license_id bigint not null references licenses (id) on delete cascade,
    primary key (user_key_id, license_id))`,
  // The foreign key: what is in reach by a license that is deleted.
  sql`create index user_key_licenses_of_license on user_key_licenses (license_id)`,
]

const billingOfKeys = ({ id, text }: Words) => [
  sql`create table user_key_billing (
    id ${id},
    user_key_id bigint not null unique references user_keys (id) on delete cascade,
    business_name ${text} not null,
    first ${text} not null,
    last ${text} not null,
    email ${text} not null,
    phone ${text} not null,
    website ${text} not null,
    tax_id ${text} not null,
    address_street ${text} not null,
    address_apt ${text} not null,
    address_city ${text} not null,
    address_country ${text} not null,
    address_country_code ${text} not null,
    address_state ${text} not null,
    address_zip ${text} not null,
    created ${text} not null,
    updated ${text})`,
]

const reachColumns = ({ text }: Words) => [
  sql`alter table product_users add column reach ${text} not null default 'whole'`,
  // At a start: pairs that are to be replaced.
  sql`create index product_users_own on product_users (product_id, user_id) where reach = 'own'`,
  sql`alter table installs add column reach ${text} not null default 'own'`,
]

/** Whether the pair of a user went to anybody: whom it was handed out to has an install, or had one. */
const WENT_OUT = sql`(
  exists (select 1 from installs
    where installs.user_id = product_users.user_id and installs.product_id = product_users.product_id)
  or exists (select 1 from events
    where events.user_id = product_users.user_id and events.product_id = product_users.product_id
      and events.type = 'install.deleted'))`

/** Whether it may have gone to who proved nothing: by an address that was only typed, or by a license key. */
const WITHOUT_PROOF = sql`(
  exists (select 1 from users
    where users.id = product_users.user_id and users.is_verified = 0 and users.came_with is not null)
  or exists (select 1 from licenses
    where licenses.user_id = product_users.user_id and (licenses.product_id = product_users.product_id
      or licenses.product_id in (select bundle_id from bundle_members
        where bundle_members.product_id = product_users.product_id)))
  or exists (select 1 from installs
    where installs.user_id = product_users.user_id and installs.product_id = product_users.product_id
      and (installs.license_id is not null
        or exists (select 1 from install_tokens where install_tokens.install_id = installs.id))))`

const reaches = [
  sql`update product_users set reach = 'own' where ${WENT_OUT} and ${WITHOUT_PROOF}`,
  sql`update installs set reach = 'whole' where exists (select 1 from product_users
    where product_users.user_id = installs.user_id and product_users.product_id = installs.product_id
      and product_users.reach = 'whole')`,
]
