import { Type, type Static } from '../../lib/type.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Choice, Id, Optional, SecretText, Text } from '../../http/wire.ts'
import { REASON_IDS } from '../../lib/reasons.ts'
import { INSTALL } from './install.entity.ts'

/** The plugins or themes of a site: a list of `{slug, version, title, is_active, is_uninstalled}`, or it as JSON text. */
const Extensions = (description: string) =>
  Optional(
    Type.Union([
      Type.String({ maxLength: 500_000, description }),
      Type.Array(Type.Unknown(), { maxItems: 1_000 }),
      Type.Object({}),
    ]),
  )

/** Ids as text or as a list. */
export const IdsOrList = (description: string) =>
  Optional(
    Type.Union([
      Type.String({ maxLength: 2_000, description }),
      Type.Array(Type.Unknown(), { maxItems: 200 }),
    ]),
  )

/** What an install tells of itself. */
export const TOLD = withLast(INSTALL.create, [
  'country_code',
  'platform_version',
  'sdk_version',
  'programming_language_version',
  'is_active',
  'is_disconnected',
  'is_premium',
  'is_uninstalled',
])

const { is_beta, is_sdk_required, ...changes } = INSTALL.update

export const ReasonFields = {
  reason_id: Optional(Choice(REASON_IDS, { description: 'Why it was uninstalled.' })),
  reason_info: Optional(Text({ max: 5_000, format: 'text', description: 'More about the reason.' })),
}

export const InstallUpdate = Arguments({
  ...TOLD,
  ...changes,
  ...ReasonFields,
  is_beta,
  is_sdk_required,
  recover: Optional(Type.Boolean({ description: 'True: it was not uninstalled after all.' })),
  license_key: Optional(SecretText({ max: 255, description: 'Puts this license on it.' })),
  plugins: Extensions('Plugins of the site.'),
  themes: Extensions('Themes of the site.'),
  user_id: Optional(Id('Change of ownership: the next owner.')),
  user_email: Optional(Text({ format: 'email', max: 254, description: 'The same, by address.' })),
  install_ids: IdsOrList('Change of ownership: the installs that go along, comma-separated.'),
})
export type InstallUpdate = Static<typeof InstallUpdate>
