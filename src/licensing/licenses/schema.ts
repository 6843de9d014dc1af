import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { LicensesTable } from '../../db/tables/licenses.ts'
import { Arguments, Choice, Id, IdText, Nullable, Time } from '../../http/wire.ts'
import { idText } from '../../lib/id-text.ts'
import type { Keyring } from '../../lib/keyring.ts'

export type LicenseRow = Selectable<LicensesTable>

export const SOURCE_IDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const

export const LICENSE_FIELDS = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  user_id: Nullable(IdText()),
  plan_id: IdText(),
  pricing_id: Nullable(IdText()),
  quota: Nullable(Type.Integer({ description: 'Null: unlimited.' })),
  activated: Type.Integer({ description: 'Production activations.' }),
  activated_local: Nullable(Type.Integer({ description: 'Activations on local and staging hosts.' })),
  expiration: Nullable(Time()),
  secret_key: Type.String({ description: 'The license key.' }),
  is_free_localhost: Type.Boolean(),
  is_block_features: Type.Boolean(),
  is_cancelled: Type.Boolean(),
  is_whitelabeled: Type.Boolean(),
  environment: Choice([0, 1]),
  source: Choice(SOURCE_IDS),
}

/** The contract's `License`. */
export const License = Type.Object(LICENSE_FIELDS, { title: 'License' })
export type License = Static<typeof License>

export const LicenseId = Arguments({ license_id: Id('ID of the license.') })

/**
 * A license's row as the contract shows it, its key in clear (`docs/interface.md` 5.2): `known` where the
 * caller has named it, whose hash is the license's.
 */
export const presentLicense = (row: LicenseRow, keys: Keyring, known: string | null = null): License => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  user_id: idText(row.user_id),
  plan_id: String(row.plan_id),
  pricing_id: idText(row.pricing_id),
  quota: row.quota,
  activated: row.activated,
  activated_local: row.activated_local,
  expiration: row.expiration,
  secret_key: known ?? keys.open(row.secret_key, 'licenses.secret_key'),
  is_free_localhost: row.is_free_localhost === 1,
  is_block_features: row.is_block_features === 1,
  is_cancelled: row.is_cancelled === 1,
  is_whitelabeled: row.is_whitelabeled === 1,
  environment: row.environment,
  source: row.source as License['source'],
})
