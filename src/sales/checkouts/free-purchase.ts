import type { TxContext } from '../../context.ts'
import { mayMail } from '../../mail/limits.ts'
import type { Asked } from './action.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { addressed, type Recipient } from '../../people/users/recipient.ts'
import { isSandbox } from '../../lib/environment.ts'

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

/**
 * Whether the owner of what a checkout led to is mailed about it. In a sandbox nobody pays, so that what is mailed from
 * there to an address whose owner has not come is counted as what is got for nothing; the sale goes on without.
 */
export async function mayTell(
  tx: TxContext,
  { checkout, kept, scope }: Asked,
  { userId, to }: Told,
): Promise<boolean> {
  if (!isSandbox(checkout.environment) || isProvenBuyer(checkout) || isUnprovenGift(checkout, kept))
    return true
  const { recipient } = to ?? (await addressed(tx, scope, userId))
  return mayMail(tx, { recipient, ip: scope.ip ?? checkout.ip })
}

interface Told {
  readonly userId: number
  /** Where it is read already. */
  readonly to?: Recipient | undefined
}
