import { Type, type Static } from 'typebox'
import { Arguments, Choice, Id, Nullable, Optional, SecretText, Text } from '../../http/wire.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { REASON_IDS } from '../../lib/reasons.ts'

/** The address of a site. */
export const Address = (description = 'Address of the site.') =>
  Text({ max: 2048, format: 'web-address', description })

export const Uid = (description = '32 characters that the client made and keeps.') =>
  SecretText({ max: 255, description })

const Version = (description: string) => Nullable(Text({ max: 100, description }))

const TimeText = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: 19, description }),
    (text) => parseTimeText(text, 'first second') !== null,
    () => 'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD',
  )

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
export const TOLD = {
  url: Optional(Nullable(Address())),
  title: Optional(Nullable(Text({ max: 1_000, description: 'Title of the site.' }))),
  version: Optional(Text({ max: 100, description: 'Version of the product.' })),
  language: Optional(Nullable(Text({ max: 50, description: 'Language of the site.' }))),
  country_code: Optional(Nullable(Text({ format: 'country-or-empty' }))),
  platform_version: Optional(Version('Version of the platform it runs on.')),
  sdk_version: Optional(Version('Version of the SDK.')),
  programming_language_version: Optional(Version('Version of the programming language.')),
  is_active: Optional(Type.Boolean({ description: 'In use.' })),
  is_disconnected: Optional(Type.Boolean({ description: 'Opted out.' })),
  is_premium: Optional(Type.Boolean({ description: 'Runs the premium build.' })),
  is_uninstalled: Optional(Type.Boolean({ description: 'Removed from the site.' })),
}

/** What only the seller sets; from a user or an install it is not heard. */
const SELLERS = {
  plan_id: Optional(Id('Another plan of the product.')),
  trial_plan_id: Optional(Nullable(Id('The plan on trial; null: none.'))),
  trials_ends: Optional(TimeText('When the trial ends; `trial_ends` in replies.')),
  subscription_id: Optional(Id('The subscription that pays for it.')),
  is_locked: Optional(Type.Boolean()),
}

export const ReasonFields = {
  reason_id: Optional(Choice(REASON_IDS, { description: 'Why it was uninstalled.' })),
  reason_info: Optional(Text({ max: 5_000, format: 'text', description: 'More about the reason.' })),
}

export const InstallUpdate = Arguments({
  uid: Optional(Uid()),
  ...TOLD,
  ...SELLERS,
  ...ReasonFields,
  is_beta: Optional(Type.Boolean({ description: 'Takes part in the beta.' })),
  is_sdk_required: Optional(Type.Boolean({ description: 'Only versions with the SDK are offered to it.' })),
  recover: Optional(Type.Boolean({ description: 'True: it was not uninstalled after all.' })),
  license_key: Optional(SecretText({ max: 255, description: 'Puts this license on it.' })),
  plugins: Extensions('Plugins of the site.'),
  themes: Extensions('Themes of the site.'),
  user_id: Optional(Id('Change of ownership: the next owner.')),
  user_email: Optional(Text({ format: 'email', max: 254, description: 'The same, by address.' })),
  install_ids: IdsOrList('Change of ownership: the installs that go along, comma-separated.'),
})
export type InstallUpdate = Static<typeof InstallUpdate>
