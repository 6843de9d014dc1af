import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Id, IdText, Optional, Text, Time, Nullable } from '../../http/wire.ts'

export const PersonId = Arguments({ user_id: Id('ID of the user.') })

export const EraseUser = Arguments({
  email: Text({
    max: 254,
    description: 'The address of the user, typed again: nothing brings back what is erased.',
  }),
})

export const Erasure = Type.Object(
  {
    user_id: IdText(),
    state: Type.Unsafe<'erasing' | 'erased'>(
      Type.String({ enum: ['erasing', 'erased'], description: 'Whether a job has still to do with it.' }),
    ),
    created: Time('When it was asked for.'),
    finished: Nullable(Time('When nothing was left; null: not yet.')),
  },
  { title: 'Erasure' },
)
export type Erasure = Static<typeof Erasure>

export const ExportUser = Arguments({
  after: Optional(
    Text({ max: 60, description: 'The `next` of the page before; absent: from the beginning.' }),
  ),
})

export const PersonPage = Type.Object(
  {
    format: Type.String({ enum: ['keywright.person/1'] }),
    user_id: IdText(),
    records: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'What it is, as docs/privacy.md lists it.' }),
        data: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    next: Nullable(Type.String({ description: 'Where the next page begins; null: this is the last.' })),
  },
  { title: 'PersonPage' },
)
export type PersonPage = Static<typeof PersonPage>
