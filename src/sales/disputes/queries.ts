import { sql, type RawBuilder } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { DisputeState } from './schema.ts'

interface DisputeSearch {
  readonly state: DisputeState | undefined
  /** What their columns must have. */
  readonly equal: { readonly user_id?: number; readonly environment?: Environment }
  readonly made?: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  readonly count: number
  readonly offset: number
}

export type DisputeRow = Awaited<ReturnType<typeof listDisputes>>[number]

/** What a dispute ended with, as its index says it. */
const CLOSING = sql<boolean>`closing.type in ('won_dispute', 'lost_dispute')`

/** One page of disputes with their ends, newest first. */
export const listDisputes = (db: Reader, owner: Owner, search: DisputeSearch) =>
  pageOfDisputes(db, owner, search).execute()

export function pageOfDisputes(db: Reader, owner: Owner, search: DisputeSearch) {
  const reading = readingOf(search)
  const ids = NEWEST.ids(narrowed(db, owner, search), reading)
    .limit(search.count)
    .offset(search.offset)
  const all = scoped(db, 'payments', owner)
    .select()
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('payments as closing', (join) =>
      join.onRef('closing.bound_payment_id', '=', 'payments.bound_payment_id').on(CLOSING),
    )
    .selectAll('payments')
    .select(['users.email', 'closing.type as end', 'closing.processed_at as closed_at'])
  return NEWEST.rows(all.where('payments.id', 'in', ids), reading)
}

/** How many disputes there are, counted no further than `search.count`. */
export const countDisputes = (db: Reader, owner: Owner, search: DisputeSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

const ended = (as: RawBuilder<boolean>) => sql<boolean>`exists (select 1 from payments as closing
  where closing.bound_payment_id = payments.bound_payment_id and ${CLOSING} and ${as})`

const ENDED: Readonly<Record<DisputeState, RawBuilder<boolean>>> = {
  open: sql`not ${ended(sql`1 = 1`)}`,
  won: ended(sql`closing.type = 'won_dispute'`),
  lost: ended(sql`closing.type = 'lost_dispute'`),
}

const NEWEST = newestBy('payments.id', 'payments.processed_at')

/** Disputes are few among the payments of a span. */
const readingOf = ({ made, sort }: DisputeSearch) => ({ span: made, sort, isOfFew: true })

function narrowed(db: Reader, owner: Owner, search: DisputeSearch) {
  const all = scoped(db, 'payments', owner)
    .select()
    .select('payments.id')
    .where('payments.type', '=', 'disputed')
  const { state } = search
  const inState = state === undefined ? all : all.where(ENDED[state])
  return NEWEST.between(whereEqual(inState, 'payments', search.equal), readingOf(search))
}
