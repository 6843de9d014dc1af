import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { fold } from '../../lib/fold.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { renewalGrace } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import { writeRedemption } from '../coupons/redemptions.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { recordEvent } from '../../events/log/record.ts'
import { insertMethod } from '../payments/payment-rows.ts'
import type { Settling } from './action.ts'
import { isProvenBuyer } from './buyer.ts'
import { companyOnInvoice } from './company.ts'
import { NEW_USER } from '../../licensing/licenses/child-license.ts'
import { addBuyer } from '../../people/users/create.ts'
import { addressed, addressOf } from '../../people/users/recipient.ts'

/** Whom and what a checkout is written for. */
export interface Known {
  readonly userId: number
  readonly license: Pick<LicenseRow, 'id'>
  readonly methodId: number | null
}

/** By what a buyer is known before it is a user. */
export const buyerIn = (row: Pick<CheckoutRow, 'product_id' | 'email' | 'user_id' | 'environment'>) => ({
  productId: row.product_id,
  emailFolded: fold(row.email),
  userId: row.user_id,
  environment: row.environment,
})

/** Who gets what was bought, whether the account had nobody of this address before, and whom mails of it go to. */
export async function buyerOf(tx: TxContext, { scope, checkout }: Settling) {
  const { user_id: userId } = checkout
  if (userId !== null) return { userId, madeUser: false, to: await addressed(tx, scope, userId) }
  const { email, ip } = checkout
  const input = {
    ...NEW_USER,
    email,
    ...namesIn(checkout),
    send_verification_email: false,
    ...(ip !== null && { ip }),
  }
  const person = await addBuyer(tx, scope, input)
  return { userId: person.id, madeUser: person.isNew, to: addressOf(scope, person) }
}

/** The names that a buyer gave, or else one made of the address. */
export const namesIn = ({ email, first, last }: Pick<CheckoutRow, 'email' | 'first' | 'last'>) => ({
  first: first || fold(email).split('@')[0] || 'Buyer',
  last,
})

/** A license lives some hours longer than what is paid, so that a renewal that goes through never lets it lapse. */
export const endOf = async (tx: TxContext, scope: Scope, paidUntil: UtcTime): Promise<UtcTime> =>
  endAfter(paidUntil, await renewalGrace(tx.db, scope))

/** `endOf` of a product whose grace is read already, in hours. */
export const endAfter = (paidUntil: UtcTime, hours: number): UtcTime =>
  toUtcTime(fromUtcTime(paidUntil) + hours * HOUR)

/** Keeps the method of payment for later charges, and tells of it; null where none is to be kept. */
export async function methodOf(
  tx: TxContext,
  { scope, checkout, charge, paid }: Settling,
  userId: number,
): Promise<number | null> {
  const method = paid?.method
  if (!method) return null
  const card = method.card ?? { brand: null, last4: null, expiryMonth: null, expiryYear: null }
  const { id } = await insertMethod(tx.db, {
    product_id: scope.productId,
    user_id: userId,
    gateway: charge?.gateway ?? '',
    kind: method.kind,
    token: tx.keys.seal(method.token, 'payment_methods.token'),
    brand: card.brand,
    last4: card.last4,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    environment: checkout.environment,
    created: tx.clock.now(),
    updated: null,
  })
  const isReplaced = checkout.action === 'payment_method_update'
  await recordEvent(tx, scope, {
    type: isReplaced ? 'card.updated' : 'card.created',
    environment: checkout.environment,
    userId,
    data: { card_id: String(id), user_id: String(userId) },
  })
  return id
}

/** What subscription and payment both say of what was bought. */
const boughtOf = ({ checkout, kept, charge, paid }: Settling, { userId, license, methodId }: Known) => ({
  user_id: userId,
  install_id: checkout.install_id,
  plan_id: checkout.plan_id,
  pricing_id: checkout.pricing_id,
  license_id: license.id,
  coupon_id: kept.couponId,
  payment_method_id: methodId,
  gateway: paid ? (charge?.gateway ?? null) : null,
  billing_cycle: checkout.billing_cycle,
  currency: kept.quote.currency,
  tax_rate: kept.tax.rate,
  country_code: checkout.country_code,
  zip_postal_code: checkout.zip_postal_code,
  vat_id: checkout.vat_id,
  ip: checkout.ip,
  source: 0 as const,
  environment: checkout.environment,
})

/** What a subscription that begins at a checkout says, whatever is paid when. */
export const subscribedOf = (settling: Settling, known: Known) => {
  const { checkout, kept } = settling
  return {
    ...boughtOf(settling, known),
    region: checkout.region,
    external_id: null,
    amount_per_cycle: kept.amountPerCycle,
    renewals_discount: kept.renewalsDiscount.discount,
    renewals_discount_type: kept.renewalsDiscount.type,
  }
}

/** A payment is dated when it is settled. One of nothing has no gateway, though a method may have been set up at one. */
export const paymentOf = (tx: TxContext, settling: Settling, known: Known) => ({
  ...boughtOf(settling, known),
  ...(settling.charge?.purpose === 'setup'
    ? { gateway: null, external_id: null }
    : { external_id: settling.paid?.externalId ?? null }),
  bound_payment_id: null,
  type: 'payment' as const,
  gross: settling.kept.quote.gross,
  tax: settling.kept.quote.tax,
  tax_rule: settling.kept.tax.rule,
  isTaxProvisional: settling.kept.tax.isProvisional === true,
  region: settling.checkout.region,
  gateway_fee: settling.paid?.fee ?? 0,
  is_renewal: false,
  refund_reason: null,
  processed_at: toUtcTime(tx.clock.of(settling.checkout.product_id, settling.checkout.environment)),
  company: companyOnInvoice(settling.checkout, isProvenBuyer(settling.checkout)),
})

/**
 * Writes down that the coupon of a checkout was used; it was counted when its payment began. `unprovenId`: the license that
 * it came with, where that was got for nothing for an address that was typed.
 */
export async function redeem(
  tx: TxContext,
  { scope, checkout: { environment }, kept: { couponId } }: Settling,
  userId: number,
  unprovenId: number | null = null,
): Promise<void> {
  if (couponId !== null) await writeRedemption(tx, scope, { couponId, environment, userId, unprovenId })
}
