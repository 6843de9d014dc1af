import type { TxContext } from '../../context.ts'
import type { Reader } from '../../db/database.ts'
import { isReferenced } from '../../db/duplicate.ts'
import type { Owner } from '../../db/scoped.ts'
import { invalid } from '../../lib/errors.ts'
import {
  deleteOpenCheckouts,
  hasInstalls,
  hasLicenses,
  hasPayers,
  hasPayments,
  hasSubscriptions,
} from './in-use-queries.ts'

/** A plan, or one price of it. */
export interface Sold {
  readonly planId: number
  readonly pricingId?: number
}

/** Whether something holds a plan or a price, and so needs it to stay. */
type Holds = (db: Reader, owner: Owner, sold: Sold) => Promise<boolean>

/** Who may hold a plan or a price: a line for each. */
const HOLDERS: readonly Holds[] = [hasLicenses, hasInstalls, hasSubscriptions, hasPayments, hasPayers]

/** Throws 400 `plan_in_use` or `pricing_in_use` when a plan or a price may not go because something has it. */
export async function refuseWhenInUse(ctx: TxContext, owner: Owner, sold: Sold): Promise<void> {
  for (const holds of HOLDERS) if (await holds(ctx.db, owner, sold)) throw inUse(sold)
}

/** Frees a price that moves: forgets the checkouts in which nobody pays for it, then refuses as above. */
export async function freeToMove(ctx: TxContext, owner: Owner, sold: Sold): Promise<void> {
  await deleteOpenCheckouts(ctx.db, sold)
  await refuseWhenInUse(ctx, owner, sold)
}

/**
 * Removes a plan or a price, with the checkouts in which nobody pays for it; refuses as above when something has come
 * to hold it since `refuseWhenInUse`.
 */
export async function removeUnlessHeld<T>(
  { db }: TxContext,
  sold: Sold,
  remove: () => Promise<T>,
): Promise<T> {
  await deleteOpenCheckouts(db, sold)
  try {
    return await remove()
  } catch (error) {
    throw isReferenced(error) ? inUse(sold) : error
  }
}

const inUse = ({ pricingId }: Sold) =>
  pricingId === undefined
    ? invalid('plan_in_use', 'This plan has been sold; hide it instead.')
    : invalid('pricing_in_use', 'This price has been sold; hide it instead.')
