import type { Selectable } from 'kysely'
import { Type, type Static, type TObject, type TSchema } from '../../lib/type.ts'
import type { SettingsTable } from '../../db/tables/products.ts'
import { PORTAL_PARTS } from '../../access/portal-parts.ts'
import { decode, Problems } from '../../http/decode.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, SecretText, Text, Time } from '../../http/wire.ts'
import { invalidFields } from '../../lib/errors.ts'
import { parseObject } from '../../lib/json.ts'
import type { ProductChange, WholeProduct } from './schema.ts'

const MAX_DATA = 20_000

/** The contract's `Setting`; `data` is JSON text of one object (docs/settings.md). */
export const Setting = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    setting_type: Type.Integer(),
    element_id: IdText(),
    element_type: Type.Integer(),
    data: Type.String(),
  },
  { title: 'Setting' },
)
export type Setting = Static<typeof Setting>

export const SettingId = Arguments({ setting_id: Id('ID of the setting.') })

const data = SecretText({ max: MAX_DATA, description: 'JSON text of one object.' })
export const SettingUpdate = Arguments({ data: Optional(data) })

/** A month. */
const MAX_GRACE_HOURS = 744

/** What a column of whole numbers holds. */
const MAX_SITES = 2_147_483_647

/** A product, as `element_type` says it (`docs/interface.md` 9.3). */
const PRODUCT = 2

const host = () =>
  Type.Refine(
    Type.String({ maxLength: 255 }),
    (text) => isHost(text),
    () => 'must be a host name in lower case, with its port where that is not the usual one',
  )

/** Whether an address may have exactly this host, as browsers write it. */
const isHost = (text: string) =>
  ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${text}/`)?.host === text)

const pageHost = () =>
  Type.Refine(
    host(),
    (text) => /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:]+\])(?::\d+)?$/.test(text),
    () => 'must be the whole name of a host, without *',
  )

/** An address of the seller, which may be on this machine for who tries things out. */
const address = (description = '') =>
  Optional(
    Nullable(
      Type.Refine(
        Text({ max: 2048, format: 'http-url', description }),
        isSellersAddress,
        () => 'must be an https address',
      ),
    ),
  )

function isSellersAddress(text: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {}
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const hosts = () => Optional(Type.Array(host(), { maxItems: 50 }))

/** Hosts as a policy of a page may name them: each by its whole name. */
const pageHosts = () => Optional(Type.Array(pageHost(), { maxItems: 50 }))

/** What stands on a page of the portal, in one of its languages. */
const words = (max: number) => Optional(Nullable(Text({ min: 1, max })))

const unit = () => Text({ min: 1, max: 50 })

/**
 * The settings of a product by `setting_type`: which columns of the product they hold, under which names.
 * `without` is what a product has that lacks the setting.
 */
export const SETTING_TYPES = {
  1: {
    schema: Arguments({
      can_create_users: Optional(Type.Boolean()),
      confirms_opt_in: Optional(Type.Boolean()),
    }),
    without: { can_create_users: true, confirms_opt_in: true },
  },
  2: {
    schema: Arguments({ redirect_hosts: hosts() }),
    without: { redirect_hosts: '[]' },
  },
  3: {
    schema: Arguments({ selling_unit_singular: Optional(unit()), selling_unit_plural: Optional(unit()) }),
    without: { selling_unit_singular: 'Unit', selling_unit_plural: 'Units' },
  },
  4: {
    schema: Arguments({
      accepted_payments: Optional(Choice([0, 1, 2])),
      expose_license_key: Optional(Type.Boolean()),
      enable_after_purchase_email_login_link: Optional(Type.Boolean()),
      is_consumptive_usage: Optional(Type.Boolean()),
      enable_cart_recovery: Optional(Type.Boolean()),
    }),
    without: {
      accepted_payments: 0,
      expose_license_key: true,
      enable_after_purchase_email_login_link: true,
      is_consumptive_usage: false,
      enable_cart_recovery: true,
    },
  },
  5: {
    schema: Arguments({
      is_active: Optional(Type.Boolean()),
      is_released: Optional(Type.Boolean()),
      is_sdk_required: Optional(Type.Boolean()),
      is_wp_org_compliant: Optional(Type.Boolean()),
      is_static: Optional(Type.Boolean()),
      type_alias: Optional(Text({ max: 100 })),
      sandbox_gets_released: Optional(Type.Boolean()),
      accepts_client_sandbox_tokens: Optional(Type.Boolean()),
      updated_sites_limit: Optional(Nullable(Type.Integer({ minimum: 0, maximum: MAX_SITES }))),
    }),
    without: {
      is_active: true,
      is_released: true,
      is_sdk_required: true,
      is_wp_org_compliant: true,
      is_static: false,
      type_alias: '',
      sandbox_gets_released: false,
      accepts_client_sandbox_tokens: true,
      updated_sites_limit: null,
    },
  },
  6: {
    schema: Arguments({
      renewal_grace_hours: Optional(Type.Integer({ minimum: 0, maximum: MAX_GRACE_HOURS })),
      charge_arrears: Optional(Type.Boolean()),
    }),
    without: { renewal_grace_hours: 24, charge_arrears: false },
  },
  7: {
    schema: Arguments({
      checkout_redirect_url: address(),
      recovery_url: address(),
      terms_url: address(),
      privacy_url: address(),
      embed_hosts: hosts(),
      checkout_accent: Optional(
        Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'A colour such as #0a5fd1.' })),
      ),
      checkout_logo_url: address(),
      support_email: Optional(Nullable(Text({ max: 254, format: 'email' }))),
      keywright_badge: Optional(Type.Boolean()),
    }),
    without: {
      checkout_redirect_url: null,
      recovery_url: null,
      terms_url: null,
      privacy_url: null,
      embed_hosts: '[]',
      checkout_accent: null,
      checkout_logo_url: null,
      support_email: null,
      keywright_badge: true,
    },
  },
  8: {
    schema: Arguments({
      portal_off: Optional(
        Type.Array(Choice(PORTAL_PARTS), { maxItems: PORTAL_PARTS.length, uniqueItems: true }),
      ),
      portal_embed_hosts: pageHosts(),
      portal_greeting_en: words(200),
      portal_greeting_de: words(200),
      portal_help_en: words(500),
      portal_help_de: words(500),
    }),
    without: {
      portal_off: '[]',
      portal_embed_hosts: '[]',
      portal_greeting_en: null,
      portal_greeting_de: null,
      portal_help_en: null,
      portal_help_de: null,
    },
  },
} as const satisfies Record<number, { readonly schema: TObject; readonly without: ProductChange }>

export type SettingType = keyof typeof SETTING_TYPES
export const SETTING_NUMBERS = Object.keys(SETTING_TYPES).map(Number) as SettingType[]

export const SettingWrite = Arguments({ setting_type: Choice(SETTING_NUMBERS), data: Optional(data) })

/** JSON text of a setting → columns of the product. 400 naming every key that does not fit. */
export function columnsOf(type: SettingType, text: string): ProductChange {
  const { schema } = SETTING_TYPES[type]
  const problems = new Problems()
  const values = decode(schema, objectOf(text), 'json', problems)
  const malformed = problems.malformed.map(({ field, message }) => ({ field: `data.${field}`, message }))
  if (malformed.length > 0) throw invalidFields(malformed)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  )
}

function objectOf(text: string): object {
  const value = parseObject(text)
  if (value === undefined)
    throw invalidFields([{ field: 'data', message: 'must be JSON text of one object' }])
  return value
}

export type SettingRow = Selectable<SettingsTable>

/** Row → wire; `data` is put together from the product's columns. */
export const presentSetting = (row: SettingRow, product: WholeProduct): Setting => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  setting_type: row.setting_type,
  element_id: String(row.product_id),
  element_type: PRODUCT,
  data: dataOf(row.setting_type as SettingType, product),
})

const dataOf = (type: SettingType, product: WholeProduct): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(SETTING_TYPES[type].schema.properties).map(([name, schema]) => [
        name,
        valueOf(schema, product[name as keyof WholeProduct]),
      ]),
    ),
  )

function valueOf(schema: TSchema, column: unknown): unknown {
  const { type } = schema as { readonly type?: string }
  return type === 'array' ? (JSON.parse(String(column)) as unknown) : column
}
