import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import { isSeller, keysShownTo, type Scope } from '../../access/scope.ts'
import { Arguments, Choice, Fields, Id, Nullable, Optional, Paging } from '../../http/wire.ts'
import { PluginInfo } from '../products/info-schema.ts'
import { PRODUCT_COLUMNS } from '../products/product.entity.ts'
import { Plugin, presentProduct, type ProductRow } from '../products/schema.ts'

/** An add-on; with what a market shows of it when that is asked for. */
export const Addon = Type.Object(
  { ...Plugin.properties, info: Optional(Nullable(PluginInfo)) },
  { title: 'Addon' },
)
export type Addon = Static<typeof Addon>

export const AddonList = Arguments({
  show_pending: Type.Boolean({ default: false, description: 'Also those that are not released.' }),
  enriched: Type.Boolean({ default: false, description: 'Adds `info`, what a market shows.' }),
  ...Paging,
  ...Fields,
})
export type AddonList = Static<typeof AddonList>

/** The columns of an add-on, with the table's name. */
export const ADDON_COLUMNS = PRODUCT_COLUMNS

export const AddonId = Arguments({ addon_id: Id('ID of the add-on.') })
export const AddonPlanId = Arguments({ addon_id: Id('ID of the add-on.'), plan_id: Id('ID of the plan.') })

export const AddonPlanList = Arguments({
  show_pending: Type.Boolean({ default: false, description: 'Also of an add-on that is not released.' }),
  type: Choice(['all', 'visible'], {
    default: 'all',
    description: 'The value visible leaves out hidden ones.',
  }),
  ...Paging,
  ...Fields,
})
export type AddonPlanList = Static<typeof AddonPlanList>

/** Who owns the add-on itself: the keys of its parent open only the parent. */
const OWNERS: readonly Scope['actor']['kind'][] = ['developer', 'store']

/**
 * Row → wire: the secret key for its owner alone, and no sums of money but for the seller (`docs/decisions.md` 1.10).
 */
export function presentAddon(
  row: ProductRow,
  scope: Scope,
  ctx: Pick<ReadContext, 'keys' | 'baseUrl'>,
): Plugin {
  const { actor } = scope
  const keys = OWNERS.includes(actor.kind) ? keysShownTo(scope, ctx.keys) : null
  const addon = presentProduct(row, keys, ctx)
  if (isSeller(scope)) return addon
  return {
    ...addon,
    total_purchases: 0,
    total_subscriptions: 0,
    total_renewals: 0,
    total_failed_purchases: 0,
    earnings: 0,
  }
}

/** A list of add-ons. */
export const Addons = Type.Object({
  addons: Type.Array(Addon),
  plugins: Type.Array(Addon, { description: 'The same list, as clients read it.' }),
})
