import { sql } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { preparedFor } from '../../db/prepared.ts'
import { isOwnSite } from '../../db/reach.ts'
import { scopedIn, unscoped, type Owner } from '../../db/scoped.ts'
import { newestBy } from '../../db/newest-by.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Searched } from '../../lib/searched.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { SubscriptionFilter, SubscriptionRow, SubscriptionSort } from './schema.ts'

interface Page extends GoingOn {
  readonly count: number
  readonly offset: number
}

export interface SubscriptionSearch extends Page {
  readonly productIds: readonly number[]
  readonly filter?: SubscriptionFilter
  readonly sort: SubscriptionSort
  /** What their columns must have. */
  readonly equal?: Partial<SubscriptionRow>
  readonly gateway?: 'paypal' | 'stripe' | undefined
  readonly made?: TimeSpan | undefined
  readonly search?: Searched | undefined
}

/** Every subscription of the owner, newest first: the rows before the page are skipped in the index. */
export async function listSubscriptions(db: Reader, owner: Owner, { count, ...place }: Page) {
  return pageOfAll(db, owner, { count, ...(await listStart(db, 'subscriptions', owner, place)) })
}

const pageOfAll = preparedFor((db, owner, { count, upTo, offset }: Pick<Page, 'count'> & ListStart) =>
  NEWEST.rows(
    whole(
      db,
      NEWEST.ids(ids(db, owner, [owner.productId]).where('subscriptions.id', '<=', upTo))
        .limit(count)
        .offset(offset),
    ),
  ),
)

const NEWEST = newestBy('subscriptions.id', 'subscriptions.created')

const ids = (db: Reader, owner: Owner, productIds: readonly number[]) =>
  scopedIn(db, 'subscriptions', owner, productIds).select().select('subscriptions.id')

type Ids = ReturnType<typeof ids>

const whole = (db: Reader, found: Ids) =>
  unscoped(db, 'the ids are those of a scoped query')
    .selectFrom('subscriptions')
    .selectAll()
    .where('subscriptions.id', 'in', found)

/** By the next payment, what is cancelled comes last either way. */
const byPayment = <Q extends { orderBy: Ids['orderBy'] }>(query: Q, sort: SubscriptionSort): Q => {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const last = sql.lit(direction === 'desc' ? '0' : '9')
  const ordered = query.orderBy(sql`coalesce(subscriptions.next_payment, ${last})`, direction)
  return ordered.orderBy('subscriptions.id', direction) as unknown as Q
}

/** A page, narrowed and in any order. */
export const searchSubscriptions = (db: Reader, owner: Owner, search: SubscriptionSearch) =>
  pageOfSubscriptions(db, owner, search).execute()

/** What is narrowed skips in the index of the filter. */
export const pageOfSubscriptions = (db: Reader, owner: Owner, search: SubscriptionSearch) => {
  const { sort, count, offset } = search
  const found = narrowed(db, owner, search).limit(count).offset(offset)
  if (sort !== '-id' && sort !== 'id') return byPayment(whole(db, byPayment(found, sort)), sort)
  const reading = readingOf(search)
  return NEWEST.rows(whole(db, NEWEST.ids(found, reading)), reading)
}

const readingOf = ({ made, sort, below, equal, search }: SubscriptionSearch) => ({
  span: made,
  sort: sort === 'id' ? sort : undefined,
  below,
  isOfFew: (search ?? equal?.user_id ?? equal?.license_id) !== undefined || equal?.environment === 1,
})

/** How many subscriptions a search finds, counted no further than `search.count`; run it in the background. */
export const countSubscriptions = (db: Reader, owner: Owner, search: SubscriptionSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

function narrowed(db: Reader, owner: Owner, search: SubscriptionSearch): Ids {
  const { productIds, filter = 'all', equal = {}, gateway, search: searched, offset } = search
  let found = whereEqual(narrow[filter](ids(db, owner, productIds)), 'subscriptions', equal)
  if (search.below !== undefined)
    found = found.where('subscriptions.id', '<=', fromNewest(offset, search.below).upTo)
  found = NEWEST.between(found, readingOf(search))
  if (gateway !== undefined) found = found.where('subscriptions.gateway', 'in', GATEWAYS[gateway])
  return searched ? found.where('subscriptions.id', 'in', foundBy(db, owner, productIds, searched)) : found
}

/** What clients call a gateway, and the codes that begin so (`docs/interface.md` 7.1). */
const GATEWAYS = { paypal: ['paypal'], stripe: ['stripe', 'stripe_eu'] }

const narrow: Record<SubscriptionFilter, (query: Ids) => Ids> = {
  all: (query) => query,
  active: (query) => query.where('subscriptions.canceled_at', 'is', null),
  cancelled: (query) => query.where('subscriptions.canceled_at', 'is not', null),
}

/**
 * By each of what the text may be apart: each has an index of its own. Own reach, which reads neither address nor
 * external id, finds by id alone.
 */
function foundBy(db: Reader, owner: Owner, productIds: readonly number[], searched: Searched) {
  const { text, id, emailFolded } = searched
  const subscriptions = () => ids(db, owner, productIds)
  if (owner.reach) return subscriptions().where('subscriptions.id', '=', id ?? 0)
  const users = unscoped(db, 'users of the product of the scope')
    .selectFrom('product_users')
    .select('product_users.user_id')
    .where('product_users.product_id', 'in', inList(productIds))
    .where('product_users.email_folded', '=', emailFolded)
  return subscriptions()
    .where('subscriptions.external_id', '=', text)
    .unionAll(subscriptions().where('subscriptions.user_id', 'in', users))
    .unionAll(subscriptions().where('subscriptions.id', '=', id ?? 0))
}

/** What `extended` adds to subscriptions that the caller was found to own; to a user, what of an install of its own. */
export const extensionsOf = (db: Reader, found: readonly number[], owner: Owner) =>
  unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .leftJoin('installs', (join) =>
      join.onRef('installs.id', '=', 'subscriptions.install_id').on(isOwnSite(owner)),
    )
    .select(['subscriptions.id', 'users.email', 'plans.name as plan_name', 'installs.url', 'installs.title'])
    .where('subscriptions.id', 'in', inList(found))
    .execute()
