import { Type, type Static } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import { rightsIn } from '../../access/rights.ts'
import type { ApiTokensTable } from '../../db/tables/tokens.ts'
import { Arguments, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'token_hash' | 'developer_id' | 'made_by'>

const fields = {
  id: IdText(),
  plugin_id: Nullable(IdText('The product that it opens; null: it is of the account.')),
  product_ids: Nullable(
    Type.Array(IdText(), { description: 'Of the account: the products that it is narrowed to; null: all.' }),
  ),
  rights: Nullable(
    Type.Array(Type.String(), {
      description: 'Of the account: what it is narrowed to, as `licenses.write`; null: all.',
    }),
  ),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the token.' }),
  created: Time(),
  expires_at: Nullable(Time()),
  revoked_at: Nullable(Time()),
  last_used_at: Nullable(Time()),
}

export const ApiToken = Type.Object(fields, { title: 'ApiToken' })
export type ApiToken = Static<typeof ApiToken>

export const OwnToken = Type.Object(
  { ...fields, developer_id: IdText('The account that it is of.') },
  { title: 'OwnApiToken' },
)
export type OwnToken = Static<typeof OwnToken>

export const IssuedToken = Type.Object(
  { ...fields, token: Type.String({ description: 'For `Authorization: Bearer`; shown once.' }) },
  { title: 'IssuedApiToken' },
)
export type IssuedToken = Static<typeof IssuedToken>

/** Row → wire. */
export const presentApiToken = (row: ApiTokenRow): ApiToken => ({
  id: String(row.id),
  plugin_id: row.product_id === null ? null : String(row.product_id),
  product_ids: row.product_ids?.split(',') ?? null,
  rights: rightsIn(row.rights),
  name: row.name,
  hint: row.hint,
  created: row.created,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  last_used_at: row.last_used_at,
})

export const ApiTokenId = Arguments({ token_id: Id('ID of the token.') })

const issued = {
  name: Text({ min: 1, max: 100 }),
  expires_in_days: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Absent: until it is revoked; by a token, until that one ends.',
    }),
  ),
}

export const NewApiToken = Arguments(issued)
export type NewApiToken = Static<typeof NewApiToken>

export const NewDeveloperToken = Arguments({
  ...issued,
  product_ids: Optional(
    Text({
      max: 10_000,
      format: 'ids',
      description: 'Products that it opens, with commas between them; absent: all, also those to come.',
    }),
  ),
  rights: Optional(
    Text({
      max: 1000,
      format: 'rights',
      description: 'What it may do, as `licenses.write,sales.read` (`docs/roles.md`); absent: everything.',
    }),
  ),
})
export type NewDeveloperToken = Static<typeof NewDeveloperToken>
