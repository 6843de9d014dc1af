import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [plans, pricing, features, featureValues]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const plans = ({ id, text }: Words) => [
  sql`create table plans (
    id ${id},
    product_id bigint not null references products (id),
    name ${text} not null,
    title ${text} not null,
    description ${text},
    is_free_localhost smallint not null,
    is_block_features smallint not null,
    is_block_features_monthly smallint not null,
    license_type smallint not null,
    trial_period integer,
    is_require_subscription smallint not null,
    support_kb ${text},
    support_forum ${text},
    support_email ${text},
    support_phone ${text},
    is_success_manager smallint not null,
    is_featured smallint not null,
    is_hidden smallint not null,
    created ${text} not null,
    updated ${text},
    unique (product_id, name))`,
]

/** Unlimited licenses stand last, which an index gives only with a number in the place of null. */
const pricing = ({ id, text }: Words) => [
  sql`create table pricing (
    id ${id},
    product_id bigint not null references products (id),
    plan_id bigint not null references plans (id),
    currency ${text} not null,
    licenses integer,
    monthly_price bigint,
    annual_price bigint,
    lifetime_price bigint,
    is_whitelabeled smallint not null,
    is_hidden smallint not null,
    created ${text} not null,
    updated ${text})`,
  // The list of a plan's prices by number of licenses.
  sql`create index pricing_of_plan on pricing (product_id, plan_id, coalesce(licenses, 2147483647), id)`,
  // The prices of a plan whose product is not known; whether it has one.
  sql`create index pricing_by_plan on pricing (plan_id)`,
]

const features = ({ id, text }: Words) => [
  sql`create table features (
    id ${id},
    product_id bigint not null references products (id),
    title ${text} not null,
    description ${text} not null,
    is_featured smallint not null,
    created ${text} not null,
    updated ${text})`,
  // The features of a product.
  sql`create index features_of_product on features (product_id, id)`,
]

const featureValues = ({ id, text }: Words) => [
  sql`create table feature_values (
    id ${id},
    product_id bigint not null references products (id),
    plan_id bigint not null references plans (id) on delete cascade,
    feature_id bigint not null references features (id) on delete cascade,
    value ${text},
    created ${text} not null,
    updated ${text},
    unique (product_id, plan_id, feature_id))`,
  // The foreign key: values go with their plan.
  sql`create index feature_values_by_plan on feature_values (plan_id)`,
  // The foreign key: values go with their feature.
  sql`create index feature_values_by_feature on feature_values (feature_id)`,
]
