import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { Currency } from '../../lib/money.ts'
import { periodAfter } from '../../lib/periods.ts'
import { portion } from '../../lib/portions.ts'
import { prorationOf } from '../quotes/proration.ts'
import { leftOfPayment } from '../refunds/refunds.ts'
import type { UtcTime } from '../../lib/time.ts'
import { offersOf, type OfferRow } from './queries.ts'
import type { PaymentRow } from '../payments/schema.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import { paymentsOf } from './license-queries.ts'
import { priceOf } from './offer.ts'

/** What is left of what was paid for a license, and the days it is counted in. */
export interface Credit {
  /** Minor units of the currency it is taken off. */
  readonly amount: number
  readonly daysLeft: number | null
  readonly days: number | null
}

/** What is replaced, and by what. */
export interface Replaced {
  readonly licenseId: number
  /** The latest first. */
  readonly subscriptions: readonly SubscriptionRow[]
  readonly lifetimeDays: number | null
  readonly by: { readonly currency: Currency; readonly isLifetime: boolean }
  readonly now: UtcTime
}

/**
 * What is left of what was paid for a license (`docs/interface.md` 7.5): of each period that is not over its share,
 * or of a lifetime all of it. In another currency it is the same share of the same price there. 400 with `currency`
 * where that is not sold.
 */
export async function creditOf(ctx: ReadContext, scope: Scope, replaced: Replaced): Promise<Credit> {
  const payments = await paymentsOf(ctx.db, scope, replaced.licenseId)
  const parts =
    payments[0]?.billing_cycle === 0
      ? [ofLifetime(replaced, payments[0])]
      : [...ofPeriods(replaced, payments)]
  const prices = parts.length === 0 ? [] : await offersOf(ctx.db, scope)
  const sum = (of: (part: Part) => number | null) => parts.reduce((all, part) => all + (of(part) ?? 0), 0)
  const isLimited = parts.every(({ days }) => days !== null)
  return {
    amount: sum(({ amount, payment }) => inCurrency(amount, payment, prices, replaced.by.currency)),
    daysLeft: isLimited ? sum(({ daysLeft }) => daysLeft) : null,
    days: isLimited ? sum(({ days }) => days) : null,
  }
}

type Part = Credit & { readonly payment: PaymentRow }

/** The period that runs, and those after it that were paid in advance. */
function* ofPeriods({ subscriptions, by, now }: Replaced, payments: readonly PaymentRow[]): Generator<Part> {
  for (const subscription of subscriptions) {
    const payment = payments.find(({ subscription_id: id }) => id === subscription.id)
    if (!payment || subscription.billing_cycle === 0) continue
    const { period_start: from } = subscription
    const to = endOfPeriod(subscriptions.find((later) => later.period_start === from) ?? subscription)
    const { credit, ...days } = prorationOf({ paid: leftOfPayment(payment).gross, from, to }, { now, ...by })
    yield { amount: credit, ...days, payment }
    if (from <= now) return
  }
}

/**
 * Of the latest subscription that has the period, which goes on with another method of payment. A period whose end was
 * moved ends at the anchor, from which the next ones count.
 */
const endOfPeriod = ({
  period_anchor: anchor,
  period_start: from,
  billing_cycle: months,
}: SubscriptionRow): UtcTime => (anchor > from ? anchor : periodAfter(anchor, from, months))

function ofLifetime({ by, now, lifetimeDays }: Replaced, payment: PaymentRow): Part {
  const prorationDays = limitOf(lifetimeDays)
  const held = { paid: leftOfPayment(payment).gross, from: payment.processed_at, to: null, prorationDays }
  const { credit, ...days } = prorationOf(held, { now, ...by })
  return { amount: credit, ...days, payment }
}

/** More than 30 days: always. */
const limitOf = (days: number | null) => (days === null || days > 30 ? null : days)

function inCurrency(
  amount: number,
  { currency, pricing_id: id, billing_cycle: cycle }: PaymentRow,
  prices: readonly OfferRow[],
  wanted: Currency,
): number {
  if (amount === 0 || currency === wanted) return amount
  const paid = prices.find((price) => price.id === id)
  const same = prices.find(
    (price) =>
      price.plan_id === paid?.plan_id && price.licenses === paid.licenses && price.currency === wanted,
  )
  const [from, to] = [paid && priceOf(paid, cycle), same && priceOf(same, cycle)]
  if (from && to !== undefined && to !== null) return portion(amount, to, from)
  const message =
    'is not sold for what the license has now, so that what is left of it cannot be carried over'
  throw invalidFields([{ field: 'currency', message }])
}
