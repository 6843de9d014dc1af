import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { listDisputes } from './queries.ts'
import { presentDispute, type AccountDisputeList, type Dispute, type DisputeList } from './schema.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

/** A page of the disputes of a product, newest first. */
export async function disputesOfProduct(
  ctx: ListContext,
  scope: Scope,
  { filter: state, user_id, environment, count, offset }: DisputeList,
): Promise<Dispute[]> {
  const equal = {
    ...(user_id !== undefined && { user_id }),
    ...(environment !== undefined && { environment }),
  }
  const rows = await listDisputes(pageReader(ctx, { offset }), scope, { state, equal, count, offset })
  return rows.map(presentDispute)
}

/** A page of the disputes of all products of an account, newest first. */
export async function disputesOfAccount(
  ctx: ListContext,
  scope: Scope,
  query: AccountDisputeList,
): Promise<Dispute[]> {
  const lists = await overProducts(ctx, scope, query, (of, whole) => disputesOfProduct(ctx, of, whole))
  return pageOfAll(lists, query, orderOf({}))
}
