import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Optional, SecretText } from '../../http/wire.ts'
import { EXPORT_KINDS, type ExportKind } from '../exports/kinds.ts'

/** The lists of a product. */
const KINDS = EXPORT_KINDS.filter((kind): kind is Exclude<ExportKind, 'audit'> => kind !== 'audit')

/** How many rows are told one by one; beyond that it is said that there are more. */
export const MOST = 10_000

export const TotalOf = Arguments({
  kind: Choice(KINDS, { description: 'Which list.' }),
  filter: Optional(
    SecretText({
      max: 4_000,
      description:
        'What narrows the list: JSON of an object with arguments of its operation, by their names; absent: nothing.',
    }),
  ),
})
export type TotalOf = Static<typeof TotalOf>

/** How many rows a list has. */
export const Total = Type.Object(
  {
    total: Type.Integer({ minimum: 0, maximum: MOST }),
    is_more: Type.Boolean({
      description: 'Whether there are more than `total`, which is as far as was looked.',
    }),
  },
  { title: 'ListTotal' },
)
export type Total = Static<typeof Total>
