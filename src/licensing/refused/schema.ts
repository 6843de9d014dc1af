import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { REFUSED_OCCASIONS, type RefusalsTable } from '../../db/tables/refusals.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
  TimeText,
} from '../../http/wire.ts'

export type RefusalRow = Selectable<RefusalsTable>

/** What a client was refused on one day, by one reason. */
export const Refusal = Type.Object({
  id: IdText(),
  created: Time(),
  last_at: Time(),
  occasion: Choice(REFUSED_OCCASIONS),
  license_id: Nullable(IdText()),
  install_id: Nullable(IdText()),
  user_id: Nullable(IdText()),
  environment: Choice([0, 1]),
  uid: Nullable(Type.String()),
  url: Nullable(Type.String()),
  version: Nullable(Type.String()),
  code: Type.String(),
  message: Type.String(),
  count: Type.Integer({ description: 'How often on that day.' }),
})
export type Refusal = Static<typeof Refusal>

export const RefusalList = Arguments({
  license_id: Optional(Id('Only of this license.')),
  uid: Optional(Text({ max: 255, description: 'Only of a client that calls itself so.' })),
  code: Optional(Text({ max: 100, description: 'Only with this code.' })),
  environment: InEnvironment,
  from: Optional(TimeText('Only what was refused then or later.')),
  ...Paging,
  ...Fields,
})
export type RefusalFilter = Omit<Static<typeof RefusalList>, 'fields'>

export const presentRefusal = (row: RefusalRow): Refusal => ({
  id: String(row.id),
  created: row.created,
  last_at: row.last_at,
  occasion: row.occasion,
  license_id: row.license_id === null ? null : String(row.license_id),
  install_id: row.install_id === null ? null : String(row.install_id),
  user_id: row.user_id === null ? null : String(row.user_id),
  environment: row.environment,
  uid: row.uid,
  url: row.url,
  version: row.version,
  code: row.code,
  message: row.message,
  count: row.count,
})
