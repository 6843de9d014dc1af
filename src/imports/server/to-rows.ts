import { ADDRESS_COLUMNS } from '../../catalogue/stores/addresses-schema.ts'
import { placeOf } from '../../licensing/installs/site.ts'
import { isLocalAddress } from '../../licensing/installs/local-hosts.ts'
import { firstNotice, NOTHING_TO_TELL, TRIAL_NOTICES } from '../../licensing/notices/notices.ts'
import { addMonths } from '../../lib/periods.ts'
import { fromUtcTime, type UtcTime } from '../../lib/time.ts'
import { TAKES_BACK } from '../check-refunds.ts'
import type { Sent } from './client.ts'
import { id, mapped, minor } from './field-maps.ts'

type Row = Record<string, unknown>

/** A product; what it is follows from what it belongs to. */
export function productRow(sent: Sent): Row {
  const row = mapped('products', sent)
  const isAddOn = row['parent_plugin_id'] !== null
  const unit = sent['selling_unit_label'] as Record<'singular' | 'plural', unknown> | undefined
  return {
    ...row,
    ...(unit && { selling_unit_singular: unit.singular, selling_unit_plural: unit.plural }),
    kind: isAddOn ? 'addon' : sent['type_alias'] === 'bundle' ? 'bundle' : 'product',
  }
}

/** What an add-on market shows of a product. */
export const infoRow = (sent: Sent): Row => ({
  ...mapped('product_info', sent),
  screenshots: JSON.stringify(sent['screenshots'] ?? {}),
})

/** The senders of a store or a product. */
export const addressesRow = (sent: Sent): Row => ({
  ...mapped('email_addresses', sent),
  ...Object.fromEntries(ADDRESS_COLUMNS.map((column) => [column, sent[column] ?? null])),
})

/** A coupon of a product or of its store, which is `storeId` unless that is null; amounts are whole dollars on the wire. */
export function couponRow(sent: Sent, storeId: number | null): Row {
  const owner = id(sent['entity_id'])
  const isOfStore = sent['entity_type'] === 'store'
  const discount = Number(sent['discount'])
  const isAmount = sent['discount_type'] === 'dollar'
  return {
    ...mapped('coupons', sent),
    product_id: isOfStore ? null : owner,
    store_id: isOfStore ? (storeId ?? owner) : null,
    discount: isAmount ? Math.round(discount * 100) : discount,
    ...(isAmount && { discount_eur: ownAmount(sent, 'eur'), discount_gbp: ownAmount(sent, 'gbp') }),
  }
}

/** Minor units of a coupon in a currency; null where it takes as many off as of US dollars. */
function ownAmount(sent: Sent, currency: string): unknown {
  const amount = (sent['discounts'] as Sent | undefined)?.[currency]
  return amount === undefined || amount === sent['discount'] ? null : minor(amount)
}

/** A license with the notices about its end that are to come; `ofTrial` says of those of trials whether that is converted. */
export function licenseRow(sent: Sent, now: UtcTime, ofTrial: ReadonlyMap<unknown, boolean>): Row {
  const row = mapped('licenses', sent)
  const end = (row['expiration'] ?? null) as UtcTime | null
  return {
    ...row,
    ...noticesOf(end, now),
    is_brought: true,
    // What was tried and then bought by itself has a license of its own, and this one is cancelled.
    is_trial: ofTrial.has(row['id']) && (ofTrial.get(row['id']) === false || sent['is_cancelled'] === true),
  }
}

/** The notices about the end of a license that are to come: none of one that is over already. */
export const noticesOf = (end: UtcTime | null, now: UtcTime) =>
  end !== null && end <= now ? NOTHING_TO_TELL : firstNotice(end, now)

/** The place of an install, which other installs may have too; without an address it is its uid. */
export const siteRow = (sent: Sent): Row => ({
  id: id(sent['site_id']),
  address: placeOf(urlOf(sent)).address ?? String(sent['uid']),
  created: sent['created'],
})

const urlOf = (sent: Sent) => (typeof sent['url'] === 'string' && sent['url'] !== '' ? sent['url'] : null)

/** How many installs a license has that are counted as each. */
export type Places = Record<'production' | 'local', number>

export const placesOf = (license: Sent): Places => ({
  production: Number(license['activated'] ?? 0),
  local: Number(license['activated_local'] ?? 0),
})

/**
 * An install, counted on its license by what its address is, while the license has places of that kind: what is on a
 * subdomain of a counted one is covered. `places` are those that are left of each license.
 */
export function installRow(sent: Sent, places: ReadonlyMap<unknown, Places>): Row {
  const row = mapped('installs', sent)
  const url = urlOf(sent)
  const countedAs = url !== null && isLocalAddress(url) ? 'local' : 'production'
  const left = places.get(row['license_id'])
  const isCounted = left !== undefined && left[countedAs] > 0
  if (isCounted) left[countedAs]--
  const counted = isCounted ? countedAs : 'covered'
  return { ...row, url, host: placeOf(url).host, counted_as: row['license_id'] === null ? null : counted }
}

/**
 * A subscription. The interface tells no method of payment, so it is paid there until its buyer stores one here, or a
 * file of `payment_methods` brings it.
 */
export function subscriptionRow(sent: Sent): Row {
  const row = mapped('subscriptions', sent)
  const [created, cycle] = [sent['created'] as UtcTime, Number(sent['billing_cycle'])]
  return { ...row, ...paidElsewhere(created, (row['next_payment'] ?? null) as UtcTime | null, cycle) }
}

/** The periods of a subscription that is paid elsewhere, by its beginning, its next payment and its months. */
export function paidElsewhere(created: UtcTime, next: UtcTime | null, cycle: number) {
  const before = next === null || cycle === 0 ? created : addMonths(next, -cycle)
  return {
    period_anchor: anchorOf(created, next, cycle),
    period_start: before > created ? before : next !== null && next < created ? next : created,
    started_at: created,
    due_at: null,
    is_elsewhere: true,
  }
}

/** The beginning, where its day and hour are those of the next payment; otherwise that. */
function anchorOf(created: UtcTime, next: UtcTime | null, cycle: number): UtcTime {
  if (next === null || cycle === 0) return created
  const [from, to] = [new Date(fromUtcTime(created)), new Date(fromUtcTime(next))]
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  return addMonths(created, months) === next ? created : next
}

/** What is known of payments beside each: what was taken back of one, and how often its subscription is paid. */
export interface BesidePayments {
  readonly taken: ReadonlyMap<unknown, Parts>
  readonly cycles: ReadonlyMap<unknown, unknown>
}

interface Parts {
  readonly gross: number
  readonly tax: number
}

const NOTHING: Parts = { gross: 0, tax: 0 }

/** Of each payment what others have taken back, and not returned since; of each dispute that is lost what was lost. */
export function takenBack(payments: readonly Sent[]): ReadonlyMap<unknown, Parts> {
  const taken = new Map<unknown, Parts>()
  const add = (of: unknown, { gross, tax }: Parts) => {
    const before = taken.get(of) ?? NOTHING
    taken.set(of, { gross: before.gross + gross, tax: before.tax + tax })
  }
  const disputed = new Map<unknown, Parts>()
  for (const sent of payments) {
    const { bound_payment_id: of, gross, tax } = mapped('payments', sent)
    const parts = { gross: 0 - Number(gross), tax: 0 - Number(tax) }
    if (TAKES_BACK.has(sent['type'])) add(of, parts)
    if (sent['type'] === 'disputed') disputed.set(of, parts)
  }
  for (const sent of payments.filter(({ type }) => type === 'lost_dispute')) {
    const { id: lost, bound_payment_id: of } = mapped('payments', sent)
    add(lost, disputed.get(of) ?? NOTHING)
  }
  return taken
}

/** A payment. It was paid there, so in the ledger it lies `elsewhere`, and a refund of it is one of the books alone. */
export function paymentRow(sent: Sent, { taken, cycles }: BesidePayments): Row {
  const row = mapped('payments', sent)
  const back = taken.get(row['id']) ?? NOTHING
  const [gross, tax] = [Number(row['gross']), Number(row['tax'])]
  return {
    ...row,
    gateway: null,
    // How often it is paid is said by its subscription; without one it was paid once.
    billing_cycle: cycles.get(row['subscription_id']) ?? 0,
    tax_rate: gross > 0 && tax > 0 ? Math.min(1_000_000, Math.round((tax * 1_000_000) / gross)) : 0,
    refunded_gross: back.gross,
    refunded_tax: back.tax,
  }
}

/** A trial, by the uid of its install, or as one of the checkout. */
export function trialRow(sent: Sent, uids: ReadonlyMap<unknown, string>, now: UtcTime): Row {
  const row = mapped('trials', sent)
  const uid = uids.get(row['install_id']) ?? `checkout:${String(sent['environment'])}`
  const end = sent['trial_ends_at'] as UtcTime
  const isOver = end <= now || sent['canceled_at'] !== null || sent['converted_at'] !== null
  return {
    ...row,
    uid,
    ...(isOver ? { notice: TRIAL_NOTICES.length, notice_at: null } : firstNotice(end, now, TRIAL_NOTICES)),
  }
}
