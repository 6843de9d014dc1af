import type { TxContext } from '../../context.ts'
import { ApiError, invalid, notFound } from '../../lib/errors.ts'
import { toDecimal } from '../../lib/money.ts'
import type { Scope } from '../../access/scope.ts'
import { latelySince, type Lately } from '../../db/has-come.ts'
import { hold } from '../../db/hold.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { CheckoutRow } from './schema.ts'
import { uncountRedemption } from '../coupons/redemption-rows.ts'
import { recordEvents } from '../../events/log/record.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { getPrice } from '../../catalogue/plans/pricing.ts'
import { activeOfLicense } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import {
  repriced,
  type Asked,
  type Bought,
  type Change,
  type CheckoutActionModule,
  type Priced,
  type Settling,
} from './action.ts'
import { priceChange, standingOf } from './change-quote.ts'
import {
  CHANGE_MS,
  forgetKeyChange,
  isChangedElsewhere,
  isRenewingNow,
  noteKeyChange,
} from './license-queries.ts'
import { purchase } from './purchase.ts'
import { methodOf, paymentOf, redeem } from './sale.ts'
import { renewFrom } from './renewing.ts'
import { stateOf } from './state.ts'
import { convertLicenseOfTrial } from '../subscriptions/convert-trial.ts'
import { guardCoupon } from '../coupons/coupon-guards.ts'
import { holdFamily, type Family } from '../../licensing/licenses/family.ts'
import { mailLicense } from '../../licensing/licenses/mail-licenses.ts'
import { moveToPlan } from '../../licensing/installs/move-to-plan.ts'
import { noteProven } from '../../licensing/activation/proven-license.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { takeOwed } from '../refunds/refund-payment.ts'
import { endSubscription, REPLACED } from '../subscriptions/start-subscription.ts'
import { changeFamily } from '../../licensing/licenses/update-license.ts'

/** A license that is renewed, or gets another plan, price or cycle. */
export const licenseUpdate: CheckoutActionModule = {
  purpose: 'purchase',
  price: priceChange,
  async hold(tx, scope, row, priced) {
    refuseForNothing(row, priced)
    await holdLicenseOf(tx, scope, row, priced)
    await guardCoupon(tx, scope, row, priced)
  },
  async release() {},
  isStill: isAsPriced,
  settle: change,
}

/**
 * Who holds a license key and no more takes for nothing no plan away, and with it what is left of what was paid, nor
 * puts a method of payment in the place of the owner's: that needs a payment, or the owner. 400 `owner_required`.
 */
export function refuseForNothing({ is_hidden: isHidden }: CheckoutRow, { quote }: Priced): void {
  if (!isHidden || quote.total > 0) return
  throw invalid(
    'owner_required',
    'A change that costs nothing is for the owner of the license, by a link of the seller or logged in.',
  )
}

/**
 * Keeps a license for this checkout alone: two changes at once, or one while it is renewed, charge for one
 * (the row of the license is the lock). 400 `license_change_in_progress`, `renewal_in_progress` (also of one that is
 * due soon and that a key alone has held up for as long as it may, `docs/decisions.md` 5.22), and `checkout_repriced`
 * when it was changed since it was priced.
 */
export async function holdLicenseOf(
  tx: TxContext,
  scope: Scope,
  row: CheckoutRow,
  { change: to }: Pick<Priced, 'change'>,
): Promise<void> {
  const licenseId = row.of_license_id ?? 0
  if (!(await hold(tx.db, 'licenses', scope, licenseId))) throw notFound('license')
  const now = tx.clock.real()
  const lately = latelySince(now - CHANGE_MS, now)
  const isOwners = !row.is_hidden
  if (await isChangedElsewhere(tx.db, scope, { licenseId, checkoutId: row.id, lately, isOwners })) {
    throw invalid('license_change_in_progress', 'This license is being changed in another checkout.')
  }
  const id = to?.subscriptionId ?? null
  const subscription = id === null ? undefined : await hold(tx.db, 'subscriptions', scope, id)
  if (id !== null && (await isRenewingNow(tx.db, scope, id))) throw renewing()
  if (!isOwners) await holdByKey(tx, licenseId, { subscription, lately })
  if ((await standingOf(tx, scope, licenseId)).state !== to?.state) throw repriced()
}

interface HeldByKey {
  readonly subscription: SubscriptionRow | undefined
  readonly lately: Lately
}

/** What would be in work when a renewal is due, which it may not hold up any more, is not begun: nobody pays twice. */
async function holdByKey(
  tx: TxContext,
  licenseId: number,
  { subscription, lately }: HeldByKey,
): Promise<void> {
  const first = await noteKeyChange(tx.db, licenseId, tx.clock.now(), lately)
  const dueAt = subscription?.canceled_at === null ? subscription.due_at : null
  if (first > lately.since || !subscription || dueAt === null) return
  const { product_id: productId, environment } = subscription
  if (dueAt <= toUtcTime(tx.clock.of(productId, environment) + CHANGE_MS)) throw renewing()
}

const renewing = () =>
  invalid('renewal_in_progress', 'This license is being renewed; look at its price again in a moment.')

/** Whether a license that is held stands as it did when its change was priced, and no renewal is under way. */
export async function isAsPriced(tx: TxContext, { scope, checkout, kept }: Asked): Promise<boolean> {
  const licenseId = checkout.of_license_id ?? 0
  if (!(await hold(tx.db, 'licenses', scope, licenseId))) return false
  const id = kept.change?.subscriptionId ?? null
  if (id !== null) await hold(tx.db, 'subscriptions', scope, id)
  if (id !== null && (await isRenewingNow(tx.db, scope, id))) return false
  return (await standingOf(tx, scope, licenseId)).state === kept.change?.state
}

/**
 * Writes a change that is paid. What was priced on a state that is no more, as somebody paid long after it, is written
 * as it stands now, and what it costs less is given back: all of it where there is nothing to change any more. A
 * license that was erased meanwhile is bought anew.
 */
async function change(tx: TxContext, settling: Settling): Promise<Bought> {
  const { scope, checkout } = settling
  const held = await hold(tx.db, 'licenses', scope, checkout.of_license_id ?? 0)
  if (!held) return purchase.settle(tx, settling)
  const userId = held.user_id ?? checkout.user_id ?? 0
  const present = await asItStands(tx, settling)
  if (present === null) return giveBackAll(tx, settling, held, userId)
  const bought = await replace(tx, present, await holdFamily(tx, scope, held.id), userId)
  const tooMuch = present.paidFor - present.worth
  if (bought.payment && tooMuch > 0) await giveBack(tx, scope, bought.payment, tooMuch)
  return bought
}

type Present = Settling & { readonly to: Change; readonly paidFor: number; readonly worth: number }

/** A change as it is worth today; null: the license cannot be changed in this way any more. */
async function asItStands(tx: TxContext, settling: Settling): Promise<Present | null> {
  const { scope, checkout, kept } = settling
  const { change: to } = kept
  const { total } = kept.quote
  if (!to) return null
  const { state } = await standingOf(tx, scope, to.licenseId)
  if (state === to.state) return { ...settling, to, paidFor: total, worth: total }
  const now = await refusedAsNull(async () => priceChange(tx, await stateOf(tx, scope, checkout)))
  if (now?.change?.kind !== to.kind) return null
  const { renewal, amountPerCycle, change: today } = now
  // A renewal of today has the coupon of its subscription off it; what is bought anew has not.
  const { formerCouponId } = today.kind === 'renewal' ? today : to
  const change = { ...today, formerCouponId }
  const present = { ...kept, renewal, amountPerCycle, change, now: now.now }
  return { ...settling, kept: present, to: change, paidFor: total, worth: Math.min(total, now.quote.total) }
}

async function refusedAsNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** Writes down what was charged, and gives it back; its coupon can be used again, and nothing else is done. */
export async function giveBackAll(
  tx: TxContext,
  settling: Settling,
  license: LicenseRow,
  userId: number,
): Promise<Bought> {
  const { scope, checkout, kept } = settling
  if (kept.quote.total === 0) return { userId, license, payment: null, subscription: null }
  const { couponId } = kept
  if (couponId !== null) await uncountRedemption(tx.db, scope, { ...checkout, couponId })
  const known = { userId, license, methodId: null }
  const payment = await recordPayment(tx, scope, { ...paymentOf(tx, settling, known), subscription_id: null })
  await giveBack(tx, scope, payment)
  return { userId, license, payment, subscription: null }
}

/** Takes it, or all, from the payment now; a job has the gateway give it back. */
const giveBack = (tx: TxContext, scope: Scope, { id }: PaymentRow, minor?: number) =>
  takeOwed(tx, scope, id, {
    ...(minor !== undefined && { amount: toDecimal(minor) }),
    reason: 'The license was changed meanwhile.',
  })

async function replace(tx: TxContext, present: Present, family: Family, userId: number): Promise<Bought> {
  const { scope, to } = present
  const methodId = await methodOf(tx, present, userId)
  const before = await activeOfLicense(tx.db, family.license.id)
  if (before) await endSubscription(tx, scope, before, REPLACED)
  const license = await changeLicenseOf(tx, present, family, to)
  await changeInstalls(tx, scope, family.license, license)
  const known = { userId, license, methodId }
  const subscription = await renewFrom(tx, present, known, { to, before })
  if (to.kind === 'renewal') await forgetKeyChange(tx.db, license.id)
  const payment = await recordPayment(tx, scope, {
    ...paymentOf(tx, present, known),
    subscription_id: subscription?.id ?? null,
    is_renewal: to.kind === 'renewal' && !family.license.is_trial,
    discounts: discountsOf(present),
  })
  await convertLicenseOfTrial(tx, family, payment.id)
  if (license.is_unproven) await noteProven(tx, license)
  await redeem(tx, present, userId)
  await mailLicense(tx, scope, license, present.checkout.language)
  return { userId, license, payment, subscription }
}

/** No license ends earlier for a renewal. */
async function changeLicenseOf(
  tx: TxContext,
  { scope, checkout, kept }: Settling,
  family: Family,
  { kind, expiration }: Change,
): Promise<LicenseRow> {
  const { plan_id, pricing_id, billing_cycle: cycle } = checkout
  const { expiration: present, is_trial: isTrial } = family.license
  const plan = await getPlan(tx, scope, plan_id)
  const ofCycle = cycle === 1 ? plan.is_block_features_monthly : plan.is_block_features
  if (kind === 'renewal') {
    const isEarlier = present === null || (expiration !== null && present > expiration)
    const end = isEarlier ? present : expiration
    const bought = { expiration: end, is_block_features: ofCycle }
    if (isTrial) return changeFamily(tx, scope, family, { change: bought })
    return changeFamily(tx, scope, family, { change: { expiration: end }, isRenewal: true })
  }
  const pricing = await getPrice(tx, scope, pricing_id)
  return changeFamily(tx, scope, family, {
    change: {
      plan_id: plan.id,
      pricing_id: pricing.id,
      quota: kept.licenses,
      expiration,
      is_block_features: ofCycle,
      is_whitelabeled: pricing.is_whitelabeled,
    },
  })
}

/** The installs of a license are on its plan, and told of it as of an activation. */
async function changeInstalls(
  tx: TxContext,
  scope: Scope,
  before: LicenseRow,
  after: LicenseRow,
): Promise<void> {
  if (before.plan_id === after.plan_id) return
  const moved = await moveToPlan(tx, after)
  const told = moved.flatMap((one) => {
    const { license_id, install_id } = one.data
    return [{ ...one, type: 'license.activated' as const, data: { license_id, install_id } }, one]
  })
  await recordEvents(tx, scope, told)
}

const discountsOf = ({ kept }: Settling) =>
  kept.quote.lines
    .filter(({ kind }) => kind === 'proration')
    .map(({ amount }) => ({ type: 'prorate' as const, discount: -amount, coupon_id: null }))
