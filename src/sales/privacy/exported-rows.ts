import { sql, type RawBuilder } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import type { Tables } from '../../db/tables/tables.ts'

/** Whose records they are. */
export interface Exported {
  readonly userId: number
  readonly developerId: number
  /** Folded. */
  readonly address: string
}

/** A kind of record of the archive (`docs/privacy.md`). */
export interface ExportedKind {
  readonly kind: string
  readonly table: keyof Tables
  /** Their names, with spaces between them. */
  readonly columns: string
  readonly which: (of: Exported) => RawBuilder<unknown>
  /** By what its rows are in order, a number that each has once; absent: its id. */
  readonly by?: string
}

const own = ({ userId }: Exported) => sql`user_id = ${userId}`
const inProducts = ({ developerId }: Exported) =>
  sql`product_id in (select id from products where developer_id = ${developerId})`
const of = (table: 'licenses' | 'installs' | 'payments' | 'subscriptions', { userId }: Exported) =>
  sql`(select id from ${sql.table(table)} where user_id = ${userId})`
const typed = (column: string, about: Exported) =>
  sql`(user_id = ${about.userId} or (user_id is null and ${inProducts(about)} and lower(${sql.ref(column)}) = ${about.address}))`

/** Everything that is stored of a person, in the order of the archive. */
export const EXPORTED: readonly ExportedKind[] = [
  {
    kind: 'user',
    table: 'users',
    columns: 'id email first last picture ip is_verified email_status language last_login_at created updated',
    which: ({ userId }) => sql`id = ${userId}`,
  },
  {
    kind: 'user_of_product',
    table: 'product_users',
    columns: 'product_id is_marketing_allowed is_beta is_paying gross note source created updated',
    which: own,
    by: 'product_id',
  },
  {
    kind: 'billing',
    table: 'billing',
    columns: `id business_name first last email phone website tax_id address_street address_apt
      address_city address_state address_zip address_country address_country_code created updated`,
    which: own,
  },
  {
    kind: 'license',
    table: 'licenses',
    columns: `id product_id plan_id pricing_id quota activated activated_local expiration is_cancelled
      is_trial is_whitelabeled environment source created updated`,
    which: own,
  },
  {
    kind: 'site_of_license',
    table: 'license_sites',
    columns: 'id product_id license_id kind pattern created',
    which: (about) => sql`license_id in ${of('licenses', about)}`,
  },
  {
    kind: 'install',
    table: 'installs',
    columns: `id product_id license_id plan_id uid url title version country_code language
      platform_version sdk_version programming_language_version is_active is_disconnected
      is_premium is_uninstalled is_beta gross environment source upgraded last_seen_at created
      updated`,
    which: own,
  },
  {
    kind: 'permission_of_install',
    table: 'install_metadata',
    columns: 'id install_id permits_user permits_site permits_extensions created updated',
    which: (about) => sql`install_id in ${of('installs', about)}`,
  },
  {
    kind: 'extension',
    table: 'market_items',
    columns: 'id install_id slug title type version is_active created updated',
    which: (about) => sql`install_id in ${of('installs', about)}`,
  },
  {
    kind: 'uninstall',
    table: 'uninstalls',
    columns: 'id product_id install_id uid reason_id reason_info created updated',
    which: (about) => sql`install_id in ${of('installs', about)}`,
  },
  {
    kind: 'clone',
    table: 'install_clones',
    columns: 'id product_id install_id install_url site_url state created updated',
    which: (about) => sql`install_id in ${of('installs', about)}`,
  },
  {
    kind: 'change_of_owner',
    table: 'ownership_changes',
    columns: 'id product_id install_id email owner_at candidate_at completed_at created updated',
    which: ({ userId }) => sql`from_user_id = ${userId}`,
  },
  {
    kind: 'trial',
    table: 'trials',
    columns: `id product_id install_id uid plan_id license_id payment_id subscription_id started_at
      trial_ends_at canceled_at converted_at environment created updated`,
    which: own,
  },
  {
    kind: 'subscription',
    table: 'subscriptions',
    columns: `id product_id plan_id pricing_id license_id install_id billing_cycle currency
      amount_per_cycle initial_amount renewal_amount total_gross outstanding_balance tax_rate ip
      country_code region zip_postal_code vat_id trial_ends next_payment canceled_at gateway
      external_id environment source created updated`,
    which: own,
  },
  {
    kind: 'payment',
    table: 'payments',
    columns: `id product_id plan_id pricing_id license_id install_id subscription_id bound_payment_id
      coupon_id type currency gross tax tax_rate gateway_fee is_renewal billing_cycle ip
      country_code region zip_postal_code vat_id refund_reason gateway external_id environment
      source processed_at created updated`,
    which: own,
  },
  {
    kind: 'invoice',
    table: 'invoices',
    columns: 'id product_id payment_id kind number issued_at content environment created',
    which: (about) => sql`payment_id in ${of('payments', about)}`,
  },
  {
    kind: 'payment_method',
    table: 'payment_methods',
    columns: 'id product_id gateway kind brand last4 expiry_month expiry_year environment created updated',
    which: own,
  },
  {
    kind: 'coupon_redemption',
    table: 'coupon_redemptions',
    columns: 'id product_id coupon_id environment created',
    which: own,
  },
  {
    kind: 'cart',
    table: 'carts',
    columns: `id product_id status mode plan_id pricing_id billing_cycle licenses currency price gross
      coupon_code country_code zip_postal_code vat_id email first last ip url is_unsubscribed
      visited last_visit completed environment created updated`,
    which: (about) => typed('email_folded', about),
  },
  {
    kind: 'checkout',
    table: 'checkouts',
    columns: `id product_id state action plan_id pricing_id billing_cycle coupon_code email first last
      country_code region zip_postal_code vat_id business_name address_street address_apt address_city
      ip url language is_marketing_allowed waiver
      waived_at payment_id license_id subscription_id environment created updated`,
    which: (about) => typed('email', about),
  },
  {
    kind: 'review',
    table: 'reviews',
    columns: `id product_id license_id rate title text name job_title company company_url profile_url
      picture is_active created updated`,
    which: own,
  },
  {
    kind: 'note',
    table: 'notes',
    columns: 'id product_id entity_type entity_id note created updated',
    which: (about) => sql`(entity_type = 'user' and entity_id = ${about.userId} and ${inProducts(about)})
      or (entity_type = 'license' and entity_id in ${of('licenses', about)})
      or (entity_type = 'payment' and entity_id in ${of('payments', about)})
      or (entity_type = 'subscription' and entity_id in ${of('subscriptions', about)})`,
  },
  {
    kind: 'download',
    table: 'deployment_users',
    columns: 'deployment_id product_id is_offered downloaded_at',
    which: own,
    by: 'deployment_id',
  },
  {
    kind: 'mail',
    table: 'mails',
    columns: 'id product_id kind recipient state created_at sent_at',
    which: own,
  },
  {
    kind: 'confirmation',
    table: 'email_confirmations',
    columns: 'id product_id email replaces wanted_at former_at created expires_at used_at',
    which: own,
  },
  {
    kind: 'visit',
    table: 'access_tokens',
    columns: 'id product_id created expires_at',
    which: own,
  },
  {
    kind: 'refusal',
    table: 'refusals',
    columns: `id product_id occasion license_id install_id uid url version code message count created
      last_at`,
    which: (about) => sql`user_id = ${about.userId} or license_id in ${of('licenses', about)}`,
  },
  {
    kind: 'event',
    table: 'events',
    columns: 'id product_id type install_id cart_id thing data event_trigger environment created',
    which: (about) => sql`${inProducts(about)} and ${own(about)}`,
  },
  {
    kind: 'audit',
    table: 'audit_log',
    columns: 'id product_id at action credential ip details',
    which: ({ userId, developerId }) =>
      sql`actor_kind = 'user' and actor_id = ${userId} and developer_id = ${developerId}`,
  },
]

export const namesOf = (columns: string): string[] => columns.split(/\s+/)

/** A row by its columns, those of the kind and `place`, by which it is found again. */
export type ExportedRow = { readonly place: number } & Readonly<
  Record<string, string | number | boolean | null>
>

/** Rows of a kind after a place; of licenses with the sealed key. */
export async function exportedRows(
  db: Reader,
  { table, columns, which, by = 'id' }: ExportedKind,
  { of: about, after, limit }: { readonly of: Exported; readonly after: number; readonly limit: number },
): Promise<readonly ExportedRow[]> {
  const named = [...namesOf(columns), ...(table === 'licenses' ? ['secret_key'] : [])].map((name) =>
    sql.ref(name),
  )
  const { rows } = await sql<ExportedRow>`
    select ${sql.join(named)}, ${sql.ref(by)} as place from ${sql.table(table)}
    where (${which(about)}) and ${sql.ref(by)} > ${after} order by ${sql.ref(by)} limit ${limit}`.execute(
    db as Writer,
  )
  return rows
}
