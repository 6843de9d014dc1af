/** What prices may be in (`docs/interface.md` 1.5). */
export const CURRENCIES = ['usd', 'eur', 'gbp'] as const
export type Currency = (typeof CURRENCIES)[number]

/** The highest price, in units of its currency. */
export const MAX_PRICE = 10_000_000

/**
 * Whether an amount has at most two decimals: whether the whole minor units nearest to it are the same
 * number again. Exact for every amount below 2^53 minor units.
 */
export const isMinorAmount = (amount: number): boolean => toDecimal(toMinor(amount)) === amount

/** `19.99` → `1999`; `amount` has at most two decimals (`isMinorAmount`). */
export const toMinor = (amount: number): number => Math.round(amount * 100)

/** `1999` → `19.99`, as money stands on the wire (`docs/decisions.md` 5.1). */
export const toDecimal = (minor: number): number => minor / 100

/** An amount; its currency is its lower-case code of three letters. */
export interface Money {
  /** Whole minor units of the currency. */
  readonly minor: number
  readonly currency: string
}
