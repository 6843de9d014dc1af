import { columnsOfType, isOwn, startOfType } from '../../catalogue/products/types.ts'
import { fold } from '../../lib/fold.ts'
import { refuses } from './column.ts'

type Said = Readonly<Record<string, unknown>>

/**
 * A product of a type beside WordPress as it is kept (`docs/decisions.md` 1.13), with what such a product begins with
 * where nothing is said. What does not fit the type is left to `TYPE_RULES`.
 */
export function ofOwnType(given: Said): Said {
  const { type, type_alias: label = '' } = given
  if (typeof type !== 'string' || !isOwn(type) || isBundle(given)) return given
  if (label !== '' && (typeof label !== 'string' || fold(label) !== type)) return given
  return { ...startOfType(type), ...given, ...columnsOfType({ type }) }
}

/** Only a row that does not fit it has such a type still. */
const hasOwnType = ({ type }: Said) => typeof type === 'string' && isOwn(type)
const isBundle = ({ kind }: Said) => kind === 'bundle'

export const TYPE_RULES = [
  refuses('type', 'no_bundle', 'is no type of a bundle', (row) => hasOwnType(row) && isBundle(row)),
  refuses(
    'type_alias',
    'other_label',
    'must be left out, or be the type, for this type',
    (row) => hasOwnType(row) && !isBundle(row),
  ),
]
