import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [products, stores, productLists, bundles, emailAddresses, settings, productInfo, pictures]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const products = ({ text }: Words) =>
  [
    sql`kind ${text} not null default 'product'`,
    sql`type_alias ${text} not null default ''`,
    sql`icon ${text}`,
    sql`is_active smallint not null default 1`,
    sql`default_plan_id bigint`,
    sql`plans ${text} not null default ''`,
    sql`features ${text} not null default ''`,
    sql`catalogue_version bigint not null default 1`,
    sql`money_back_period integer not null default 30`,
    sql`refund_policy ${text} not null default 'moderate'`,
    sql`is_consumptive_usage smallint not null default 0`,
    sql`annual_renewals_discount integer`,
    sql`renewals_discount_type ${text} not null default 'percentage'`,
    sql`lifetime_license_proration_days integer`,
    sql`is_released smallint not null default 1`,
    sql`is_sdk_required smallint not null default 1`,
    sql`is_pricing_visible smallint not null default 1`,
    sql`is_wp_org_compliant smallint not null default 1`,
    sql`is_static smallint not null default 0`,
    sql`accepted_payments smallint not null default 0`,
    sql`expose_license_key smallint not null default 1`,
    sql`enable_after_purchase_email_login_link smallint not null default 1`,
    sql`selling_unit_singular ${text} not null default 'Unit'`,
    sql`selling_unit_plural ${text} not null default 'Units'`,
    sql`installs_count bigint not null default 0`,
    sql`active_installs_count bigint not null default 0`,
    sql`free_releases_count bigint not null default 0`,
    sql`premium_releases_count bigint not null default 0`,
    sql`total_purchases bigint not null default 0`,
    sql`total_subscriptions bigint not null default 0`,
    sql`total_renewals bigint not null default 0`,
    sql`total_failed_purchases bigint not null default 0`,
    sql`downloads bigint not null default 0`,
    sql`earnings bigint not null default 0`,
  ].map((column) => sql`alter table products add column ${column}`)

const stores = ({ text }: Words) => [
  sql`alter table stores add column url ${text} not null default ''`,
  sql`alter table stores add column dashboard_url ${text} not null default ''`,
]

const productLists = () => [
  // The list of a seller's products, newest first.
  sql`create index products_of_developer on products (developer_id, id)`,
  // The add-ons of a product, oldest first.
  sql`create index products_of_parent on products (parent_plugin_id, id) where parent_plugin_id is not null`,
]

const bundles = () => [
  sql`create table bundle_members (
    bundle_id bigint not null references products (id),
    product_id bigint not null references products (id),
    primary key (bundle_id, product_id))`,
  // The bundles that a product is in.
  sql`create index bundle_members_by_product on bundle_members (product_id)`,
]

const emailAddresses = ({ id, text }: Words) => [
  sql`create table email_addresses (
    id ${id},
    store_id bigint not null references stores (id),
    product_id bigint references products (id),
    general ${text},
    general_name ${text},
    dont_reply ${text},
    dont_reply_name ${text},
    personal ${text},
    personal_name ${text},
    personal_technical ${text},
    personal_technical_name ${text},
    personal_setup ${text},
    personal_setup_name ${text},
    support ${text},
    support_name ${text},
    created ${text} not null,
    updated ${text})`,
  // One set of sender addresses a product.
  sql`create unique index email_addresses_of_product on email_addresses (product_id) where product_id is not null`,
  // One set of sender addresses a store.
  sql`create unique index email_addresses_of_store on email_addresses (store_id) where product_id is null`,
]

const settings = ({ id, text }: Words) => [
  sql`create table settings (
    id ${id},
    product_id bigint not null references products (id),
    setting_type integer not null,
    created ${text} not null,
    updated ${text},
    unique (product_id, setting_type))`,
]

const productInfo = ({ id, text }: Words) => [
  sql`create table product_info (
    id ${id},
    product_id bigint not null unique references products (id),
    url ${text} not null,
    description ${text} not null,
    short_description ${text} not null,
    banner_url ${text} not null,
    card_banner_url ${text} not null,
    selling_point_0 ${text} not null,
    selling_point_1 ${text} not null,
    selling_point_2 ${text} not null,
    screenshots ${text} not null,
    created ${text} not null,
    updated ${text})`,
]

const pictures = ({ id, text, bytes }: Words) => [
  sql`create table pictures (
    id ${id},
    product_id bigint not null references products (id),
    sha256 ${text} not null,
    media_type ${text} not null,
    bytes ${bytes} not null,
    created ${text} not null,
    unique (product_id, sha256))`,
]
