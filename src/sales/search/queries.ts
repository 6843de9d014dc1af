import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { Kind } from './schema.ts'

/** One thing that was found; what it costs in minor units, and a sealed text, where its title is made of these. */
export interface FoundRow {
  readonly kind: Kind
  readonly id: number
  readonly product_id: number | null
  readonly environment: Environment | null
  readonly title: string
  readonly subtitle: string
  readonly amount: number | null
}

/** What of a kind is looked for. */
export interface Branch {
  readonly kind: Kind
  readonly where: RawBuilder<SqlBool>
  /** As the index has it by which they are found; absent: by product. */
  readonly order?: RawBuilder<unknown>
  /** The condition says whose they are. */
  readonly isOwn?: true
}

interface Selected {
  readonly table: string
  readonly title: RawBuilder<unknown>
  readonly subtitle: RawBuilder<unknown>
  readonly joins?: RawBuilder<unknown>
  /** Minor units. */
  readonly amount?: RawBuilder<unknown>
  /** The column of what is live or of the sandbox. */
  readonly environment?: RawBuilder<unknown>
  /** Its rows stay when it is deleted. */
  readonly stays?: true
  /** Another product than that of its row. */
  readonly product?: RawBuilder<unknown>
  /** Whether it is the seller's, where its product does not say it. */
  readonly isOf?: (developerId: number) => RawBuilder<SqlBool>
}

const planOf = (table: string) => sql`join plans on plans.id = ${sql.ref(`${table}.plan_id`)}`
const userOf = (table: string) => sql`left join users on users.id = ${sql.ref(`${table}.user_id`)}`
const EMAIL = sql`coalesce(users.email, '')`
const NOTHING = sql`''`

const placed = (table: string) => ({ table, environment: sql.ref(`${table}.environment`) })

/** With plan and owner. */
const ofPlanAndUser = (table: string) => ({
  ...placed(table),
  title: sql`plans.title`,
  subtitle: EMAIL,
  joins: sql`${planOf(table)} ${userOf(table)}`,
})

const ofAccount = (table: string) => (developerId: number) =>
  sql<SqlBool>`${sql.ref(`${table}.developer_id`)} = ${developerId}`
const none = sql`cast(null as bigint)`

const storesOf = (developerId: number) => sql`(select id from stores where developer_id = ${developerId})`
const productsOf = (developerId: number) => sql`(select id from products where developer_id = ${developerId})`

const KINDS: Readonly<Record<Kind, Selected>> = {
  license: ofPlanAndUser('licenses'),
  subscription: ofPlanAndUser('subscriptions'),
  trial: ofPlanAndUser('trials'),
  payment: {
    ...placed('payments'),
    title: sql`payments.currency`,
    subtitle: EMAIL,
    joins: userOf('payments'),
    amount: sql`payments.gross + payments.tax`,
  },
  user: {
    table: 'users',
    title: sql`users.email`,
    subtitle: sql`users.first || ' ' || users.last`,
    product: sql`(select max(product_users.product_id) from product_users where product_users.user_id = users.id)`,
    isOf: ofAccount('users'),
  },
  install: {
    ...placed('installs'),
    title: sql`coalesce(installs.host, nullif(installs.title, ''), substr(installs.uid, 1, 8))`,
    subtitle: sql`coalesce(installs.title, '')`,
  },
  cart: { ...placed('carts'), title: sql`carts.email`, subtitle: sql`carts.status` },
  coupon: {
    table: 'coupons',
    stays: true,
    title: sql`coupons.code`,
    subtitle: NOTHING,
    isOf: (developerId) =>
      sql`(coupons.product_id in ${productsOf(developerId)} or coupons.store_id in ${storesOf(developerId)})`,
  },
  event: {
    ...placed('events'),
    title: sql`events.type`,
    subtitle: sql`events.created`,
    isOf: ofAccount('events'),
  },
  product: {
    table: 'products',
    title: sql`products.title`,
    subtitle: NOTHING,
    product: sql`products.id`,
    isOf: ofAccount('products'),
  },
  store: {
    table: 'stores',
    title: sql`stores.title`,
    subtitle: NOTHING,
    product: none,
    isOf: ofAccount('stores'),
  },
  plan: { table: 'plans', title: sql`plans.title`, subtitle: sql`plans.name` },
  pricing: {
    table: 'pricing',
    title: sql`plans.title`,
    subtitle: sql`pricing.currency`,
    joins: planOf('pricing'),
  },
  deployment: {
    table: 'deployments',
    title: sql`deployments.version`,
    subtitle: sql`deployments.release_mode`,
  },
  review: { table: 'reviews', title: sql`reviews.title`, subtitle: sql`reviews.name` },
  request: {
    table: 'audit_log',
    title: sql`audit_log.request_id`,
    subtitle: sql`audit_log.action`,
    // By the request alone: SQLite would read all that the account ever did, newest first.
    isOf: (developerId) => sql`+audit_log.developer_id = ${developerId}`,
  },
  webhook: { table: 'webhooks', stays: true, title: sql`webhooks.url`, subtitle: NOTHING },
}

interface Asked {
  readonly developerId: number
  readonly environment: Environment | undefined
  readonly count: number
}

/** So many at most of each branch, the newest first; each is a look-up in an index. One statement for all. */
export async function findByBranches(
  db: Reader,
  branches: readonly Branch[],
  asked: Asked,
): Promise<FoundRow[]> {
  const parts = branches.map((branch) => selected(branch, asked))
  const { rows } = await sql<FoundRow>`${sql.join(parts, sql` union all `)}`.execute(
    unscoped(db, 'each branch is narrowed to the seller'),
  )
  return rows
}

function selected(branch: Branch, { developerId, environment, count }: Asked): RawBuilder<unknown> {
  const { kind, where } = branch
  const { table, title, subtitle, joins = sql``, amount = none, product, ...one } = KINDS[kind]
  const [id, productId] = [sql.ref(`${table}.id`), product ?? sql.ref(`${table}.product_id`)]
  const isSellers = one.isOf?.(developerId) ?? sql`${productId} in ${productsOf(developerId)}`
  const isOwn = branch.isOwn ? sql`` : sql`and ${isSellers}`
  const isThere = one.stays ? sql`and ${sql.ref(`${table}.deleted_at`)} is null` : sql``
  const inEnvironment =
    one.environment && environment !== undefined
      ? sql`and ${one.environment} = ${sql.lit(environment)}`
      : sql``
  return sql`select * from (select ${sql.lit(kind)} as kind, ${id} as id,
      ${productId} as product_id, ${one.environment ?? sql`cast(null as smallint)`} as environment,
      ${title} as title, ${subtitle} as subtitle, ${amount} as amount
    from ${sql.table(table)} ${joins} where ${where} ${isOwn} ${isThere} ${inEnvironment}
    order by ${branch.order ?? sql`${productId} desc, ${id} desc`} limit ${count}) as ${sql.table(`${table}_found`)}`
}

/** What has this id. */
export const byId = (kind: Kind, id: number): Branch => ({
  kind,
  where: sql`${sql.ref(`${KINDS[kind].table}.id`)} = ${id}`,
})

/** Above all text that begins so. */
const END = '\u{10ffff}'

/** Whose folded address begins so. */
export const byAddress = (folded: string): Branch => ({
  kind: 'user',
  order: sql`users.email_folded`,
  where: sql`users.email_folded >= ${folded} and users.email_folded < ${folded + END}`,
})

/** Which has this key. */
export const byKey = (hashes: readonly string[]): Branch => ({
  kind: 'license',
  where: sql`licenses.key_hash in (${sql.join(hashes)})`,
})

/** Which have this code, in a product or a store of the seller: each has an index of its own. */
export const byCode = (folded: string, developerId: number): readonly Branch[] => [
  {
    kind: 'coupon',
    isOwn: true,
    where: sql`coupons.product_id in ${productsOf(developerId)} and coupons.code_folded = ${folded}`,
  },
  {
    kind: 'coupon',
    isOwn: true,
    order: sql`coupons.store_id desc, coupons.id desc`,
    where: sql`coupons.store_id in ${storesOf(developerId)} and coupons.code_folded = ${folded}`,
  },
]

/** Which a gateway knows by this id. */
export const byExternalId = (kind: 'payment' | 'subscription', id: string): Branch => ({
  kind,
  where: sql`${sql.ref(`${KINDS[kind].table}.external_id`)} = ${id}`,
})

/** Which are at this host. */
export const byHost = (host: string): Branch => ({ kind: 'install', where: sql`installs.host = ${host}` })

/** What this request did, as the audit log says. */
export const byRequest = (id: string): Branch => ({
  kind: 'request',
  order: sql`audit_log.id desc`,
  where: sql`audit_log.request_id = ${id}`,
})
