import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Id, IdText, Nullable, Optional, Text } from '../../http/wire.ts'
import { Address, Uid } from '../installs/install.entity.ts'
import { KeyText } from '../licenses/input-schema.ts'
import { LICENSE } from '../licenses/license.entity.ts'

const UID = 'What the client calls itself: 32 characters that it made and keeps.'

/** The contract's licenses/activate. */
export const Activate = Arguments({
  uid: Uid(UID),
  license_key: KeyText('The license key, of the product or of a bundle that it is in.'),
  url: Optional(Address()),
  title: Optional(Text({ max: 1_000, description: 'Title of the site.' })),
  version: Optional(Text({ max: 100, description: 'Version of the product.' })),
  is_marketing_allowed: Optional(
    Nullable(Type.Boolean({ description: 'Whether the owner of the license wants mail about the product.' })),
  ),
  install_id: Optional(
    Id('An install of this uid and of the owner of the license; the license it has is deactivated.'),
  ),
  first_name: Optional(Text({ max: 100, description: 'For a license that is nobody’s: its owner.' })),
  last_name: Optional(Text({ max: 150, description: 'The same.' })),
  user_email: Optional(Text({ max: 254, format: 'email-or-empty', description: 'The same.' })),
  allow_unreleased_plan_activation: Type.Boolean({
    default: false,
    description: 'Whether the product need not be released; for tests.',
  }),
})
export type Activate = Static<typeof Activate>

/** What an activation tells of the install; what it does not tell is left out. */
export const toldBy = ({ uid, url, title, version }: Activate) => ({
  uid,
  ...(url !== undefined && { url }),
  ...(title !== undefined && { title }),
  ...(version !== undefined && { version }),
})

/** What an activation hands out: the install's keys and token, and those of its owner. */
export const Activation = Type.Object({
  user_id: IdText(),
  user_secret_key: Type.String(),
  user_public_key: Type.String(),
  plugin_id: IdText(),
  license_plan_name: Type.String(),
  is_marketing_allowed: Nullable(Type.Boolean()),
  install_id: IdText(),
  install_secret_key: Type.String(),
  install_public_key: Type.String(),
  install_api_token: Type.String({ description: 'Bearer token of the install, shown once.' }),
})
export type Activation = Static<typeof Activation>

/** The contract's licenses/deactivate. */
export const Deactivate = Arguments({
  uid: Uid(UID),
  install_id: Id('The install that the license is active on.'),
  license_key: KeyText('The license key it was activated with.'),
})
export type Deactivate = Static<typeof Deactivate>

/** The contract's installations/retrieve-active-license-by-uid. */
export const Verify = Arguments({
  uid: Uid(UID),
  license_key: KeyText('The license key it was activated with.'),
  ...Fields,
})
export type Verify = Static<typeof Verify>

/** A license that was verified, with what its client would work out of it. */
export const VerifiedLicense = Type.Object(
  {
    ...LICENSE.shown,
    valid: Type.Boolean({
      description: 'Whether it opens its features: not cancelled and, where that blocks them, not expired.',
    }),
    reason: Nullable(Choice(['license_cancelled', 'license_expired'])),
  },
  { title: 'VerifiedLicense' },
)
export type VerifiedLicense = Static<typeof VerifiedLicense>

/** The key of a license that a path names by its id, in the query or in the body. */
export const ByKey = Arguments({
  license_key: Optional(KeyText('The license key; an install that has the license need not give it.')),
  is_migration: Optional(Type.Boolean({ description: 'True: the key need not be given.' })),
})
export type ByKey = Static<typeof ByKey>

/** A license by its id; of another person's the key too (`docs/interface.md` 4.6). */
export const ReadOneByKey = Arguments({
  license_key: Optional(KeyText("The license key; of one's own it need not be given.")),
  ...Fields,
})

export const ReadByKey = Arguments({ ...ByKey.properties, ...Fields })
export const WriteByKey = Arguments({
  ...ByKey.properties,
  is_enriched: Optional(
    Type.Boolean({ description: 'Adds what its subscription, its bundle and its product say.' }),
  ),
})

export const OfInstall = Arguments({
  is_enriched: Optional(
    Type.Boolean({ description: 'Adds what its subscription, its bundle and its product say.' }),
  ),
  ...Fields,
})

export const InstallLicenseId = Arguments({
  install_id: Id('ID of the install.'),
  license_id: Id('ID of the license.'),
})
