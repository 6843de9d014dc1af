import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'

type Typed = Pick<Product, 'type' | 'type_alias'>

/** Types beside WordPress, as which a seller creates a product (`src/catalogue/products/types.ts`). */
const OWN: ReadonlySet<string> = new Set(['app', 'desktop', 'saas', 'library'])

/** Whether a product is of a type beside WordPress, which is answered as the label of a widget. */
export const isOwnType = ({ type, type_alias: alias }: Typed): boolean =>
  type === 'widget' && OWN.has(alias.toLowerCase())

/** The type of a product as a seller chose it. */
export const typeOf = (product: Typed): string =>
  isOwnType(product) ? product.type_alias.toLowerCase() : product.type
