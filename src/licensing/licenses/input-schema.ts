import { Type, type Static } from '../../lib/type.ts'
import type { Problems } from '../../http/decode.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Choice, Fields, Id, Nullable, Optional, Text, TimeText } from '../../http/wire.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { LICENSE, Quota } from './license.entity.ts'

/** Months of a billing cycle; 0 is once and for all. */
const PERIODS = [1, 12, 0] as const

const PURCHASE_CYCLES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const

/** Longer than every key that another system made. */
const MAX_KEY = 255

const Flag = (description: string) => Optional(Type.Boolean({ description }))

const End = (description: string) => Optional(Nullable(TimeText(description)))

/** A license key as a person or a client gives it. */
export const KeyText = (description: string) => Text({ min: 1, max: MAX_KEY, description })

const { is_block_features, source, ...ownRules } = LICENSE.create

const ends = {
  period: Optional(Choice(PERIODS, { description: 'Months of its cycle: 1, 12, or 0 for ever.' })),
  expires_at: End('First moment at which it is expired; null: never.'),
  is_block_features,
  send_email: Flag('Mails the key to its owner.'),
}

export const KeyRotation = Arguments({
  deactivate_installs: Type.Boolean({
    default: false,
    description: 'Takes it off every install too: one that has it goes on, and can read the key.',
  }),
})
export type KeyRotation = Static<typeof KeyRotation>

/** The contract's plans/create-license. */
export const LicenseCreate = Arguments({
  ...ends,
  ...ownRules,
  email: Optional(Text({ format: 'email', description: 'Address of its owner, a user of the product.' })),
  name: Optional(
    Text({
      min: 1,
      description: 'Full name of an owner who is no user of the product yet, and becomes one.',
    }),
  ),
  existing_install_id: Optional(
    Id('Of a bundle: an install of one of its products, which gets a license of its own from this one.'),
  ),
  source,
  license_key: Optional(KeyText('The key it shall have.')),
})
export type LicenseCreate = Static<typeof LicenseCreate>

/** The contract's installations/create-new-license. */
export const LicenseOnInstall = Arguments(ends)
export type LicenseOnInstall = Static<typeof LicenseOnInstall>

/** What a migration says of a purchase that was made elsewhere (`docs/interface.md` 5.9). */
export const PurchaseMigration = Arguments({
  billing_cycle: Choice(PURCHASE_CYCLES, { description: 'Months; 0: paid once.' }),
  license_key: Optional(KeyText('The key it has.')),
  license_quota: Quota(),
  license_expires_at: End('First moment at which it is expired; null: never.'),
  source: Type.Unsafe<keyof typeof SOURCES>(
    Choice(Object.keys(SOURCES), { anyCase: true, default: 'others' }),
  ),
  is_migration: Type.Boolean({ default: false, description: 'True: no events.' }),
  gross: Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  vat: Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  processed_at: End('When it was paid.'),
  next_payment: End('When it is paid again.'),
  payment_external_id: Optional(Text()),
  subscription_external_id: Optional(Text()),
})
export type PurchaseMigration = Static<typeof PurchaseMigration>

/** Something must say when a license ends: 402 otherwise (`docs/interface.md` 5.6). */
export function checkEnd(
  body: LicenseCreate,
  problems: Problems,
  { isFlagEnough }: { readonly isFlagEnough: boolean },
): void {
  const says = ['period', 'expires_at', ...(isFlagEnough ? ['is_block_features'] : [])] as const
  if (says.some((field) => body[field as keyof LicenseCreate] !== undefined || problems.has(field))) return
  problems.missing.push({ field: 'period', message: `is required, or ${says.slice(1).join(' or ')}` })
}

/** The contract's licenses/update. */
export const LicenseUpdate = Arguments({
  ...withLast(LICENSE.update, ['is_free_localhost', 'new_user_id']),
  cancel_subscription: Flag('Cancels its subscription too.'),
  extend_bundle: Flag(
    'Changes the end of the license of its bundle too, and what that does to its renewals.',
  ),
  update_subscription_renewal_date: Flag('Moves the renewal to 24 hours before the end.'),
})
export type LicenseUpdate = Static<typeof LicenseUpdate>

export const CancelQuery = Arguments({
  delete: Flag('Erases it for good instead.'),
  include_bundle: Flag('The license of its bundle too, and so all that this one opened.'),
  ...Fields,
})

/** The contract's licenses/assign. */
export const LicenseAssign = Arguments({
  license_key: KeyText("The key of a license that is nobody's."),
  email: Text({ format: 'email', description: 'Address of its owner from now on.' }),
  name: Optional(Text({ description: 'Full name of a person who is not known yet.' })),
  is_marketing_allowed: Optional(Nullable(Type.Boolean({ description: 'Null: not asked.' }))),
})
export type LicenseAssign = Static<typeof LicenseAssign>

/** Looked at in the handler, which has a code of its own for what is no address. */
export const ResendKeys = Arguments({ email: Text({ description: 'Address of the owner of the licenses.' }) })
