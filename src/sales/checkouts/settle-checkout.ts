import type { TxContext } from '../../context.ts'
import type { ChargeOutcome, Declined, Paid } from '../../gateways/gateway.ts'
import { ApiError, Refused, tooManyRequests } from '../../lib/errors.ts'
import { DAY, fromUtcTime, HOUR, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { gatherEvents } from '../../events/log/record.ts'
import { completeCart } from '../carts/service.ts'
import { endPaying, holdPaying, noteBought, type OwnedCheckout } from './queries.ts'
import { unguard } from './guard-queries.ts'
import { uncountRedemption } from '../coupons/redemption-rows.ts'
import { decideCharge, nameCharge, setOutcome } from '../charges/charge-rows.ts'
import { repriced, type Asked, type Bought } from './action.ts'
import { actionOf } from './actions.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { keepCompany, keepCompanyOfNew } from './company.ts'
import { keepConsent } from './consents.ts'
import { keepsCoupon, refusedCoupon, unguardCoupon } from '../coupons/coupon-guards.ts'
import { isOneTooMany, mayTell } from './free-purchase.ts'
import { giveBackCharge } from '../charges/give-back-charge.ts'
import { lookLater, UNMADE } from '../charges/known-charge.ts'
import { mailReceipt, mailReceiptTo } from '../payments/mail-receipt.ts'
import { boundTo, putOnSite } from './site-of-checkout.ts'

/** The buyer must confirm elsewhere, or the bank takes its time. */
export interface Unsettled {
  readonly confirmationUrl: string | null
}

/**
 * Writes down what a gateway said of a checkout, once, however often it is settled: everything it leads to, the
 * coupon and the cart, all of it or nothing. 400 with the bank's reason when it was declined: the checkout is open
 * again; 400 `checkout_repriced` when nothing was charged and what was priced is not so any more; 400
 * `coupon_not_applicable` or `coupon_already_used` where its coupon went elsewhere (`keepsCoupon`), and what was charged
 * is given back; 429 as `isOneTooMany`.
 * Undefined when it was settled before.
 */
export async function settleCheckout(
  tx: TxContext,
  asked: Asked,
): Promise<BoughtCheckout | Unsettled | Refused | undefined> {
  const { charge, outcome, scope } = asked
  if (charge === null)
    return (await actionOf(asked.checkout).isStill(tx, asked)) ? buy(tx, asked, null) : stale(tx, asked)
  if (outcome === null) return { confirmationUrl: null }
  switch (outcome.outcome) {
    case 'paid':
      if (!(await decide(tx, asked, outcome))) return undefined
      if (charge.purpose !== 'setup' || (await actionOf(asked.checkout).isStill(tx, asked)))
        return buy(tx, asked, outcome)
      return stale(tx, asked)
    case 'declined':
      if (await decide(tx, asked, outcome)) await letGo(tx, asked)
      if (outcome === UNMADE) await lookLater(tx, charge)
      return refused(outcome)
    case 'pending':
      await nameCharge(tx.db, scope, {
        id: charge.id,
        externalId: outcome.externalId,
        updated: tx.clock.now(),
      })
      return { confirmationUrl: outcome.confirmationUrl }
    default:
      return outcome satisfies never
  }
}

const refused = ({ reason, message }: Declined) =>
  new Refused(new ApiError(400, `payment_${reason}`, message))

async function stale(tx: TxContext, asked: Asked): Promise<Refused> {
  await letGo(tx, asked)
  return new Refused(repriced())
}

const decide = (
  tx: TxContext,
  { scope, charge }: Asked,
  outcome: Exclude<ChargeOutcome, { outcome: 'pending' }>,
) =>
  decideCharge(tx.db, scope, {
    id: charge?.id ?? 0,
    state: outcome.outcome === 'paid' ? 'settled' : 'declined',
    externalId: outcome.externalId,
    at: tx.clock.now(),
  })

const buy = (tx: TxContext, asked: Asked, paid: Paid | null): ReturnType<typeof bought> =>
  gatherEvents(tx, (gathering) => bought(gathering, asked, paid))

async function bought(
  tx: TxContext,
  asked: Asked,
  paid: Paid | null,
): Promise<BoughtCheckout | Refused | undefined> {
  const { scope, charge, kept } = asked
  const updated = tx.clock.now()
  const refusal = await refusalOf(tx, asked)
  if (refusal) {
    if (charge && paid) await giveBackCharge(tx, scope, charge, paid.externalId)
    await letGo(tx, asked)
    return new Refused(refusal)
  }
  const row = await endPaying(tx.db, asked.checkout, {
    state: 'paid',
    expires_at: shownUntil(tx, asked),
    updated,
  })
  if (!row) {
    if (charge && paid) await giveBackCharge(tx, scope, charge, paid.externalId)
    return undefined
  }
  const checkout = {
    ...row,
    install_id: await boundTo(tx, row),
    developer_id: asked.checkout.developer_id,
  }
  await keepCompany(tx, { scope, checkout })
  const sale = await actionOf(checkout).settle(tx, { ...asked, checkout, paid })
  const { userId, payment } = sale
  await keepCompanyOfNew(tx, { scope, checkout }, sale)
  if (charge && payment) await setOutcome(tx.db, scope, charge.id, payment.id)
  // The guard of the purchase itself stays for its minute.
  if (kept.couponId !== null) await unguardCoupon(tx, checkout, kept.couponId)
  if (checkout.cart_id !== null) {
    const { cart_id: cartId, environment } = checkout
    await completeCart(tx, scope, { cartId, environment, userId, gross: kept.quote.gross })
  }
  await keepConsent(tx, { scope, checkout }, userId)
  const [noted] = await noteBought(tx.db, checkout.id, idsOf(sale))
  await putOnSite(tx, { ...asked, checkout }, sale)
  await tellPaid(tx, { ...asked, checkout }, sale)
  return { ...sale, checkout: { ...checkout, ...noted } }
}

/** What a checkout led to, and how it stands then. */
export interface BoughtCheckout extends Bought {
  readonly checkout: OwnedCheckout
}

/** Its buyer may look at what was paid for a day, however late it was known. */
const shownUntil = (tx: TxContext, { checkout }: Asked): UtcTime =>
  toUtcTime(Math.max(fromUtcTime(checkout.expires_at), tx.clock.real() + DAY))

/** Why what was paid with a coupon, or is got for nothing with a typed address, becomes nothing after all; null: it does, or was settled before. */
async function refusalOf(tx: TxContext, asked: Asked): Promise<ApiError | null> {
  const { checkout, kept } = asked
  if (kept.couponId === null && !isUnprovenGift(checkout, kept)) return null
  // Held: of any number who settle it one counts.
  if (!(await holdPaying(tx.db, checkout, tx.clock.now()))) return null
  if (!(await keepsCoupon(tx, asked))) {
    return refusedCoupon(isProvenBuyer(checkout) ? 'coupon_already_used' : 'coupon_not_applicable')
  }
  return (await isOneTooMany(tx, asked)) ? tooManyRequests(HOUR / SECOND) : null
}

async function tellPaid(tx: TxContext, asked: Asked, { payment, known }: Bought): Promise<void> {
  if (!payment || !(await mayTell(tx, asked, { userId: payment.user_id, to: known?.to }))) return
  const { checkout, scope } = asked
  await (known
    ? mailReceiptTo(tx, payment, { ...known, waiver: checkout.waiver })
    : mailReceipt(tx, scope, payment, checkout))
}

const idsOf = ({ userId, madeUser, license, payment, subscription, trial }: Bought) => ({
  user_id: userId,
  made_user: madeUser,
  license_id: license?.id ?? null,
  payment_id: payment?.id ?? null,
  subscription_id: subscription?.id ?? null,
  trial_id: trial?.id ?? null,
})

/** What was not paid: what was kept for it is let go, and the checkout is open again. */
export async function letGo(tx: TxContext, asked: Asked): Promise<void> {
  const { scope, checkout, kept } = asked
  const updated = tx.clock.now()
  if (!(await endPaying(tx.db, checkout, { state: 'open', updated }))) return
  await unguard(tx.db, checkout.id)
  const { couponId } = kept
  if (couponId !== null) await uncountRedemption(tx.db, scope, { ...checkout, couponId })
  await actionOf(checkout).release(tx, asked)
}
