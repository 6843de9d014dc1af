/** What kind of money movement a payment's row is, as the ledger needs it; minor units of one currency. */
export interface Entry {
  readonly type: 'payment' | 'refund' | 'disputed' | 'won_dispute' | 'lost_dispute' | 'chargeback'
  /** Null: the money moved elsewhere. */
  readonly gateway: string | null
  /** Without tax; negative where money leaves. */
  readonly gross: number
  readonly tax: number
  /** What the gateway keeps. */
  readonly fee: number
  /** Of a lost dispute: what was lost for good. */
  readonly lostGross: number
  readonly lostTax: number
}

/** One side of an entry. What is ours is positive, where it came from negative. */
export interface Posting {
  readonly account: string
  readonly amount: number
}

/** Where the money of a payment lies. */
const placeOf = (gateway: string | null): string => (gateway === null ? 'elsewhere' : `gateway:${gateway}`)

/**
 * The double entry of a payment's row: its postings add up to 0 whatever it says (`docs/decisions.md` 5.9). An account
 * to which nothing is posted is left out, so that what moves nothing has no postings. A dispute takes the money
 * away when it is opened and keeps it in `disputes`, until it is won, or lost and then given back as a refund is.
 */
export function postingsOf(entry: Entry): Posting[] {
  return [...sidesOf(entry)]
    .map(([account, amount]) => ({ account, amount }))
    .filter(({ amount }) => amount !== 0)
}

function sidesOf(entry: Entry): [account: string, amount: number][] {
  const { type, gateway, gross, tax, fee, lostGross, lostTax } = entry
  const moved: [string, number][] = [
    [placeOf(gateway), gross + tax - fee],
    ['gateway_fees', fee],
  ]
  switch (type) {
    case 'payment':
      return [...moved, ['revenue', -gross], ['tax', -tax]]
    case 'refund':
    case 'chargeback':
      return [...moved, ['refunds', -gross], ['tax', -tax]]
    case 'disputed':
    case 'won_dispute':
      return [...moved, ['disputes', -gross - tax]]
    case 'lost_dispute':
      return [...moved, ['disputes', -lostGross - lostTax], ['refunds', lostGross], ['tax', lostTax]]
    default:
      return type satisfies never
  }
}
