import type { Selectable, Updateable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { ProductsTable } from '../../db/tables/products.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { PRODUCT, type ProductRow } from './product.entity.ts'

export type { ProductRow } from './product.entity.ts'

/** Every column, for the rules of a change; never a reply. */
export type WholeProduct = Selectable<ProductsTable>
export type ProductChange = Updateable<ProductsTable>

/** The contract's `Plugin`: a product, an add-on or a bundle. Money is US dollars. */
export const Plugin = Type.Object(PRODUCT.shown, { title: 'Plugin' })
export type Plugin = Static<typeof Plugin>

/** Row → wire; `keys` is null for a caller that may not see the secret key (`keysShownTo`). */
export function presentProduct(
  row: ProductRow,
  keys: Keyring | null,
  ctx: Pick<ReadContext, 'baseUrl'>,
): Plugin {
  return { ...PRODUCT.present(row, keys), icon: pictureUrl(ctx, row.icon) }
}
