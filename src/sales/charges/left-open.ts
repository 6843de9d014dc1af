import type { Reader } from '../../db/database.ts'
import type { ChargesTable } from '../../db/tables/payments.ts'
import { isSandbox } from '../../lib/environment.ts'
import { toDecimal } from '../../lib/money.ts'
import { HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { chargesLeftOpen } from './left-charge-queries.ts'

/** How many are named. */
const NAMED = 100

/** A call to a gateway that moves money, of which nobody knows for an hour how it ended. */
export interface LeftOpen {
  readonly charge_id: string
  /** Its name at the gateway. */
  readonly key: string
  readonly purpose: ChargesTable['purpose']
  readonly gateway: string
  readonly environment: 'production' | 'sandbox'
  /** With tax, in units of the currency. */
  readonly amount: number
  readonly currency: string
  readonly since: UtcTime
  /** Whether the gateway has named it, and the bank has not decided; else no answer came. */
  readonly is_answered: boolean
  readonly subscription_id: string | null
  /** Of a refund: what is refunded; null where that became no payment. */
  readonly payment_id: string | null
}

/** The first hundred of them, the oldest first; `now` is real time in milliseconds. */
export async function leftOpen(db: Reader, now: number): Promise<LeftOpen[]> {
  const rows = await chargesLeftOpen(db, { before: toUtcTime(now - HOUR), limit: NAMED })
  return rows.map((row) => ({
    charge_id: String(row.id),
    key: row.key,
    purpose: row.purpose,
    gateway: row.gateway,
    environment: isSandbox(row.environment) ? 'sandbox' : 'production',
    amount: toDecimal(row.amount),
    currency: row.currency,
    since: row.created,
    is_answered: row.external_id !== null,
    subscription_id: idText(row.subscription_id),
    payment_id: idText(row.payment_id),
  }))
}

const idText = (id: number | null) => (id === null ? null : String(id))

/** One of them in words. */
export const leftOpenText = (one: LeftOpen): string =>
  `charge ${one.charge_id} (${one.purpose} of ${one.amount.toFixed(2)} ${one.currency} at ${one.gateway}, ` +
  `${one.environment}) is open since ${one.since}: ${one.is_answered ? 'the bank has not decided' : 'no answer came'}`
