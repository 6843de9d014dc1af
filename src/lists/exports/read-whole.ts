import type { Context } from '../../context.ts'
import { shownTo } from '../../access/data-classes.ts'
import { productsOfAccount } from '../../access/credential-rows.ts'
import type { Scope } from '../../access/scope.ts'
import { PLACE, type List } from './kinds.ts'
import type { Filter } from '../filter.ts'

/** Rows that are read at once. */
const BATCH = 500

type Item = Readonly<Record<string, unknown>>

/** Some rows of a list, and how far it is with them, from 0 to 1. */
export interface Batch {
  readonly items: readonly Item[]
  readonly progress: number
}

interface Wanted {
  readonly scope: Scope
  readonly query: Filter
  /** Null: all that the caller opens. */
  readonly productIds: readonly number[] | null
  /** Rows that are read at once. */
  readonly batch?: number
  /** Where a list of one product goes on: below this id. */
  readonly below?: number
}

/**
 * All of a list that its caller may see, newest first, product by product, by its own operation: what was made since it
 * began is left out. It is read beside the requests, by the ids of what was read last.
 */
export async function* readWhole(
  ctx: Context,
  list: List,
  wanted: Wanted,
): AsyncGenerator<Batch, void, undefined> {
  const { scope, productIds } = wanted
  const ids = list.isOfProducts ? await productsIn(ctx, scope, productIds) : [0]
  for (const [n, productId] of ids.entries()) {
    for await (const { items, progress } of readOne(ctx, list, {
      ...wanted,
      scope: { ...scope, productId },
    })) {
      const placed = list.isOfProducts
        ? items.map((item) => ({ [PLACE]: String(productId), ...item }))
        : items
      yield { items: placed, progress: (n + progress) / ids.length }
    }
  }
}

async function productsIn(ctx: Context, scope: Scope, named: Wanted['productIds']): Promise<number[]> {
  const all = await productsOfAccount(ctx.db, scope)
  return named ? all.filter((id) => named.includes(id)) : all
}

async function* readOne(
  ctx: Context,
  { op, more }: List,
  { scope, query, batch = BATCH, below: from = Number.MAX_SAFE_INTEGER }: Wanted,
): AsyncGenerator<Batch, void, undefined> {
  const reading = { ...ctx, db: ctx.database.background }
  let below = from
  let newest = 0
  for (;;) {
    const place = { count: batch, offset: 0, below, before: below }
    const request = { scope, params: {}, body: {}, query: { ...query, ...more, ...place } }
    const reply = await op.handle(reading as never, request as never, undefined as never)
    const shown = shownTo(scope, reply, op.credentials) as Readonly<Record<string, unknown>>
    const items = shown[op.items ?? ''] as readonly Item[]
    const last = items.at(-1)
    if (!last) return
    below = Number(last['id'])
    newest ||= Number(items[0]?.['id'])
    const isLast = items.length < batch
    yield { items, progress: isLast ? 1 : 1 - below / (newest + 1) }
    if (isLast) return
  }
}
