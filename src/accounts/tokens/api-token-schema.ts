import { Type, type Static } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import type { ApiTokensTable } from '../../db/tables/tokens.ts'
import { Arguments, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'token_hash'>

const fields = {
  id: IdText(),
  plugin_id: IdText(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the token.' }),
  created: Time(),
  expires_at: Nullable(Time()),
  revoked_at: Nullable(Time()),
  last_used_at: Nullable(Time()),
}

export const ApiToken = Type.Object(fields, { title: 'ApiToken' })
export type ApiToken = Static<typeof ApiToken>

export const IssuedToken = Type.Object(
  { ...fields, token: Type.String({ description: 'For `Authorization: Bearer`; shown once.' }) },
  { title: 'IssuedApiToken' },
)
export type IssuedToken = Static<typeof IssuedToken>

/** Row → wire. */
export const presentApiToken = (row: ApiTokenRow): ApiToken => ({
  id: String(row.id),
  plugin_id: String(row.product_id),
  name: row.name,
  hint: row.hint,
  created: row.created,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  last_used_at: row.last_used_at,
})

export const ApiTokenId = Arguments({ token_id: Id('ID of the token.') })

export const NewApiToken = Arguments({
  name: Text({ min: 1, max: 100 }),
  expires_in_days: Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: 'Absent: until it is revoked.' }),
  ),
})
export type NewApiToken = Static<typeof NewApiToken>
