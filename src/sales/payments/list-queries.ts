import { sql } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { preparedFor } from '../../db/prepared.ts'
import { isOwnSite } from '../../db/reach.ts'
import { scopedIn, unscoped, type Owner } from '../../db/scoped.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Searched } from '../../lib/searched.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { PaymentFilter, PaymentRow } from './schema.ts'

interface Page extends GoingOn {
  readonly count: number
  readonly offset: number
}

export interface PaymentSearch extends Page {
  readonly productIds: readonly number[]
  readonly filter?: PaymentFilter
  /** What their columns must have. */
  readonly equal?: Partial<PaymentRow>
  /** When they were paid. */
  readonly paid?: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  readonly search?: Searched | undefined
}

/** Every payment of the owner, newest first: the rows before the page are skipped in the index. */
export async function listPayments(db: Reader, owner: Owner, { count, ...place }: Page) {
  return pageOfAll(db, owner, { count, ...(await listStart(db, 'payments', owner, place)) })
}

const pageOfAll = preparedFor((db, owner, { count, upTo, offset }: Pick<Page, 'count'> & ListStart) =>
  NEWEST.rows(
    whole(db, NEWEST.ids(pageOf(db, owner, { count, upTo, offset, productIds: [owner.productId] }))),
  ),
)

type Place = Pick<Page, 'count'> & ListStart & Pick<PaymentSearch, 'productIds'>

const pageOf = (db: Reader, owner: Owner, { count, upTo, offset, productIds }: Place) =>
  scopedIn(db, 'payments', owner, productIds)
    .select()
    .select('payments.id')
    .where('payments.id', '<=', upTo)
    .limit(count)
    .offset(offset)

type PageQuery = ReturnType<typeof pageOf>

const NEWEST = newestBy('payments.id', 'payments.processed_at')

const whole = (db: Reader, ids: PageQuery) =>
  unscoped(db, 'the ids are those of a scoped query')
    .selectFrom('payments')
    .selectAll()
    .where('payments.id', 'in', ids)

/** A page of payments that a search narrows. */
export const searchPayments = (db: Reader, owner: Owner, search: PaymentSearch) =>
  pageOfPayments(db, owner, search).execute()

/** What is narrowed skips in the index of the filter. */
export function pageOfPayments(db: Reader, owner: Owner, search: PaymentSearch) {
  const reading = readingOf(search)
  return NEWEST.rows(whole(db, NEWEST.ids(narrowed(db, owner, search), reading)), reading)
}

const OF_FEW = ['user_id', 'license_id', 'subscription_id', 'coupon_id'] as const

const readingOf = ({ paid, sort, below, equal = {}, search }: PaymentSearch) => ({
  span: paid,
  sort,
  below,
  isOfFew:
    search !== undefined || equal.environment === 1 || OF_FEW.some((column) => equal[column] !== undefined),
})

/** How many payments a search finds, counted no further than `search.count`; run it in the background. */
export const countPayments = (db: Reader, owner: Owner, search: PaymentSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

function narrowed(db: Reader, owner: Owner, search: PaymentSearch): PageQuery {
  const { productIds, count, filter = 'all', equal = {}, search: searched } = search
  const start = fromNewest(search.offset, search.below)
  const page = narrow[filter](pageOf(db, owner, { productIds, count, ...start }))
  let ids = whereEqual(page, 'payments', equal)
  ids = NEWEST.between(ids, readingOf(search))
  return searched ? ids.where('payments.id', 'in', found(db, owner, productIds, searched)) : ids
}

/** As the indexes say it: a value in place of a literal would have each row looked up. */
const narrow: Record<PaymentFilter, (query: PageQuery) => PageQuery> = {
  all: (query) => query,
  refunds: (query) => query.where('payments.type', '=', 'refund'),
  disputed: (query) => query.where('payments.type', '=', 'disputed'),
  won_disputes: (query) => query.where('payments.type', '=', 'won_dispute'),
  chargebacks: (query) => query.where('payments.type', 'in', ['chargeback', 'lost_dispute']),
  not_refunded: (query) => kept(query),
  not_refunded_renewals: (query) => kept(query).where('payments.is_renewal', '=', true),
}

const kept = (query: PageQuery): PageQuery =>
  query
    .where(sql<boolean>`payments.type = 'payment'`)
    .where((is) => is('payments.refunded_gross', '=', is.lit(0)))
    .where((is) => is('payments.refunded_tax', '=', is.lit(0)))

/** By each of what the text may be apart: each has an index of its own. */
function found(db: Reader, owner: Owner, productIds: readonly number[], searched: Searched) {
  const { text, id, emailFolded } = searched
  const payments = () => scopedIn(db, 'payments', owner, productIds).select().select('payments.id')
  const users = unscoped(db, 'users of the product of the scope')
    .selectFrom('product_users')
    .select('product_users.user_id')
    .where('product_users.product_id', 'in', inList(productIds))
    .where('product_users.email_folded', '=', emailFolded)
  return payments()
    .where('payments.external_id', '=', text)
    .unionAll(payments().where('payments.user_id', 'in', users))
    .unionAll(payments().where('payments.id', '=', id ?? 0))
}

/**
 * What `extended` adds to payments that the caller was found to own; to a user, the address of an install of its own.
 */
export const extensionsOf = (db: Reader, ids: readonly number[], owner: Owner) =>
  unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .innerJoin('plans', 'plans.id', 'payments.plan_id')
    .leftJoin('installs', (join) =>
      join.onRef('installs.id', '=', 'payments.install_id').on(isOwnSite(owner)),
    )
    .leftJoin('invoices', 'invoices.payment_id', 'payments.id')
    .select(['payments.id', 'users.email', 'plans.name as plan_name', 'installs.url'])
    .select('invoices.kind as document')
    .where('payments.id', 'in', inList(ids))
    .execute()

/** What was agreed to at the checkouts of payments that the caller was found to own, or of their subscriptions. */
export const waiversOf = (db: Reader, rows: readonly Pick<PaymentRow, 'id' | 'subscription_id'>[]) =>
  unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('checkouts')
    .select(['payment_id', 'subscription_id', 'waiver', 'waived_at'])
    .where('waived_at', 'is not', null)
    .where((is) =>
      is.or([
        is('payment_id', 'in', inList(rows.map(({ id }) => id))),
        is('subscription_id', 'in', inList(rows.flatMap(({ subscription_id: id }) => id ?? []))),
      ]),
    )
    .orderBy('id')
    .execute()
