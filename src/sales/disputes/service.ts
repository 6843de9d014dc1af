import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { spanOf } from '../../lib/time-text.ts'
import { countDisputes, listDisputes } from './queries.ts'
import { presentDispute, type AccountDisputeList, type Dispute, type DisputeList } from './schema.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

/** A page of the disputes of a product, newest first. */
export async function disputesOfProduct(
  ctx: ListContext,
  scope: Scope,
  query: DisputeList,
): Promise<Dispute[]> {
  const rows = await listDisputes(pageReader(ctx, query), scope, searchOf(query))
  return rows.map(presentDispute)
}

/** How many disputes a list of a product has, counted no further than its `count`. */
export const totalOfDisputes = (ctx: ListContext, scope: Scope, query: DisputeList): Promise<number> =>
  countDisputes(ctx.database.background, scope, searchOf(query))

const searchOf = (query: DisputeList) => ({
  state: query.filter,
  equal: {
    ...(query.user_id !== undefined && { user_id: query.user_id }),
    ...(query.environment !== undefined && { environment: query.environment }),
  },
  made: spanOf(query),
  sort: query.sort,
  count: query.count,
  offset: query.offset,
})

/** A page of the disputes of all products of an account, newest first. */
export async function disputesOfAccount(
  ctx: ListContext,
  scope: Scope,
  query: AccountDisputeList,
): Promise<Dispute[]> {
  const lists = await overProducts(ctx, scope, query, (of, whole) => disputesOfProduct(ctx, of, whole))
  return pageOfAll(lists, query, orderOf(query))
}
