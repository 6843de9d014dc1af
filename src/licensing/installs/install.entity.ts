import type { CountedAs } from '../../db/tables/installs.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import { entity } from '../../http/entity.ts'
import {
  choice,
  country,
  flag,
  given,
  givenAs,
  id,
  money,
  sealed,
  text,
  time,
} from '../../http/entity-fields.ts'
import { Id, InEnvironment, Nullable, Optional, SecretText, Text, TimeText } from '../../http/wire.ts'
import { compareVersions } from '../../lib/compare-versions.ts'
import { SOURCE_IDS } from '../licenses/license.entity.ts'

/** The address of a site. */
export const Address = (description = 'Address of the site.') =>
  Text({ max: 2048, format: 'web-address', description })

export const Uid = (description = '32 characters that the client made and keeps.') =>
  SecretText({ max: 255, description })

const url = {
  schema: Optional(Nullable(Address())),
  read: (sent: string | null) => sent || null,
}

/** What a client says of where it runs. */
const place = (of: string, max = 100) =>
  ({
    null: true,
    initial: null,
    ...givenAs(Optional(Nullable(Text({ max, description: `${of}.` })))),
  }) as const

/** A copy of a product at work: on a site, a machine, or for an account; fields in the order of the reply. */
export const INSTALL = entity(
  'installs',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true, initial: null }),
    public_key: text({}),
    secret_key: sealed({
      description: 'Only for who may see it.',
      class: 'license keys',
      optional: true,
    }),
    site_id: id({}),
    product_id: id({ wire: 'plugin_id' }),
    user_id: id({ filter: 'Keeps the installs of this user.' }),
    uid: text(givenAs(Optional(Uid()))),
    /** As the client gave it. */
    url: text({ null: true, initial: null, create: url, update: url, told: 'install.url.updated' }),
    title: text({
      null: true,
      initial: null,
      ...givenAs(Optional(Nullable(Text({ max: 1_000, description: 'Title of the site.' })))),
      filter: { schema: Optional(Text({ max: 1000, description: 'Keeps one title.' })) },
      told: 'install.title.updated',
    }),
    version: text({
      initial: '',
      ...givenAs(Optional(Text({ max: 100, description: 'Version of the product.' }))),
      filter: 'Keeps one version.',
      told: {
        up: 'install.version.upgraded',
        down: 'install.version.downgrade',
        compare: compareVersions,
      },
    }),
    /** Null: the free plan. */
    plan_id: id({
      null: true,
      update: { schema: Optional(Id('Another plan of the product.')) },
      sellers: true,
      filter: 'Keeps the installs on this plan.',
      told: 'install.plan.changed',
    }),
    /** The license that is active on it. */
    license_id: id({
      null: true,
      initial: null,
      filter: 'Keeps the installs that this license is active on.',
    }),
    trial_plan_id: id({
      null: true,
      initial: null,
      update: 'The plan on trial; null: none.',
      sellers: true,
      told: 'install.trial.plan.updated',
    }),
    trial_ends: time({
      null: true,
      initial: null,
      update: {
        name: 'trials_ends',
        schema: Optional(TimeText('When the trial ends; `trial_ends` in replies.')),
      },
      sellers: true,
      told: { up: 'install.trial.extended', down: null },
    }),
    subscription_id: id({
      null: true,
      initial: null,
      update: { schema: Optional(Id('The subscription that pays for it.')) },
      sellers: true,
    }),
    gross: money({ description: 'US dollars.', class: 'sales', withheld: 0, initial: 0 }),
    country_code: country({ null: true, initial: null, create: true, update: true }),
    language: text({ ...place('Language of the site', 50), told: 'install.language.updated' }),
    platform_version: text({
      ...place('Version of the platform it runs on'),
      told: 'install.platform.version.updated',
    }),
    sdk_version: text({ ...place('Version of the SDK'), told: 'install.sdk.version.updated' }),
    programming_language_version: text({
      ...place('Version of the programming language'),
      told: 'install.programming_language.version.updated',
    }),
    is_active: flag({
      initial: true,
      ...given('In use.'),
      told: { up: 'install.activated', down: 'install.deactivated' },
    }),
    is_disconnected: flag({
      initial: false,
      ...given('Opted out.'),
      told: { up: 'install.disconnected', down: 'install.connected' },
    }),
    is_premium: flag({
      initial: false,
      ...given('Runs the premium build.'),
      told: { up: 'install.premium.activated', down: 'install.premium.deactivated' },
    }),
    is_uninstalled: flag({
      initial: false,
      ...given('Removed from the site.'),
      told: { up: 'install.uninstalled', down: null },
    }),
    is_locked: flag({ initial: false, update: true, sellers: true }),
    is_beta: flag({
      initial: false,
      update: 'Takes part in the beta.',
      told: { up: 'user.beta_program.opted_in', down: 'user.beta_program.opted_out' },
    }),
    environment: choice([0, 1], { initial: 0, filter: { schema: InEnvironment } }),
    /** Origin of migrated data. */
    source: choice(SOURCE_IDS, { initial: 0 }),
    /** When the present version arrived; null: it is the first. */
    upgraded: time({ null: true, initial: null }),
    last_seen_at: time({ null: true }),
    last_served_update_version: text({ null: true, initial: null }),
    /** The host of `url`, lower case, without `www.` and port. */
    host: text({ null: true, hidden: true }),
    /** Null exactly when `license_id` is. */
    counted_as: choice<CountedAs, { null: true; hidden: true; initial: null }>(
      ['production', 'local', 'covered'],
      { null: true, hidden: true, initial: null },
    ),
    /** Whether it takes only versions with the client's library. */
    is_sdk_required: flag({
      filled: true,
      hidden: true,
      initial: false,
      update: 'Only versions with the SDK are offered to it.',
    }),
    /** `whole`: its owner said from it, or the seller, that it is the owner's; its keys then reach as far as the owner. */
    reach: choice<Reach, { filled: true; hidden: true; initial: 'own' }>(['own', 'whole'], {
      filled: true,
      hidden: true,
      initial: 'own',
    }),
  },
  { told: 'install.updated' },
)
