import type { TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { tooManyRequests } from '../lib/errors.ts'
import { HOUR, SECOND } from '../lib/time.ts'
import { mayMail } from '../mail/limits.ts'
import type { CheckoutRow } from '../resources/checkouts/schema.ts'
import type { Priced } from './checkout-action.ts'
import { isUnprovenGift } from './checkout-buyer.ts'

/**
 * Counts what is bought or tried for nothing with an address that was only typed, as its license is mailed there. 429
 * where as many were as `mayMail` lets through.
 */
export async function countFree(
  tx: TxContext,
  { ip }: Scope,
  row: CheckoutRow,
  { quote }: Pick<Priced, 'quote'>,
): Promise<void> {
  const isSold = row.action === 'purchase' || row.action === 'trial'
  if (!isSold || !isUnprovenGift(row, { quote }) || row.email === '') return
  if (!(await mayMail(tx, { recipient: row.email, ip }))) throw tooManyRequests(HOUR / SECOND)
}
