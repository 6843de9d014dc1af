import { Type, type Static } from 'typebox'
import type { Problems } from '../../http/decode.ts'
import { Arguments, Choice, Fields, Id, Nullable, Optional, Text } from '../../http/wire.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { SOURCE_IDS } from './schema.ts'

/** Months of a billing cycle; 0 is once and for all. */
const PERIODS = [1, 12, 0] as const

const PURCHASE_CYCLES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const

/** Above any number of installs; fits an integer of every client. */
const MAX_QUOTA = 2_147_483_647
/** Longer than every key that another system made. */
const MAX_KEY = 255

const Flag = (description: string) => Optional(Type.Boolean({ description }))

const End = (description: string) =>
  Optional(
    Nullable(
      Type.Refine(
        Type.String({ maxLength: 19, description }),
        (text) => parseTimeText(text, 'last second') !== null,
        () => 'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD',
      ),
    ),
  )

/** A license key as a person or a client gives it. */
export const KeyText = (description: string) => Text({ min: 1, max: MAX_KEY, description })

const ends = {
  period: Optional(Choice(PERIODS, { description: 'Months of its cycle: 1, 12, or 0 for ever.' })),
  expires_at: End('First moment at which it is expired; null: never.'),
  is_block_features: Flag('Whether features stop when it is expired; as its plan says unless given.'),
  send_email: Flag('Mails the key to its owner.'),
}

/** The contract's plans/create-license. */
export const LicenseCreate = Arguments({
  ...ends,
  is_whitelabeled: Flag('As its price says unless given.'),
  email: Optional(Text({ format: 'email', description: 'Address of its owner, a user of the product.' })),
  existing_install_id: Optional(
    Id('Of a bundle: an install of one of its products, which gets a license of its own from this one.'),
  ),
  source: Optional(Choice(SOURCE_IDS, { description: 'Origin of a license that is brought along.' })),
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
  license_quota: Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: MAX_QUOTA, description: 'Null or 0: unlimited.' })),
  ),
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
  quota: Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: MAX_QUOTA, description: 'Null or 0: unlimited.' })),
  ),
  expiration: End('First moment at which it is expired; null: never.'),
  is_block_features: Flag('Whether features stop when it is expired.'),
  is_whitelabeled: Flag('Whether clients hide what tells of the seller.'),
  is_free_localhost: Flag('Whether activations on local and staging hosts are not counted.'),
  new_user_id: Optional(Nullable(Id('Its owner from now on, a user of the product; null: nobody.'))),
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
