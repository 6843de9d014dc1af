import type { ReadContext } from '../../context.ts'
import { isStranger, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { findAddon, listAddons } from './queries.ts'
import type { AddonList } from './schema.ts'

/** The scope of the same caller in an add-on of its product; 404 when the product has no such add-on. */
export async function addonScope(ctx: ReadContext, scope: Scope, id: number): Promise<Scope> {
  const { developerId, productId } = scope
  const [addon] = await findAddon(ctx.db, { developerId, productId, id })
  if (!addon) throw notFound('add-on')
  return { ...scope, productId: addon.id }
}

/** Whether a caller that asks for what is not released is shown it: who has only a public key is not. */
export const isPendingShown = (scope: Scope, wanted: boolean): boolean => wanted && !isStranger(scope)

/** The rows of a page of add-ons, the oldest first; those not released, or archived, only on request. */
export function getAddonRows(
  ctx: ReadContext,
  scope: Scope,
  { show_pending: showPending, count, offset }: AddonList,
) {
  const { developerId, productId } = scope
  const list = isPendingShown(scope, showPending) ? listAddons.all : listAddons.released
  return list(ctx.db, { developerId, productId, count, offset })
}
