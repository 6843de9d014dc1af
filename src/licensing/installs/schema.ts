import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { InstallsTable } from '../../db/tables/installs.ts'
import type { Scope } from '../../access/scope.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Time } from '../../http/wire.ts'
import { shownCountry } from '../../lib/countries.ts'
import { idText } from '../../lib/id-text.ts'
import type { Keyring } from '../../lib/keyring.ts'

export type InstallRow = Selectable<InstallsTable>

const nullableText = () => Nullable(Type.String())
const nullableId = () => Nullable(IdText())

const INSTALL_FIELDS = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  public_key: Type.String(),
  secret_key: Optional(Type.String({ description: 'Only for who may see it.' })),
  site_id: IdText(),
  plugin_id: IdText(),
  user_id: IdText(),
  uid: Type.String(),
  url: nullableText(),
  title: nullableText(),
  version: Type.String(),
  plan_id: Nullable(IdText()),
  license_id: nullableId(),
  trial_plan_id: nullableId(),
  trial_ends: Nullable(Time()),
  subscription_id: nullableId(),
  gross: Type.Number({ description: 'US dollars.' }),
  country_code: nullableText(),
  language: nullableText(),
  platform_version: nullableText(),
  sdk_version: nullableText(),
  programming_language_version: nullableText(),
  is_active: Type.Boolean(),
  is_disconnected: Type.Boolean(),
  is_premium: Type.Boolean(),
  is_uninstalled: Type.Boolean(),
  is_locked: Type.Boolean(),
  is_beta: Type.Boolean(),
  environment: Choice([0, 1]),
  source: Choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
  upgraded: Nullable(Time()),
  last_seen_at: Nullable(Time()),
  last_served_update_version: nullableText(),
}

/** The contract's `Install`. */
export const Install = Type.Object(INSTALL_FIELDS, { title: 'Install' })
export type Install = Static<typeof Install>

/** What lists installs, or made several. */
export const Installs = Type.Object({ installs: Type.Array(Install) }, { title: 'Installs' })

export const InstallId = Arguments({ install_id: Id('ID of the install.') })

/**
 * An install's row as the contract shows it; without `keys` its secret key is left out, and what was ever paid on it
 * for a reader of own reach (`docs/decisions.md` 3.12).
 */
export const presentInstall = (
  row: InstallRow,
  keys: Keyring | null,
  { reach }: Partial<Pick<Scope, 'reach'>>,
): Install => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  public_key: row.public_key,
  ...(keys && { secret_key: keys.open(row.secret_key, 'installs.secret_key') }),
  site_id: String(row.site_id),
  plugin_id: String(row.product_id),
  user_id: String(row.user_id),
  uid: row.uid,
  url: row.url,
  title: row.title,
  version: row.version,
  plan_id: idText(row.plan_id),
  license_id: idText(row.license_id),
  trial_plan_id: idText(row.trial_plan_id),
  trial_ends: row.trial_ends,
  subscription_id: idText(row.subscription_id),
  gross: reach ? 0 : row.gross / 100,
  country_code: shownCountry(row.country_code),
  language: row.language,
  platform_version: row.platform_version,
  sdk_version: row.sdk_version,
  programming_language_version: row.programming_language_version,
  is_active: row.is_active === 1,
  is_disconnected: row.is_disconnected === 1,
  is_premium: row.is_premium === 1,
  is_uninstalled: row.is_uninstalled === 1,
  is_locked: row.is_locked === 1,
  is_beta: row.is_beta === 1,
  environment: row.environment,
  source: row.source as Install['source'],
  upgraded: row.upgraded,
  last_seen_at: row.last_seen_at,
  last_served_update_version: row.last_served_update_version,
})
