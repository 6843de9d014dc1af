import { invalidFields } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import type { ProductRow } from './product.entity.ts'

export const PRODUCT_TYPES = ['plugin', 'theme', 'widget', 'template'] as const

interface OwnType {
  /** What a license of it counts, for one and for several. */
  readonly unit: readonly [string, string]
}

/**
 * Types beside those that clients know. A product of one is answered as the type `widget`, with its own in
 * `type_alias`, so that no client reads a type that it has not heard of (`docs/decisions.md` 1.13).
 */
const OWN_TYPES = {
  app: { unit: ['Device', 'Devices'] },
  desktop: { unit: ['Device', 'Devices'] },
  saas: { unit: ['Seat', 'Seats'] },
  library: { unit: ['Project', 'Projects'] },
} as const satisfies Readonly<Record<string, OwnType>>
type OwnTypeName = keyof typeof OWN_TYPES

/** As what a product of these types is answered. */
const ANSWERED_AS = 'widget'

/** What a seller may call a product. */
export const GIVEN_TYPES = [...PRODUCT_TYPES, 'app', 'desktop', 'saas', 'library'] as const
export type GivenType = (typeof GIVEN_TYPES)[number]

export const isOwn = (type: string): type is OwnTypeName => Object.hasOwn(OWN_TYPES, type)

/** The type of a product beside WordPress; null: it is one that clients know. */
export function ownTypeOf({ type, type_alias: alias }: Pick<ProductRow, 'type' | 'type_alias'>) {
  const name = fold(alias)
  return type === ANSWERED_AS && isOwn(name) ? name : null
}

interface Told {
  readonly type: GivenType
  readonly type_alias?: string | undefined
}
type Columns = Pick<ProductRow, 'type'> & Partial<Pick<ProductRow, 'type_alias'>>

/** The columns that the type of a product is kept in that is created. 400 for one of these beside another label. */
export function columnsOfType({ type, type_alias: alias }: Told): Columns {
  if (!isOwn(type)) return { type, ...(alias !== undefined && { type_alias: alias }) }
  if (alias !== undefined && fold(alias) !== type) {
    throw invalidFields([{ field: 'type_alias', message: `must be left out, or be ${type}, for this type` }])
  }
  return { type: ANSWERED_AS, type_alias: type }
}

/** The columns that change with the type of a product that is there; who sends back what it was answered as changes nothing. */
export function changedType(before: Required<Columns>, type: GivenType): Partial<Columns> {
  if (isOwn(type)) return { type: ANSWERED_AS, type_alias: type }
  if (ownTypeOf(before) === null) return { type }
  return type === ANSWERED_AS ? {} : { type, type_alias: '' }
}

export interface StartOfType {
  selling_unit_singular?: string
  selling_unit_plural?: string
  is_sdk_required?: boolean
}

/** What a product of a type begins with: the unit of its licenses, and without what is of WordPress alone. */
export function startOfType(type: GivenType): StartOfType {
  if (!isOwn(type)) return {}
  const [singular, plural] = OWN_TYPES[type].unit
  return { selling_unit_singular: singular, selling_unit_plural: plural, is_sdk_required: false }
}
