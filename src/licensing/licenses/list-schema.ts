import { Type, type Static } from '../../lib/type.ts'
import {
  Arguments,
  Choice,
  Fields,
  IdText,
  InEnvironment,
  MadeBetween,
  Nullable,
  Optional,
  OverProducts,
  Paging,
  SecretText,
  Time,
  Sorted,
} from '../../http/wire.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { LICENSE } from './license.entity.ts'

export const LICENSE_FILTERS = ['active', 'cancelled', 'expired', 'abandoned', 'migrated'] as const
export type LicenseFilter = (typeof LICENSE_FILTERS)[number]

/** The contract's licenses/list. */
export const LicenseList = Arguments({
  filter: Optional(
    Choice(LICENSE_FILTERS, {
      description: 'By state; `abandoned`: on no install, `migrated`: brought along.',
    }),
  ),
  ...LICENSE.filter,
  search: Optional(SecretText({ max: 255, description: 'ID, or the whole key.' })),
  ...MadeBetween,
  ...Sorted,
  enriched: Optional(
    Type.Boolean({ description: 'Adds who owns it and what its subscription and its bundle say.' }),
  ),
  ...Paging,
  ...Fields,
})
export type LicenseList = Static<typeof LicenseList>

/** Of an account: over its products. */
export const AccountLicenseList = Arguments({ ...LicenseList.properties, ...OverProducts })
export type AccountLicenseList = Static<typeof AccountLicenseList>

/**
 * What an enriched license tells of its subscription and its bundle; null where it has none (`docs/decisions.md` 1.6).
 */
const ENRICHED_FIELDS = {
  parent_plan_id: Optional(Nullable(Type.Integer({ description: 'Plan of the bundle.' }))),
  trial_ends: Optional(Nullable(Time())),
  subscription_id: Optional(Nullable(IdText())),
  subscription_total_gross: Optional(Nullable(Type.Number())),
  subscription_initial_amount: Optional(Nullable(Type.Number())),
  subscription_gateway: Optional(Nullable(Choice(['paypal', 'stripe', 'test']))),
  subscription_failed_payments: Optional(Nullable(Type.Integer())),
  next_payment: Optional(Nullable(Time())),
  parent_license_id: Optional(Nullable(IdText())),
  parent_license_bundle_id: Optional(Nullable(IdText())),
  parent_plan_title: Optional(Nullable(Type.String())),
  parent_plan_name: Optional(Nullable(Type.String())),
}

/** The user data of the contract's licenses/list; null where a license is nobody's. */
const OWNER_FIELDS = {
  email: Optional(Nullable(Type.String({ description: 'In the list of a product, of its owner.' }))),
  first: Optional(Nullable(Type.String())),
  last: Optional(Nullable(Type.String())),
}

/** The contract's `LicenseEnriched`; only with `enriched` more than a `License`. */
export const LicenseEnriched = Type.Object(
  { ...LICENSE.shown, ...ENRICHED_FIELDS, ...OWNER_FIELDS },
  { title: 'LicenseEnriched' },
)
export type LicenseEnriched = Static<typeof LicenseEnriched>
export type Enrichment = Omit<LicenseEnriched, keyof typeof LICENSE.shown | keyof typeof OWNER_FIELDS>

/** Comma-separated ids; a leading `+`, which a form decodes to a space, asks for those of other owners too. */
const MAX_LIST = 8000

/** What the list of a user's licenses takes (`docs/interface.md` 4.6). */
export const UserLicenseList = Arguments({
  type: Type.Unsafe<'all' | 'active' | 'expired'>(Choice(['all', 'active', 'expired'], { default: 'all' })),
  license_key: Optional(SecretText({ max: 255, description: 'Only the license with this key.' })),
  license_keys: Optional(
    SecretText({ max: MAX_LIST, description: 'Only those with these keys, by commas.' }),
  ),
  ids: Optional(
    Type.Refine(
      Type.String({
        maxLength: MAX_LIST,
        description:
          'Only these, by commas; after a + these too, if they are active on an install of the user.',
      }),
      (text) => parseIdList(text.replace(/^[+ ]/, '')) !== null,
      () => 'must be ids separated by commas, each once',
    ),
  ),
  is_enriched: Type.Boolean({
    default: false,
    description: 'Adds the kind of product, and of a bundle its products.',
  }),
  store_id: Optional(
    Type.Refine(
      Type.String({
        maxLength: 255,
        description: 'To the person itself: of every product of this store, or, empty, of all.',
      }),
      (text) => (parseIdList(text)?.length ?? 2) < 2,
      () => 'must be the id of a store, or empty',
    ),
  ),
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type UserLicenseList = Static<typeof UserLicenseList>

/** A license in the lists of a user and of an install. */
export const UserLicense = Type.Object(
  {
    ...LICENSE.shown,
    ...ENRICHED_FIELDS,
    plugin_type: Optional(
      Type.String({ description: 'With is_enriched: `bundle`, or the type of the product.' }),
    ),
    products: Optional(
      Type.Array(IdText(), { description: 'With is_enriched: of a bundle its products, else empty.' }),
    ),
  },
  { title: 'UserLicense' },
)
export type UserLicense = Static<typeof UserLicense>

/** Of what clients read in one go. */
export const WholePage = {
  ...Paging,
  count: Type.Integer({ minimum: 1, maximum: 50, default: 50, description: 'Page size.' }),
}

export const ParentLicenseList = Arguments({
  filter: Optional(
    Choice(['activatable'], { description: 'Only those with which an install can be activated now.' }),
  ),
  ...WholePage,
})
export type ParentLicenseList = Static<typeof ParentLicenseList>
