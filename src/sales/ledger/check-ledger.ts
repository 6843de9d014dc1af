import type { Context } from '../../context.ts'
import { isSandbox } from '../../lib/environment.ts'
import { toDecimal } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'
import {
  paymentsFrom,
  postingsBetween,
  sumsOfLedger,
  unbookedCharges,
  unearnedPayments,
} from './check-ledger-queries.ts'
import { leftOpen, type LeftOpen } from '../charges/left-open.ts'
import { entryOf } from '../payments/record-payment.ts'

const BATCH = 1_000
/** How many faults are named. */
const NAMED = 100

export interface CurrencySum {
  readonly currency: string
  readonly environment: 'production' | 'sandbox'
  /** In units of the currency; 0 unless something is wrong. */
  readonly sum: number
}

export interface LedgerFault {
  readonly payment_id: string
  readonly message: string
}

/** What a gateway was paid and nobody has: neither a payment nor refunds of all of it are written. */
export interface UnbookedCharge {
  readonly charge_id: string
  /** Its name at the gateway. */
  readonly key: string
  readonly gateway: string
  /** With tax, in units of the currency. */
  readonly amount: number
  readonly currency: string
  readonly settled_at: UtcTime | null
}

export interface LedgerReport {
  readonly ok: boolean
  readonly payments: number
  readonly currencies: readonly CurrencySum[]
  /** The first hundred of them. */
  readonly faults: readonly LedgerFault[]
  readonly fault_count: number
  /** The first hundred of them; none is ok. */
  readonly unbooked_charges: readonly UnbookedCharge[]
  /** Of which nobody knows for an hour how they ended; one of production without an answer is not ok. */
  readonly open_charges: readonly LeftOpen[]
}

/**
 * Whether all accounts of each currency come to 0, and the postings of each payment come to what its row says
 * in every account (`docs/decisions.md` 5.9); which charges were paid and are in no book, and which are open. What has
 * bought nothing must be given back whole, or asked for (`docs/decisions.md` 5.16). It only looks, beside the requests.
 */
export async function checkLedger({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): Promise<LedgerReport> {
  const db = database.background
  const currencies = (await sumsOfLedger(db)).map(({ currency, environment, sum }) => ({
    currency,
    environment: isSandbox(environment) ? ('sandbox' as const) : ('production' as const),
    sum: toDecimal(Number(sum)),
  }))
  const faults: LedgerFault[] = []
  let payments = 0
  let count = 0
  for (let after = 0; ;) {
    const rows = await paymentsFrom(db, after, BATCH)
    const last = rows.at(-1)
    if (!last) break
    for (const fault of faultsOf(rows, await postingsBetween(db, after, last.id))) {
      count++
      if (faults.length < NAMED) faults.push(fault)
    }
    payments += rows.length
    after = last.id
  }
  const forgotten = (await unearnedPayments(db, NAMED)).map(unearnedFault)
  count += forgotten.length
  faults.push(...forgotten.slice(0, NAMED - faults.length))
  const open = await leftOpen(db, clock.real())
  const isAnswered = open.every((one) => one.is_answered || one.environment === 'sandbox')
  const unbooked = (await unbookedCharges(db, NAMED)).map(({ id, amount, ...row }) => ({
    charge_id: String(id),
    ...row,
    amount: toDecimal(amount),
  }))
  const areBooked = count === 0 && unbooked.length === 0
  const ok = areBooked && isAnswered && currencies.every(({ sum }) => sum === 0)
  return {
    ok,
    payments,
    currencies,
    faults,
    fault_count: count,
    unbooked_charges: unbooked,
    open_charges: open,
  }
}

const unearnedFault = ({ id, left }: Awaited<ReturnType<typeof unearnedPayments>>[number]): LedgerFault => ({
  payment_id: String(id),
  message: `has bought nothing, and ${toDecimal(Number(left)).toFixed(2)} of it is neither given back nor asked for`,
})

type PostingRow = Awaited<ReturnType<typeof postingsBetween>>[number]

function faultsOf(payments: readonly PaymentRow[], postings: readonly PostingRow[]): LedgerFault[] {
  const byPayment = new Map<number, PostingRow[]>()
  for (const posting of postings) {
    const own = byPayment.get(posting.payment_id) ?? []
    byPayment.set(posting.payment_id, [...own, posting])
  }
  return payments.flatMap((payment) => faultOf(payment, byPayment.get(payment.id) ?? []))
}

function faultOf(payment: PaymentRow, postings: readonly PostingRow[]): LedgerFault[] {
  const { id, currency, environment, product_id: product } = payment
  const isElsewhere = postings.some(
    (one) => one.currency !== currency || one.environment !== environment || one.product_id !== product,
  )
  const expected = textOf(entryOf(payment))
  const found = textOf(postings)
  if (!isElsewhere && expected === found) return []
  const message = isElsewhere
    ? 'has postings of another currency, environment or product'
    : `must have the postings ${expected || 'none'}, has ${found || 'none'}`
  return [{ payment_id: String(id), message }]
}

/** By account: a dispute that has become more has postings of that beside its first ones. */
function textOf(postings: readonly { readonly account: string; readonly amount: number }[]): string {
  const sums = new Map<string, number>()
  for (const { account, amount } of postings) sums.set(account, (sums.get(account) ?? 0) + amount)
  return [...sums]
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => `${account} ${toDecimal(amount).toFixed(2)}`)
    .toSorted()
    .join(', ')
}
