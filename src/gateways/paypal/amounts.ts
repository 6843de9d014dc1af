import type { Amount } from '../gateway.ts'
import type { Capture, Money } from './api.ts'

/** As PayPal writes an amount of one of our currencies, all of which have two decimals: `{118.80, EUR}`. */
export const moneyOf = ({ minor, currency }: Amount): Money => ({
  currency_code: currency.toUpperCase(),
  value: `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`,
})

/** Minor units of what PayPal wrote with at most two decimals, exactly. Error when it is no such amount. */
export function minorOf({ value }: Money): number {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d*)(?:\.(\d{1,2})0*)?$/.exec(value) ?? []
  const minor = Number(`${whole}${decimals.padEnd(2, '0')}`)
  if (!/\d/.test(value) || whole + decimals === '' || !Number.isSafeInteger(minor))
    throw new Error(`PayPal wrote an amount that is none: ${value}`)
  return sign === '' || minor === 0 ? minor : -minor
}

/** The code of its currency, as ours are written. */
export const currencyOf = ({ currency_code: code }: Money): string => code.toLowerCase()

/** What PayPal keeps of a capture, in minor units of its currency, at most all of it; 0 while it has not said. */
export function feeOf({ amount, seller_receivable_breakdown: parts }: Capture): number {
  const fee = parts?.paypal_fee
  return fee && fee.currency_code === amount.currency_code
    ? Math.min(minorOf(amount), Math.max(0, minorOf(fee)))
    : 0
}

/** An amount in minor units of the currency of a capture, by the rate at which that was paid out; 0 without one. */
export function inCurrencyOf({ amount, seller_receivable_breakdown: parts }: Capture, money: Money): number {
  if (money.currency_code === amount.currency_code) return minorOf(money)
  const { target_currency: target, value } = parts?.exchange_rate ?? {}
  const rate = Number(value)
  return target === money.currency_code && rate > 0 ? Math.round(minorOf(money) / rate) : 0
}
