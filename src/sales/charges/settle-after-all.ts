import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Paid } from '../../gateways/gateway.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { HOUR } from '../../lib/time.ts'
import {
  endPaying,
  findCheckoutRow,
  findOffer,
  payAfterAll,
  boughtSince,
  boundTo,
  paymentOf,
  settleCheckout,
} from '../checkouts/front/settle.ts'
import type { CheckoutRow, Asked, Kept } from '../checkouts/front/show.ts'
import { countRedemption } from '../coupons/redemption-rows.ts'
import { hasOtherOpen, reopenCharge, restoreState } from './charge-queries.ts'
import { decideCharge, setOutcome, type ChargeRow } from './charge-rows.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'
import { detailsOf } from './ask-for-charge.ts'
import { keepsCoupon } from '../coupons/coupon-guards.ts'
import { giveBackCharge } from './give-back-charge.ts'
import { keepPaid } from './kept-charge.ts'
import { recordPayment, type NewPayment } from '../payments/record-payment.ts'
import { takeOwed } from '../refunds/refund-payment.ts'
import { attemptOf } from '../renewals/attempt.ts'
import { paymentOf as paymentOfRenewal } from '../renewals/payment.ts'
import { settlePaid, type Attempt } from '../renewals/settle-renewal.ts'

/**
 * Settles a renewal that its gateway was paid, once: also one that was taken for declined or never made meanwhile, which
 * is renewed where it is due still, else given back.
 */
export async function settlePaidRenewal(
  tx: TxContext,
  attempt: Attempt & { readonly charge: ChargeRow },
  paid: Paid,
): Promise<void> {
  const { charge, about } = attempt
  if (await settlePaid(tx, attempt, paid)) return
  await settleAfterAll(tx, { ...charge, developer_id: about.developer_id }, paid)
}

/** `settleCheckout`, also of what was taken for declined while its gateway was paid. Undefined: it was settled before. */
export async function settlePurchase(tx: TxContext, asked: Asked): ReturnType<typeof settleCheckout> {
  const { charge, checkout, outcome } = asked
  const settled = await settleCheckout(tx, asked)
  if (settled !== undefined || !charge || charge.purpose === 'setup' || outcome?.outcome !== 'paid')
    return settled
  const declined = { ...charge, developer_id: checkout.developer_id }
  if ((await settleAfterAll(tx, declined, outcome)) === 'later') await keepPaid(tx, charge, outcome)
  return undefined
}

/** After which what waits is looked up too, and is open for `ledger check` and `doctor` until then. */
const LOOK_MS = HOUR

/** `later`: what it was for is being paid otherwise, and it is known only then what becomes of this. */
export type AfterAll = 'done' | 'later'

/**
 * What was declined, or taken for never made, and is paid after all: it buys or renews what it was for where that can be
 * still, else it is given back. Does nothing of what was settled. `later`: nothing was done, and the caller comes again.
 */
export async function settleAfterAll(tx: TxContext, declined: ReportedCharge, paid: Paid): Promise<AfterAll> {
  const { developer_id, product_id: productId } = declined
  const scope = systemScope({ developerId: developer_id, productId })
  const before = await hold(tx.db, 'charges', scope, declined.id)
  const reopened = before && (await reopenCharge(tx.db, scope, before.id))
  if (!reopened) return 'done'
  const charge = { ...reopened, developer_id }
  const became = await (charge.purpose === 'renewal' ? renewAfterAll : buyAfterAll)(tx, scope, charge, paid)
  if (became === 'settled') return 'done'
  if (became === 'later') {
    await restoreState(tx.db, scope, before, tx.clock.real() + LOOK_MS)
    return 'later'
  }
  const { id } = charge
  const { externalId } = paid
  const at = tx.clock.now()
  await decideCharge(tx.db, scope, { id, state: 'settled', externalId, at })
  await giveBackCharge(tx, scope, charge, externalId)
  return 'done'
}

/** `gone`: nobody knows any more what it was for, or it is sold no more. */
type Became = 'settled' | 'later' | 'gone'

/** What is due still, and nobody else pays, is renewed. */
async function renewAfterAll(
  tx: TxContext,
  scope: Scope,
  charge: ReportedCharge,
  paid: Paid,
): Promise<Became> {
  const attempt = await attemptOf(tx, charge)
  if (!attempt) return 'gone'
  const { row, period } = attempt
  const isDue = row.canceled_at === null && row.next_payment === period
  if (isDue && !(await hasOtherOpen(tx.db, scope, charge))) await settlePaid(tx, attempt, paid)
  else {
    const payment = paymentOfRenewal(attempt, paid)
    await giveBack(tx, scope, { charge, paid, payment, reason: PAID_OTHERWISE })
  }
  return 'settled'
}

/**
 * A checkout that is open still is bought with it, at the price that was paid, unless the same was bought meanwhile, or
 * it is about something else by now, which that price does not buy.
 */
async function buyAfterAll(tx: TxContext, scope: Scope, charge: ReportedCharge, paid: Paid): Promise<Became> {
  const { checkoutId, priced: kept } = detailsOf(charge)
  const updated = tx.clock.now()
  const open = await payAfterAll(tx.db, checkoutId, charge.id, updated)
  const row = open ?? (await findCheckoutRow(tx.db, checkoutId))
  if (!row) return 'gone'
  const checkout = { ...row, developer_id: charge.developer_id }
  const settling = { checkout, scope, charge, outcome: paid, kept, paid }
  if (!open) return giveBackPurchase(tx, settling)
  const bought = isAsSold(row, kept)
    ? await boughtSince(tx, { checkout, charge, kept })
    : { user_id: row.user_id, license_id: null }
  if (bought === null) {
    const couponId = await couponAfterAll(tx, settling)
    await settleCheckout(tx, { ...settling, kept: { ...kept, couponId } })
    return 'settled'
  }
  await endPaying(tx.db, open, { state: 'open', updated })
  if (bought === 'later') return 'later'
  return giveBackPurchase(tx, { ...settling, checkout: { ...checkout, ...bought, state: 'open' } })
}

const isAsSold = ({ pricing_id: pricingId, billing_cycle: cycle }: CheckoutRow, { sold }: Kept): boolean =>
  !sold || (sold.pricing_id === pricingId && sold.billing_cycle === cycle)

/** Whether what was sold can be named still: the seller may delete a price that its checkout has left for another one. */
async function isThere(tx: TxContext, scope: Scope, { sold }: Kept): Promise<boolean> {
  return !sold || (await findOffer(tx.db, scope, sold.pricing_id))?.plan_id === sold.plan_id
}

/** What was paid stays as it was; it has no coupon that is used up, or went to who has proven to be the buyer. */
async function couponAfterAll(tx: TxContext, asked: Asked): Promise<number | null> {
  const { scope, checkout, kept } = asked
  const { couponId: id } = kept
  if (id === null || !(await keepsCoupon(tx, asked))) return null
  return (await countRedemption(tx.db, scope, { ...checkout, couponId: id })) ? id : null
}

async function giveBackPurchase(
  tx: TxContext,
  settling: Parameters<typeof paymentOf>[1] & { readonly paid: Paid; readonly charge: ChargeRow },
): Promise<Became> {
  const { checkout, scope, charge, kept, paid } = settling
  if (checkout.state === 'paying') return 'later'
  const { user_id: userId, license_id: licenseId } = checkout
  if (userId === null || !(await isThere(tx, scope, kept))) return 'gone'
  const known = { userId, license: { id: licenseId ?? 0 }, methodId: null }
  const sold = { ...checkout, ...kept.sold, install_id: await boundTo(tx, checkout) }
  const payment = {
    ...paymentOf(tx, { ...settling, checkout: sold }, known),
    license_id: licenseId,
    subscription_id: null,
  }
  const reason = isAsSold(checkout, kept) ? PAID_OTHERWISE : CHANGED
  await giveBack(tx, scope, { charge, paid, payment, reason })
  return 'settled'
}

interface GivenBack {
  readonly charge: ChargeRow
  readonly paid: Paid
  readonly payment: NewPayment
  readonly reason: string
}

const PAID_OTHERWISE = 'It was paid otherwise meanwhile.'
const CHANGED = 'Its checkout was about another price or cycle by then.'

/** Writes down what was paid, and takes it from the payment; a job has the gateway give it back. */
async function giveBack(
  tx: TxContext,
  scope: Scope,
  { charge, paid, payment, reason }: GivenBack,
): Promise<void> {
  const { externalId } = paid
  const at = tx.clock.now()
  if (!(await decideCharge(tx.db, scope, { id: charge.id, state: 'settled', externalId, at }))) return
  const { id } = await recordPayment(tx, scope, payment)
  await setOutcome(tx.db, scope, charge.id, id)
  await takeOwed(tx, scope, id, { reason })
}
