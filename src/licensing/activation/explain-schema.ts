import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text } from '../../http/wire.ts'
import { Address, Uid } from '../installs/install.entity.ts'
import { KeyText } from '../licenses/input-schema.ts'

/** What a check is about: to activate, to verify what is active, or to get the premium version of an update. */
export const OCCASIONS = ['activation', 'verification', 'update'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** In the order in which they are asked. */
export const CHECK_NAMES = [
  'uid',
  'license_key',
  'not_cancelled',
  'not_expired',
  'owner',
  'no_other_license',
  'released',
  'site',
  'quota',
  'active',
  'updates',
  'newer_version',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** Who asks, and where, as a client would say it. */
export const Explain = Arguments({
  license_key: Optional(KeyText('The license key, as the client has it; or `license_id`.')),
  license_id: Optional(Id('The license, where its key is not at hand.')),
  uid: Optional(Uid('What the client calls itself; without it nothing is told of its install.')),
  url: Optional(Address()),
  version: Optional(Text({ max: 100, description: 'In use; absent: the one that the install told last.' })),
})
export type Explain = Static<typeof Explain>

export const Check = Type.Object({
  name: Choice(CHECK_NAMES),
  occasion: Choice(OCCASIONS),
  is_passed: Nullable(
    Type.Boolean({ description: 'Null: not asked, as an earlier one says no or nothing was told for it.' }),
  ),
  code: Nullable(Type.String({ description: 'What a client is refused with.' })),
  message: Nullable(Type.String({ description: 'The same in words.' })),
})
export type Check = Static<typeof Check>

export const Explanation = Type.Object({
  license_id: Nullable(IdText()),
  install_id: Nullable(IdText()),
  other_license_id: Nullable(IdText('Another license that is on the install.')),
  offered_version: Nullable(Type.String({ description: 'The version that the install would be offered.' })),
  checks: Type.Array(Check),
})
export type Explanation = Static<typeof Explanation>
