import { Type, type Static } from '../lib/type.ts'

/** The word for what a license is counted in, as its seller has it. */
export const SellingUnit = Type.Object(
  { singular: Type.String(), plural: Type.String() },
  { title: 'SellingUnit' },
)

interface UnitColumns {
  readonly selling_unit_singular: string
  readonly selling_unit_plural: string
}

/** Row of a product → wire. */
export const sellingUnitOf = (row: UnitColumns): Static<typeof SellingUnit> => ({
  singular: row.selling_unit_singular,
  plural: row.selling_unit_plural,
})
