import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { DisputeState } from './schema.ts'

interface DisputeSearch {
  readonly state: DisputeState | undefined
  /** What their columns must have. */
  readonly equal: { readonly user_id?: number; readonly environment?: Environment }
  readonly count: number
  readonly offset: number
}

export type DisputeRow = Awaited<ReturnType<typeof listDisputes>>[number]

/** What a dispute ended with, as its index says it. */
const CLOSING = sql<boolean>`closing.type in ('won_dispute', 'lost_dispute')`

/** One page of disputes with their ends, newest first. */
export const listDisputes = (db: Reader, owner: Owner, search: DisputeSearch) =>
  pageOfDisputes(db, owner, search).execute()

export function pageOfDisputes(db: Reader, owner: Owner, { state, equal, count, offset }: DisputeSearch) {
  const all = scoped(db, 'payments', owner)
    .select()
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('payments as closing', (join) =>
      join.onRef('closing.bound_payment_id', '=', 'payments.bound_payment_id').on(CLOSING),
    )
    .selectAll('payments')
    .select(['users.email', 'closing.type as end', 'closing.processed_at as closed_at'])
    .where('payments.type', '=', 'disputed')
  const inState =
    state === undefined
      ? all
      : state === 'open'
        ? all.where('closing.id', 'is', null)
        : all.where('closing.type', '=', state === 'won' ? 'won_dispute' : 'lost_dispute')
  const found = whereEqual(inState, 'payments', equal)
  return found.orderBy('payments.id', 'desc').limit(count).offset(offset)
}
