import { Type, type Static } from '../../lib/type.ts'
import {
  Arguments,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
  TimeText,
} from '../../http/wire.ts'

export const AuditEntry = Type.Object(
  {
    id: IdText(),
    created: Time(),
    action: Type.String({ description: 'The operation, the command (`cli/…`), or what the log calls it.' }),
    actor: Type.Object({
      kind: Type.String({
        description: 'Who: `developer`, `token`, `product`, `user`, `install`, `system`, …',
      }),
      id: Type.String(),
      credential: Type.String({ description: 'By what, never its value: `session:3`, `token:7`.' }),
    }),
    plugin_id: Nullable(IdText()),
    ip: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
    details: Type.Unknown({ description: 'Names and ids, never values of what was written.' }),
    seq: Nullable(Type.Integer({ description: 'Its place in the chain; null: it has none yet.' })),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry),
  chain: Type.Object({
    checked_to: Nullable(
      Type.Integer({ description: 'The latest place in the chain among these entries; null: none has one.' }),
    ),
    ok: Type.Boolean({ description: 'Whether each of them that has a place is as it was chained.' }),
  }),
})
export type AuditPage = Static<typeof AuditPage>

export const AuditQuery = Arguments({
  actor: Optional(Text({ max: 100, description: 'Who: a kind, or kind and id, as `developer:1`.' })),
  action: Optional(Text({ max: 100 })),
  product_id: Optional(Id('Only what is about this product.')),
  request_id: Optional(Text({ max: 100 })),
  from: Optional(TimeText('The earliest.')),
  to: Optional(TimeText('The latest.')),
  count: Paging.count,
  before: Optional(Id('Only what was written before the entry with this ID: the next page.')),
  ...Fields,
})
export type AuditQuery = Static<typeof AuditQuery>
