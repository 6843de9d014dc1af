import type { TxContext } from '../../context.ts'
import type { PaymentType } from '../../db/tables/payments.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid } from '../../lib/errors.ts'
import { postingsOf } from '../ledger/ledger.ts'
import type { PaidParts } from '../refunds/refunds.ts'
import { checkAfter } from '../taxes/tax-checks.ts'
import { type UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { countSpent, insertPayment, insertPostings } from './queries.ts'
import { insertDiscounts } from './payment-rows.ts'
import type { DiscountRow, PaymentRow } from './schema.ts'
import { addToTotal } from '../subscriptions/subscription-rows.ts'
import { insertProvisionalTax } from '../taxes/provisional-tax-rows.ts'
import { installOfLicense } from '../../licensing/installs/sale-on-install-rows.ts'
import { numberPayment } from '../invoices/number-payment.ts'
import type { InvoicedCompany } from '../invoices/company.ts'
import type { Bought } from '../invoices/invoice-rows.ts'

/** What is written down of money that moved; the product is the scope's. Minor units, times on its own clock. */
export interface NewPayment extends Omit<
  PaymentRow,
  'id' | 'product_id' | 'created' | 'updated' | 'refunded_gross' | 'refunded_tax' | 'region'
> {
  readonly region?: string | null
  /** Whether its tax is given back once the buyer's VAT id was found (`docs/decisions.md` 5.8). */
  readonly isTaxProvisional?: boolean
  /** Of a lost dispute: what was lost for good. */
  readonly lost?: PaidParts
  /** Of a dispute: what was not left for it, with tax. */
  readonly missing?: number
  /** That its license was issued for it, so that it is on no install but its own, and its subscription has it in its total. */
  readonly isOfNewLicense?: boolean
  /** That the caller adds it to what its subscription comes to. */
  readonly isInTotal?: boolean
  /** The company that it was made for, where its checkout was told of one. */
  readonly company?: InvoicedCompany | undefined
  /** What was taken off it. */
  readonly discounts?: readonly Pick<DiscountRow, 'type' | 'discount' | 'coupon_id'>[]
}

/**
 * Writes a payment with its ledger postings, of the install that its license is on, adds it to what its subscription,
 * user and install come to, and records `payment.created`, for one without subscription `plan.lifetime.purchase` too
 * (`docs/decisions.md` 5.9). 400 `payment_external_id_taken` when the product has one with its id at the gateway.
 */
export const recordPayment = async (ctx: TxContext, scope: Scope, given: NewPayment): Promise<PaymentRow> =>
  (await recordSale(ctx, scope, given)).payment

/** `recordPayment`, with what its invoice tells; null where it has none. */
export async function recordSale(ctx: TxContext, scope: Scope, given: NewPayment): Promise<Recorded> {
  const { license_id: license, isOfNewLicense } = given
  const onLicense = license === null || isOfNewLicense ? null : await installOfLicense(ctx.db, license)
  const recorded = await record(ctx, scope, { ...given, install_id: onLicense ?? given.install_id })
  if (!recorded) {
    throw invalid(
      'payment_external_id_taken',
      'The product has a payment with this id at the gateway.',
      'payment_external_id',
    )
  }
  const { payment } = recorded
  const data = { payment_id: String(payment.id), license_id: idOrNull(payment.license_id) }
  const { user_id: userId, environment } = payment
  const about = { environment, userId, ...(payment.install_id && { installId: payment.install_id }) }
  await recordEvent(ctx, scope, { type: 'payment.created', ...about, data })
  if (payment.subscription_id === null && payment.billing_cycle === 0) {
    await recordEvent(ctx, scope, {
      type: 'plan.lifetime.purchase',
      ...about,
      data: { ...data, plan_id: String(payment.plan_id) },
    })
  }
  return recorded
}

export interface Recorded {
  readonly payment: PaymentRow
  readonly bought: Bought | null
}

const idOrNull = (id: number | null) => (id === null ? null : String(id))

/** Writes down anything that moved, without events; undefined when it is known by its id at the gateway. */
export const recordUnlessKnown = async (
  ctx: TxContext,
  scope: Scope,
  given: NewPayment,
): Promise<PaymentRow | undefined> => (await record(ctx, scope, given))?.payment

async function record(ctx: TxContext, scope: Scope, given: NewPayment): Promise<Recorded | undefined> {
  const { discounts = [], company, isOfNewLicense, isInTotal = isOfNewLicense } = given
  const payment = await insertPayment(ctx.db, rowOf(ctx, scope, given))
  if (!payment) return undefined
  await post(ctx, payment)
  const bought = await numberPayment(ctx, scope, { payment, discounts, company })
  if (discounts.length > 0) await noteDiscounts(ctx, payment, discounts)
  await count(ctx, scope, payment, isInTotal)
  if (given.isTaxProvisional && payment.tax > 0) await awaitCheck(ctx, payment)
  return { payment, bought }
}

function rowOf({ clock }: TxContext, { productId }: Scope, given: NewPayment) {
  const { lost, missing = 0, discounts: _off, company: _of, isTaxProvisional: _waits, ...known } = given
  const { isOfNewLicense: _isOfNew, isInTotal: _isInTotal, ...row } = known
  return {
    region: null,
    ...row,
    product_id: productId,
    refunded_gross: lost?.gross ?? missing,
    refunded_tax: lost?.tax ?? 0,
    created: clock.now(),
    updated: null,
  }
}

async function noteDiscounts(
  { db }: TxContext,
  { id: entity_id, product_id, created }: PaymentRow,
  discounts: NonNullable<NewPayment['discounts']>,
): Promise<void> {
  const about = { product_id, entity_type: 'payment', entity_id, license_id: null } as const
  await insertDiscounts(
    db,
    discounts.map((one) => ({ ...about, ...one, created, updated: null })),
  )
}

const awaitCheck = ({ db, clock }: TxContext, { id, product_id }: PaymentRow) =>
  insertProvisionalTax(db, {
    payment_id: id,
    product_id,
    state: 'waiting',
    attempts: 0,
    due_at: clock.real() + checkAfter(0),
    lease_until: 0,
    fence: 0,
    created: clock.now(),
    updated: null,
  })

/** The entry of a payment's row, as the ledger has it. */
export const entryOf = (row: PaymentRow) =>
  postingsOf({
    type: row.type,
    gateway: row.gateway,
    gross: row.gross,
    tax: row.tax,
    fee: row.gateway_fee,
    lostGross: row.refunded_gross,
    lostTax: row.refunded_tax,
  })

/**
 * Writes what a dispute that stands in the books has become more by (`docs/decisions.md` 5.25): the postings beside
 * those it has, and what its subscription, user and install come to. The row itself is the caller's.
 */
export async function recordMore(
  ctx: TxContext,
  scope: Scope,
  dispute: PaymentRow,
  { gross, tax }: PaidParts,
): Promise<void> {
  const more = {
    ...dispute,
    gross: 0 - gross,
    tax: 0 - tax,
    gateway_fee: 0,
    created: ctx.clock.now(),
  }
  await post(ctx, more)
  await count(ctx, scope, more)
}

async function post({ db }: TxContext, payment: PaymentRow): Promise<void> {
  const { id: payment_id, currency, environment, product_id, created } = payment
  const postings = entryOf(payment)
  if (postings.length === 0) return
  const about = { payment_id, currency, environment, product_id, created }
  await insertPostings(
    db,
    postings.map((one) => ({ ...about, ...one })),
  )
}

/** What a user spent counts only what was paid in production; another currency as if it were dollars. */
async function count(
  { db }: TxContext,
  scope: Scope,
  payment: PaymentRow,
  isInTotal?: boolean,
): Promise<void> {
  const { subscription_id: subscription, user_id: userId, install_id: installId, gross, tax } = payment
  const product = wholeProduct(scope)
  if (subscription !== null && !isInTotal && gross + tax !== 0)
    await addToTotal(db, product, subscription, gross + tax)
  if (!isSandbox(payment.environment) && gross !== 0)
    await countSpent(db, product, { userId, installId, gross })
}

/** The columns of a payment that what undoes it has too. */
export const undoing = (
  payment: PaymentRow,
  type: PaymentType,
  processedAt: UtcTime,
): Omit<NewPayment, 'gross' | 'tax' | 'gateway_fee' | 'external_id' | 'refund_reason'> => ({
  user_id: payment.user_id,
  install_id: payment.install_id,
  subscription_id: payment.subscription_id,
  plan_id: payment.plan_id,
  pricing_id: payment.pricing_id,
  license_id: payment.license_id,
  coupon_id: payment.coupon_id,
  bound_payment_id: payment.id,
  payment_method_id: payment.payment_method_id,
  type,
  tax_rate: payment.tax_rate,
  tax_rule: payment.tax_rule,
  currency: payment.currency,
  billing_cycle: payment.billing_cycle,
  is_renewal: payment.is_renewal,
  gateway: payment.gateway,
  country_code: payment.country_code,
  region: payment.region,
  zip_postal_code: payment.zip_postal_code,
  vat_id: payment.vat_id,
  ip: payment.ip,
  source: payment.source,
  environment: payment.environment,
  processed_at: processedAt,
})
