import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Tables } from './tables/tables.ts'

type Rows = { [T in keyof Tables]: Selectable<Tables[T]> }

/** The names of the columns of a table that are true or false, or null where nobody has said. */
type FlagOf<Row> = {
  [K in keyof Row]: [Row[K]] extends [null] ? never : Row[K] extends boolean | null ? K : never
}[keyof Row]

type Flag = { [T in keyof Rows]: FlagOf<Rows[T]> }[keyof Rows]

/** Columns of the same name that are something else: a name tells a flag by itself. */
type Otherwise = { [T in keyof Rows]: Exclude<keyof Rows[T] & Flag, FlagOf<Rows[T]>> }[keyof Rows]

/** Every flag; one that is missing, or is a number in another table, does not compile. */
const every = <const Names extends readonly Flag[]>(
  names: [Exclude<Flag, Names[number]> | Otherwise] extends [never] ? Names : never,
): Names => names

/** The columns that both databases keep as 0 or 1 and code sees as false or true. */
const COLUMNS = every([
  'accepts_client_sandbox_tokens',
  'can_create_users',
  'can_refund',
  'charge_arrears',
  'confirms_opt_in',
  'enable_after_purchase_email_login_link',
  'enable_cart_recovery',
  'expose_license_key',
  'has_addons_discount',
  'has_renewals_discount',
  'is_active',
  'is_again',
  'is_beta',
  'is_block_features',
  'is_block_features_monthly',
  'is_brought',
  'is_by_key',
  'is_cancelled',
  'is_dry_run',
  'is_consumptive_usage',
  'is_disabled',
  'is_disconnected',
  'is_elsewhere',
  'is_featured',
  'is_format_enough',
  'is_free_localhost',
  'is_hidden',
  'is_incremental',
  'is_locked',
  'is_marketing_allowed',
  'is_named_by_id',
  'is_offered',
  'is_one_per_user',
  'is_owed',
  'is_paying',
  'is_portal',
  'is_premium',
  'is_pricing_visible',
  'is_readonly',
  'is_recorded',
  'is_released',
  'is_renewal',
  'is_require_subscription',
  'is_sandbox',
  'is_sdk_required',
  'is_sealed',
  'is_spread',
  'is_static',
  'is_success_manager',
  'is_trial',
  'is_unearned',
  'is_uninstalled',
  'is_unproven',
  'is_unsubscribed',
  'is_verified',
  'is_whitelabeled',
  'is_wp_org_compliant',
  'keywright_badge',
  'made_user',
  'permits_extensions',
  'permits_site',
  'permits_user',
  'sandbox_gets_released',
  'signs',
  'went_on',
  'with_payment_method',
])

/** What statements call a flag where they select it beside another one, or what they find out. */
const ALIASES = [
  'has_free_plan',
  'is_bundle_unproven',
  'is_install_beta',
  'is_plan_hidden',
  'is_price_hidden',
  'is_sold',
  'is_user_beta',
  'replaced_has_renewals_discount',
] as const

const names: ReadonlySet<string> = new Set([...COLUMNS, ...ALIASES])

/** Whether what a statement calls this is a flag. */
export const isFlag = (name: string): boolean => names.has(name)

/** A flag as a connection answers it; PostgreSQL itself says true or false of a condition. */
export const toFlag = (stored: unknown): boolean | null => (stored === null ? null : Boolean(stored))

/** The values of a statement as both databases take them: flags as 1 and 0. */
export function bound(parameters: readonly unknown[]): readonly unknown[] {
  if (!parameters.some((value) => typeof value === 'boolean')) return parameters
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value))
}

/** A flag that stands in the text of a statement, so that an index of these rows alone is used. */
export const literal = (flag: boolean): RawBuilder<boolean> => (flag ? sql<boolean>`1` : sql<boolean>`0`)
