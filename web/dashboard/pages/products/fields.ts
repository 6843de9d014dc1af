import { fill } from '../../../shared/language.ts'
import type { Field } from '../../form.tsx'
import { productTexts } from '../../texts/of-products.ts'
import { isOwnType } from './own-types.ts'

const TYPE: Field = {
  name: 'type',
  label: productTexts.productType,
  help: productTexts.productTypeHelp,
  kind: 'choice',
  options: Object.entries(productTexts.productTypes),
}

/** What a product says that is created; what it belongs to is chosen beside it. */
export const NEW_PRODUCT_FIELDS: readonly Field[] = [
  TYPE,
  { name: 'title', label: productTexts.productTitle },
  { name: 'slug', label: productTexts.productSlug, help: productTexts.productSlugHelp, empty: 'left out' },
  { name: 'type_alias', label: productTexts.productAlias, help: productTexts.productAliasHelp },
]

/** What is said of a product that is there; `plans`: those that may be chosen first. */
export const productFields = (plans: readonly { readonly id: string; readonly title: string }[]) =>
  [
    { name: 'title', label: productTexts.productTitle },
    { name: 'slug', label: productTexts.productSlug },
    TYPE,
    { name: 'money_back_period', label: productTexts.moneyBackDays, kind: 'number' },
    {
      name: 'refund_policy',
      label: productTexts.refundPolicy,
      kind: 'choice',
      options: Object.entries(productTexts.refundPolicies),
    },
    {
      name: 'annual_renewals_discount',
      label: productTexts.renewalsOff,
      help: productTexts.renewalsOffHelp,
      kind: 'number',
    },
    {
      name: 'renewals_discount_type',
      label: productTexts.renewalsOffType,
      kind: 'choice',
      options: Object.entries(productTexts.renewalsOffTypes),
    },
    {
      name: 'lifetime_license_proration_days',
      label: productTexts.lifetimeDays,
      help: productTexts.lifetimeDaysHelp,
      kind: 'number',
    },
    {
      name: 'default_plan_id',
      label: productTexts.defaultPlan,
      kind: 'choice',
      empty: null,
      options: [['', productTexts.noDefaultPlan], ...plans.map(({ id, title }) => [id, title] as const)],
    },
    { name: 'is_pricing_visible', label: productTexts.pricingVisible, kind: 'flag' },
  ] as const satisfies readonly Field[]

/** The fields of a product that are asked for: what is shown of one has no key that must be kept. */
export const SHOWN = `id,icon,public_key,type_alias,${productFields([])
  .map(({ name }) => name)
  .join(',')}`

/** What is shown of a product to everybody. */
export const INFO_FIELDS: readonly Field[] = [
  { name: 'url', label: productTexts.infoUrl, kind: 'url' },
  { name: 'short_description', label: productTexts.infoShort },
  { name: 'description', label: productTexts.infoDescription, kind: 'lines' },
  ...[0, 1, 2].map((at) => ({
    name: `selling_point_${at}`,
    label: fill(productTexts.infoPoint, { number: at + 1 }),
  })),
  { name: 'banner_url', label: productTexts.infoBanner, kind: 'url' },
  { name: 'card_banner_url', label: productTexts.infoCard, kind: 'url' },
  { name: 'screenshots', label: productTexts.infoScreens, help: productTexts.infoScreensHelp, kind: 'list' },
]

type Name = keyof typeof productTexts.settings
type Kind = NonNullable<Field['kind']>

const PREFIX = 'data.'

/** A key of a setting, as its faults name it. */
const setting = (name: Name, kind: Kind | 'text' = 'flag', empty?: null): Field => {
  const help: Readonly<Partial<Record<Name, string>>> = productTexts.settingHelp
  return {
    name: `${PREFIX}${name}`,
    label: productTexts.settings[name],
    help: help[name],
    ...(kind !== 'text' && { kind }),
    ...(empty === null && { empty }),
  }
}

const ways = productTexts.paymentWays.map((word, at) => [String(at), word] as const)

interface SettingPanel {
  readonly type: number
  readonly title: string
  /** The group of operations that whoever changes it may write; a few are for admins, who alone write the team. */
  readonly group: 'catalogue' | 'members'
  readonly fields: readonly Field[]
}

/** The settings of a product, by what they are about. */
const SETTING_PANELS: readonly SettingPanel[] = [
  {
    type: 4,
    title: productTexts.settingGroups.checkout,
    group: 'catalogue',
    fields: [
      { ...setting('accepted_payments', 'numbered'), options: ways },
      setting('expose_license_key'),
      setting('enable_after_purchase_email_login_link'),
      setting('enable_cart_recovery'),
      setting('is_consumptive_usage'),
    ],
  },
  {
    type: 7,
    title: productTexts.settingGroups.pages,
    group: 'catalogue',
    fields: [
      setting('checkout_redirect_url', 'url', null),
      setting('recovery_url', 'url', null),
      setting('terms_url', 'url', null),
      setting('privacy_url', 'url', null),
      setting('support_email', 'email', null),
      setting('checkout_accent', 'text', null),
      setting('checkout_logo_url', 'url', null),
      setting('embed_hosts', 'list'),
      setting('keywright_badge'),
    ],
  },
  {
    type: 2,
    title: productTexts.settingGroups.places,
    group: 'members',
    fields: [setting('redirect_hosts', 'list')],
  },
  {
    type: 3,
    title: productTexts.settingGroups.units,
    group: 'catalogue',
    fields: [setting('selling_unit_singular', 'text'), setting('selling_unit_plural', 'text')],
  },
  {
    type: 1,
    title: productTexts.settingGroups.people,
    group: 'catalogue',
    fields: [setting('can_create_users'), setting('confirms_opt_in')],
  },
  {
    type: 5,
    title: productTexts.settingGroups.state,
    group: 'catalogue',
    fields: [
      setting('is_active'),
      setting('is_released'),
      setting('is_sdk_required'),
      setting('is_wp_org_compliant'),
      setting('is_static'),
      setting('type_alias', 'text'),
      setting('sandbox_gets_released'),
      setting('accepts_client_sandbox_tokens'),
      setting('updated_sites_limit', 'number'),
    ],
  },
  {
    type: 6,
    title: productTexts.settingGroups.renewals,
    group: 'catalogue',
    fields: [setting('renewal_grace_hours', 'number')],
  },
  {
    type: 6,
    title: productTexts.settingGroups.arrears,
    group: 'members',
    fields: [setting('charge_arrears')],
  },
]

/** Settings that are about WordPress alone, or say what the type of a product beside it says already. */
const OF_WORDPRESS: ReadonlySet<string> = new Set(
  ['is_sdk_required', 'is_wp_org_compliant', 'type_alias'].map((name) => `${PREFIX}${name}`),
)

/** What of the settings a product has a use for. */
export const panelsOf = (product: Parameters<typeof isOwnType>[0]): readonly SettingPanel[] =>
  isOwnType(product)
    ? SETTING_PANELS.map((panel) => ({
        ...panel,
        fields: panel.fields.filter(({ name }) => !OF_WORDPRESS.has(name)),
      }))
    : SETTING_PANELS

/** The values of a setting as its form has them. */
export const shownSetting = (data: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(JSON.parse(data) as object).map(([name, value]) => [`${PREFIX}${name}`, value]),
  )

/** What was changed of a setting, as the interface takes it. */
export const sentSetting = (type: number, changed: Record<string, unknown>) => ({
  setting_type: type,
  data: JSON.stringify(
    Object.fromEntries(Object.entries(changed).map(([name, value]) => [name.slice(PREFIX.length), value])),
  ),
})
