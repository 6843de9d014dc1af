import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { Problems } from '../../http/decode.ts'
import type { CountingContext } from '../../http/operation.ts'
import { requireRight } from '../../http/roles.ts'
import { parseObject } from '../../lib/json.ts'
import { listOf } from '../exports/kinds.ts'
import { queryOf, tellOfFilter, type Filter } from '../filter.ts'
import { MOST, type Total, type TotalOf } from './schema.ts'

interface Asked {
  readonly scope: Scope
  readonly query: TotalOf
}

/** Adds what the list would say of its filter to the problems of the request. */
export async function checkTotal(
  ctx: ReadContext,
  { scope, query }: Asked,
  problems: Problems,
): Promise<void> {
  if (problems.has('kind')) return
  const list = listOf(ctx, query.kind, true)
  requireRight(scope, list.op)
  const filter = filterIn(query)
  if (filter === undefined) {
    problems.malformed.push({ field: 'filter', message: 'must be JSON of an object' })
    return
  }
  for (const name of Object.keys(filter).filter((one) => !(one in (list.op.query?.properties ?? {}))))
    problems.malformed.push({
      field: `filter.${name}`,
      message: `is no argument of the list of ${query.kind}`,
    })
  const own = new Problems()
  const narrowed = queryOf(list, filter, own)
  await list.op.check?.(ctx as never, { scope, query: narrowed, params: {}, body: {} } as never, own)
  tellOfFilter(problems, own)
}

/** How many rows a list of the product has, told exactly up to 10,000; they are counted beside the requests. */
export async function getTotal(ctx: CountingContext, { scope, query }: Asked): Promise<Total> {
  const list = listOf(ctx, query.kind, true)
  const narrowed = queryOf(list, filterIn(query) ?? {}, new Problems())
  const request = { scope, params: {}, body: {}, query: { ...narrowed, count: MOST + 1, offset: 0 } }
  const count = await list.op.total?.(ctx as never, request as never)
  if (count === undefined) throw new Error(`Nothing counts ${query.kind}.`)
  return { total: Math.min(count, MOST), is_more: count > MOST }
}

/** Undefined where it is no JSON of an object. */
const filterIn = ({ filter = '{}' }: TotalOf): Filter | undefined => parseObject(filter)
