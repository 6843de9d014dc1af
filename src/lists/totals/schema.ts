import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Optional, SecretText } from '../../http/wire.ts'
import { LIST_KINDS, type ListKind } from '../exports/kinds.ts'

/** All but the audit log, which is read to its end. */
const KINDS = LIST_KINDS.filter((kind): kind is Exclude<ListKind, 'audit'> => kind !== 'audit')

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
