import type { ReadContext } from '../../context.ts'
import { productsOfAccount } from '../../access/credential-rows.ts'
import type { Scope } from '../../access/scope.ts'
import { decode, Problems } from '../../http/decode.ts'
import type { CountingContext } from '../../http/operation.ts'
import { ONLY_SOME } from '../../http/bearer.ts'
import { requireRight } from '../../http/roles.ts'
import { OverProducts } from '../../http/wire.ts'
import { unauthorized } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { parseObject } from '../../lib/json.ts'
import { Type } from '../../lib/type.ts'
import { listOf, type List } from '../exports/kinds.ts'
import { queryOf, tellOfFilter, type Filter } from '../filter.ts'
import { MOST, type Total, type TotalOf } from './schema.ts'

interface Asked {
  readonly scope: Scope
  readonly query: TotalOf
}

/** What a list over the products of an account has beside the arguments of that of a product. */
const Over = Type.Object({ product_ids: OverProducts.product_ids })

const isOfAccount = ({ productId }: Scope): boolean => productId === 0

/** Adds what the list would say of its filter to the problems of the request. */
export async function checkTotal(
  ctx: ReadContext,
  { scope, query }: Asked,
  problems: Problems,
): Promise<void> {
  if (problems.has('kind')) return
  const list = listOf(ctx, query.kind, true)
  requireRight(scope, list.op)
  if (!list.isOfProducts) requireWhole(scope, list)
  if (!list.isOfProducts && !isOfAccount(scope)) {
    problems.malformed.push({ field: 'kind', message: 'is a list of the account, not of a product' })
    return
  }
  const filter = filterIn(query)
  if (filter === undefined) {
    problems.malformed.push({ field: 'filter', message: 'must be JSON of an object' })
    return
  }
  const over = isOver(list, scope) ? Over : Type.Object({})
  const known = { ...list.op.query?.properties, ...over.properties }
  for (const name of Object.keys(filter).filter((one) => !(one in known)))
    problems.malformed.push({
      field: `filter.${name}`,
      message: `is no argument of the list of ${query.kind}`,
    })
  const own = new Problems()
  decode(over, filter, 'text', own)
  const narrowed = queryOf(list, filter, own)
  await list.op.check?.(ctx as never, { scope, query: narrowed, params: {}, body: {} } as never, own)
  tellOfFilter(problems, own)
}

/**
 * How many rows a list of the product has, or one of the account, which may be that of each of its products; told exactly
 * up to 10,000. They are counted beside the requests.
 */
export async function getTotal(ctx: CountingContext, { scope, query }: Asked): Promise<Total> {
  const list = listOf(ctx, query.kind, true)
  const filter = filterIn(query) ?? {}
  const narrowed = queryOf(list, filter, new Problems())
  let count = 0
  for (const place of isOver(list, scope) ? await productsIn(ctx, scope, filter) : [scope]) {
    const most = { ...narrowed, count: MOST + 1 - count, offset: 0 }
    const found = await list.op.total?.(
      ctx as never,
      { scope: place, params: {}, body: {}, query: most } as never,
    )
    if (found === undefined) throw new Error(`Nothing counts ${query.kind}.`)
    count += found
    if (count > MOST) break
  }
  return { total: Math.min(count, MOST), is_more: count > MOST }
}

/** 401 `token_not_allowed` where the list is not for a token that is narrowed to some products. */
function requireWhole({ actor }: Scope, { op }: List): void {
  if (actor.productIds && op.isForNarrowed !== true) throw unauthorized('token_not_allowed', ONLY_SOME)
}

const isOver = ({ isOfProducts }: List, scope: Scope): boolean => isOfProducts && isOfAccount(scope)

/** The products of the account that the caller opens, or those of them that are named. */
async function productsIn(ctx: ReadContext, scope: Scope, filter: Filter): Promise<Scope[]> {
  const { product_ids: text } = decode(Over, filter, 'text', new Problems()) as { product_ids?: string }
  const named = text === undefined ? null : new Set(parseIdList(text))
  const ids = await productsOfAccount(ctx.db, scope)
  return ids.filter((id) => named?.has(id) ?? true).map((productId) => ({ ...scope, productId }))
}

/** Undefined where it is no JSON of an object. */
const filterIn = ({ filter = '{}' }: TotalOf): Filter | undefined => parseObject(filter)
