import { sql, type ExpressionBuilder } from 'kysely'
import { hasBought } from '../../db/bought.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Tables } from '../../db/tables/tables.ts'

const ALL = 'the sales of every product are counted'

type OfProducts = ExpressionBuilder<Tables, 'products'>

/** How often a product was bought, or renewed, in production; also for nothing. */
const payments = ({ selectFrom }: OfProducts, isRenewal: boolean) =>
  selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('payments.product_id', '=', 'products.id')
    .where((is) => is('payments.environment', '=', is.lit(0)))
    .where('payments.type', '=', 'payment')
    .where(hasBought)
    .where('payments.is_renewal', '=', isRenewal)
    .$asScalar()
    .$notNull()

const earnings = ({ selectFrom }: OfProducts) =>
  selectFrom('payments')
    .select(sql<number>`coalesce(cast(sum(payments.gross) as bigint), 0)`.as('sum'))
    .whereRef('payments.product_id', '=', 'products.id')
    .where((is) => is('payments.environment', '=', is.lit(0)))
    .$asScalar()
    .$notNull()

const subscriptions = ({ selectFrom }: OfProducts) =>
  selectFrom('subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('subscriptions.product_id', '=', 'products.id')
    .where('subscriptions.environment', '=', 0)
    .$asScalar()
    .$notNull()

const failures = ({ selectFrom }: OfProducts) =>
  selectFrom('charges')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('charges.product_id', '=', 'products.id')
    .where((is) =>
      is.and([
        is('charges.environment', '=', is.lit(0)),
        is('charges.purpose', '=', sql.lit('purchase')),
        is('charges.state', '=', sql.lit('declined')),
      ]),
    )
    .$asScalar()
    .$notNull()

export interface SaleCounts {
  readonly id: number
  readonly total_purchases: number
  readonly total_renewals: number
  readonly total_subscriptions: number
  readonly total_failed_purchases: number
  readonly earnings: number
}

/** Up to `limit` products whose totals are not those of their payments and subscriptions, with the right ones. */
export const wrongSaleCounts = (db: Reader, limit: number): Promise<SaleCounts[]> =>
  unscoped(db, ALL)
    .selectFrom((eb) =>
      eb
        .selectFrom('products')
        .select((product) => [
          'products.id',
          payments(product, false).as('total_purchases'),
          payments(product, true).as('total_renewals'),
          subscriptions(product).as('total_subscriptions'),
          failures(product).as('total_failed_purchases'),
          earnings(product).as('earnings'),
        ])
        .as('counted'),
    )
    .innerJoin('products', 'products.id', 'counted.id')
    .selectAll('counted')
    .where((is) =>
      is.or(TOTALS.map((total) => is(sql.ref(`counted.${total}`), '<>', sql.ref(`products.${total}`)))),
    )
    .orderBy('counted.id')
    .limit(limit)
    .execute()

const TOTALS = [
  'total_purchases',
  'total_renewals',
  'total_subscriptions',
  'total_failed_purchases',
  'earnings',
] as const

export const setSaleCounts = (db: Writer, { id, ...counts }: SaleCounts) =>
  unscoped(db, ALL).updateTable('products').set(counts).where('id', '=', id).execute()
