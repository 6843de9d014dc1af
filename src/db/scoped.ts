import type {
  DeleteQueryBuilder,
  DeleteResult,
  RawBuilder,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { Reader, Writer } from './database.ts'
import type { OwnReach } from './tables/reach.ts'
import { isInReach } from './reach.ts'
import { inList } from './in-list.ts'
import type { Tables } from './tables/tables.ts'

/** Whose rows a query may touch; every `Scope` is one. */
export interface Owner {
  readonly developerId: number
  readonly productId: number
  /** Set when the caller is a user and sees only its own. */
  readonly userId: number | null
  /** Set when the caller is an install and sees only its own. */
  readonly installId: number | null
  /** Set when lists go over the family of the product (`productsOf`). */
  readonly isFamily?: boolean
  /** Set where lists have nothing that the keys of this product's users do not open. */
  readonly within?: number | undefined
  /** Set with `userId` when the caller is not proven to be that user, and sees only what came by its keys. */
  readonly reach?: OwnReach | undefined
}

/** All rows of a product, whoever they are of. */
export const ofProduct = (productId: number): Owner => ({
  developerId: 0,
  productId,
  userId: null,
  installId: null,
})

type Parts = { readonly [K in Exclude<keyof Owner, 'isFamily' | 'within' | 'reach'>]: number | null }

type OwnerColumns = { readonly [K in keyof Parts]?: string }

/** Which column of a table each part of a scope is compared with; a table that is not here has no scope. */
const OWNED_BY = {
  api_tokens: { productId: 'product_id' },
  bank_accounts: { developerId: 'developer_id' },
  billing: { userId: 'user_id' },
  bulks: { productId: 'product_id' },
  carts: { productId: 'product_id' },
  charges: { productId: 'product_id', userId: 'user_id' },
  checkouts: { productId: 'product_id' },
  coupon_redemptions: { productId: 'product_id', userId: 'user_id' },
  coupons: { productId: 'product_id' },
  deliveries: { productId: 'product_id' },
  delivery_attempts: { productId: 'product_id' },
  deployment_users: { productId: 'product_id', userId: 'user_id' },
  deployments: { productId: 'product_id' },
  discounts: { productId: 'product_id' },
  email_confirmations: { productId: 'product_id', userId: 'user_id' },
  events: { productId: 'product_id', userId: 'user_id', installId: 'install_id' },
  email_addresses: { productId: 'product_id' },
  exports: { developerId: 'developer_id' },
  feature_values: { productId: 'product_id' },
  features: { productId: 'product_id' },
  imports: { developerId: 'developer_id' },
  install_clones: { productId: 'product_id', installId: 'install_id' },
  installs: { productId: 'product_id', userId: 'user_id', installId: 'id' },
  invoices: { developerId: 'developer_id', productId: 'product_id' },
  license_keys: { productId: 'product_id' },
  license_sites: { productId: 'product_id' },
  licenses: { productId: 'product_id', userId: 'user_id' },
  mails: { productId: 'product_id' },
  members: { developerId: 'developer_id' },
  notes: { productId: 'product_id' },
  own_mail_texts: { productId: 'product_id' },
  ownership_changes: { productId: 'product_id', installId: 'install_id' },
  payment_methods: { productId: 'product_id', userId: 'user_id' },
  payments: { productId: 'product_id', userId: 'user_id' },
  pending_activations: { productId: 'product_id', userId: 'user_id' },
  pictures: { productId: 'product_id' },
  plans: { productId: 'product_id' },
  postings: { productId: 'product_id' },
  pricing: { productId: 'product_id' },
  product_info: { productId: 'product_id' },
  product_users: { productId: 'product_id', userId: 'user_id' },
  products: { developerId: 'developer_id', productId: 'id' },
  provisional_taxes: { productId: 'product_id' },
  refusals: { productId: 'product_id', userId: 'user_id' },
  reviews: { productId: 'product_id', userId: 'user_id' },
  sandbox_clocks: { productId: 'product_id' },
  sandbox_timeline: { productId: 'product_id' },
  settings: { productId: 'product_id' },
  skipped_sites: { productId: 'product_id' },
  special_coupons: { productId: 'product_id' },
  stores: { developerId: 'developer_id' },
  subscriptions: { productId: 'product_id', userId: 'user_id' },
  tax_settings: { developerId: 'developer_id' },
  trials: { productId: 'product_id', userId: 'user_id', installId: 'install_id' },
  uninstalls: { productId: 'product_id', installId: 'install_id' },
  users: { developerId: 'developer_id', userId: 'id' },
  webhooks: { productId: 'product_id' },
} as const satisfies Partial<Record<keyof Tables, OwnerColumns>>

export type ScopedTable = keyof typeof OWNED_BY

type Select<T extends ScopedTable> = SelectQueryBuilder<Tables, T, object>
type Update<T extends ScopedTable> = UpdateQueryBuilder<Tables, T, T, UpdateResult>
type Delete<T extends ScopedTable> = DeleteQueryBuilder<Tables, T, DeleteResult>

/** Starts a query on the rows of `table` that `owner` may touch (`docs/decisions.md` 4.4). */
export const scoped = <T extends ScopedTable>(db: Reader, table: T, owner: Owner) => ({
  select: () => conditions(db.selectFrom(table) as never, table, owner) as unknown as Select<T>,
})

/** Starts a list over several products, which `productsOf` has found for `owner`. */
export const scopedIn = <
  T extends ScopedTable & ('licenses' | 'installs' | 'uninstalls' | 'payments' | 'subscriptions'),
>(
  db: Reader,
  table: T,
  owner: Owner,
  productIds: readonly number[],
) => ({
  select() {
    if (productIds.length === 1) return scoped(db, table, owner).select()
    const query = conditions(db.selectFrom(table) as never, table, { ...owner, productId: null })
    return query.where(`${table}.product_id`, 'in', inList(productIds)) as unknown as Select<T>
  },
})

/** Starts a write on the rows of `table` that `owner` may touch, inside a transaction. */
export const scopedWrite = <T extends ScopedTable>(db: Writer, table: T, owner: Owner) => ({
  update: () => conditions(db.updateTable(table) as never, table, owner) as unknown as Update<T>,
  delete: () => conditions(db.deleteFrom(table) as never, table, owner) as unknown as Delete<T>,
})

/** A query that no scope limits; `reason` says why that is right. */
export const unscoped = <D extends Reader>(db: D, reason: string): D => (reason ? db : refuse())

function refuse(): never {
  throw new Error('A query without a scope needs a reason.')
}

interface Conditional {
  where(column: string, operator: '=', value: number): Conditional
  where(column: string, operator: 'in', values: readonly number[]): Conditional
  where(condition: RawBuilder<boolean>): Conditional
}

function conditions(
  query: Conditional,
  table: ScopedTable,
  owner: Parts & Pick<Owner, 'reach'>,
): Conditional {
  const columns: OwnerColumns = OWNED_BY[table]
  let result = query
  for (const part of ['developerId', 'productId', 'userId', 'installId'] as const) {
    const column = columns[part]
    const value = owner[part]
    if (column !== undefined && value !== null) result = result.where(`${table}.${column}`, '=', value)
  }
  const isOfUsers = columns.userId !== undefined && owner.userId !== null
  return isOfUsers && owner.reach ? result.where(isInReach(table, owner.reach)) : result
}
