import type { TxContext } from '../context.ts'
import { mayMail } from '../mail/limits.ts'
import type { Asked } from './checkout-action.ts'
import { isUnprovenGift } from './checkout-buyer.ts'

/**
 * Counts what is bought or tried for nothing with an address that was only typed, as its license is mailed there, in the
 * transaction that writes it: a try that leads to nothing counts for nothing. Whether it is more than `mayMail` lets
 * through. Whoever asks holds the checkout.
 */
export async function isOneTooMany(tx: TxContext, { checkout, kept, scope }: Asked): Promise<boolean> {
  const isSold = checkout.action === 'purchase' || checkout.action === 'trial'
  if (!isSold || !isUnprovenGift(checkout, kept) || checkout.email === '') return false
  // A job goes on for whoever opened it.
  return !(await mayMail(tx, { recipient: checkout.email, ip: scope.ip ?? checkout.ip }))
}
