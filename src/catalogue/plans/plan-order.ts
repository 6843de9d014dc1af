import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hold } from '../../db/hold.ts'
import { recordEvent } from '../../events/log/record.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { touchCatalogue, writePlanOrder } from '../products/catalogue.ts'
import { listPlans } from './queries.ts'
import type { Plan, PlanOrder } from './schema.ts'
import { getPlans } from './service.ts'

/**
 * Puts all plans of the product in this order; the default one is still told first, as clients take
 * the first. 400 `plan_order_mismatch` says which are missing or unknown: an order that was made before
 * another plan was added or deleted changes nothing. Each plan whose place changes has its event.
 */
export async function orderPlans(ctx: TxContext, scope: Scope, { ids: text }: PlanOrder): Promise<Plan[]> {
  const ids = parseIdList(text) ?? []
  const product = await hold(ctx.db, 'products', scope, scope.productId)
  if (!product) throw notFound('product')
  const before = inOrderOf(product.plans, await listPlans(ctx.db, scope, {})).map(({ id }) => id)
  refuseMismatch(before, ids)
  const moved = ids.filter((id, place) => before[place] !== id)
  if (moved.length > 0) {
    await touchCatalogue(ctx.db, scope)
    await writePlanOrder(ctx.db, scope, ids)
  }
  for (const id of moved) {
    const placeIn = (order: readonly number[]) => ({ place: order.indexOf(id) + 1 })
    const data = { plan_id: String(id), from: placeIn(before), to: placeIn(ids) }
    await recordEvent(ctx, scope, { type: 'plan.updated', data })
  }
  return getPlans(ctx, scope)
}

function refuseMismatch(plans: readonly number[], ids: readonly number[]): void {
  const faults = [
    ['missing', plans.filter((id) => !ids.includes(id))],
    ['unknown', ids.filter((id) => !plans.includes(id))],
  ] as const
  const told = faults
    .filter(([, some]) => some.length > 0)
    .map(([what, some]) => `${what}: ${some.join(', ')}`)
  if (told.length === 0) return
  throw invalid(
    'plan_order_mismatch',
    `An order names each plan of the product once; ${told.join('; ')}.`,
    'ids',
  )
}
