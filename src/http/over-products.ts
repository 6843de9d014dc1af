import type { ReadContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import { productsOfAccount } from '../access/credential-rows.ts'
import type { ListSort } from '../db/newest-by.ts'
import { compareTexts } from '../lib/compare-texts.ts'
import { FARTHEST } from './wire.ts'
import { parseIdList } from '../lib/id-list.ts'

interface Paged {
  readonly product_ids?: string
  readonly count: number
  readonly offset: number
}

/**
 * Reads a list of each product of the account that the caller opens, as far as a page of all may reach into it; of none
 * where the page is farther from the start than `FARTHEST`.
 */
export async function overProducts<Q extends Paged, R>(
  ctx: ReadContext,
  scope: Scope,
  query: Q,
  read: (scope: Scope, query: Q) => Promise<R>,
): Promise<R[]> {
  const { product_ids: named, count, offset } = query
  if (offset > FARTHEST) return []
  const asked = named === undefined ? null : new Set(parseIdList(named))
  const all = await productsOfAccount(ctx.db, scope)
  const ids = asked ? all.filter((id) => asked.has(id)) : all
  const whole = { ...query, offset: 0, count: offset + count }
  return Promise.all(ids.map((productId) => read({ ...scope, productId }, whole)))
}

interface Listed {
  readonly id: string
  readonly created: string
}

interface Order {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly sort?: ListSort | undefined
}

/** As each list is ordered: by id, in a span by time; newest first unless it is sorted otherwise. */
export function orderOf({ from, to, sort }: Order): (a: Listed, b: Listed) => number {
  const way = sort === 'id' ? 1 : -1
  const byId = (a: Listed, b: Listed) => (Number(a.id) - Number(b.id)) * way
  if ((from ?? to) === undefined) return byId
  return (a, b) => compareTexts(a.created, b.created) * way || byId(a, b)
}

/** A page of what was read of each product. */
export const pageOfAll = <T>(
  lists: readonly (readonly T[])[],
  { count, offset }: Pick<Paged, 'count' | 'offset'>,
  order: (a: T, b: T) => number,
): T[] =>
  lists
    .flat()
    .toSorted(order)
    .slice(offset, offset + count)
