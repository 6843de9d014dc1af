import type { Currency } from '../../lib/money.ts'
import { portion } from '../../lib/portions.ts'

/** What a tax rate of 100 % is counted in. */
export const MILLION = 1_000_000

/** Minor units off a price: a whole number from 0 to the price. */
export type Discount = (price: number) => number

/** A share of the price in hundredths of a percent, at most all of it, rounded half up (`docs/decisions.md` 5.1). */
export const percentageOff =
  (hundredths: number): Discount =>
  (price) =>
    portion(price, Math.min(hundredths, 10_000), 10_000)

/** A fixed amount in minor units, at most the price. */
export const fixedOff =
  (minor: number): Discount =>
  (price) =>
    Math.min(minor, price)

/** Of two discounts the one that takes more off a price; null where there is none. */
export function betterOff(one: Discount | null, other: Discount | null): Discount | null {
  if (one === null || other === null) return one ?? other
  return (price) => Math.max(one(price), other(price))
}

/** A discount as it is kept: hundredths of a percent, or minor units; null for 0, which takes nothing off. */
export function keptDiscount(discount: number, type: 'percentage' | 'dollar'): Discount | null {
  if (discount === 0) return null
  return type === 'percentage' ? percentageOff(discount) : fixedOff(discount)
}

/** One step from the list price to what is charged; minor units, what is taken off is negative. */
export interface QuoteLine {
  readonly kind: 'price' | 'proration' | 'renewals_discount' | 'coupon' | 'tax'
  readonly amount: number
}

/** What a payment is made of, in minor units of the currency. */
export interface Quote {
  readonly currency: Currency
  /** They add up to `total`; price and tax are always there, the others where they change something. */
  readonly lines: readonly QuoteLine[]
  /** Without tax, as payments say it. */
  readonly gross: number
  readonly tax: number
  /** What is charged: gross and tax. 0: nothing is, and no gateway takes part. */
  readonly total: number
}

export interface FirstPayment {
  readonly currency: Currency
  /** List price, minor units. */
  readonly price: number
  /**
   * What is left of what was paid for the plan that is replaced; a surplus is not paid out (`docs/interface.md` 7.5).
   */
  readonly credit: number
  readonly coupon: Discount | null
  /** Millionths. */
  readonly taxRate: number
}

export interface Renewal {
  readonly currency: Currency
  /** Of the subscription itself, whatever the price is now; minor units. */
  readonly amountPerCycle: number
  readonly renewalsDiscount: Discount | null
  /** One that is for renewals too. */
  readonly coupon: Discount | null
  /** Millionths, of the day of the renewal. */
  readonly taxRate: number
}

/** List price, less the credit, less the coupon on what then remains, plus tax (`docs/decisions.md` 5.2). */
export const quoteFirstPayment = ({ price, credit, coupon, ...rest }: FirstPayment): Quote =>
  quote(price, {
    ...rest,
    steps: [
      ['proration', fixedOff(credit)],
      ['coupon', coupon],
    ],
  })

/** The subscription's amount, less its discount for renewals, less the coupon, plus tax (`docs/decisions.md` 5.2). */
export const quoteRenewal = ({ amountPerCycle, renewalsDiscount, coupon, ...rest }: Renewal): Quote =>
  quote(amountPerCycle, {
    ...rest,
    steps: [
      ['renewals_discount', renewalsDiscount],
      ['coupon', coupon],
    ],
  })

interface Terms {
  readonly currency: Currency
  readonly taxRate: number
  /** In their order, each on what the one before left. */
  readonly steps: readonly (readonly [QuoteLine['kind'], Discount | null])[]
}

function quote(price: number, { currency, taxRate, steps }: Terms): Quote {
  const lines: QuoteLine[] = [{ kind: 'price', amount: price }]
  let gross = price
  for (const [kind, discount] of steps) {
    const off = Math.min(discount?.(gross) ?? 0, gross)
    if (off > 0) lines.push({ kind, amount: -off })
    gross -= off
  }
  const tax = portion(gross, taxRate, MILLION)
  return { currency, lines: [...lines, { kind: 'tax', amount: tax }], gross, tax, total: gross + tax }
}
