import type { TxContext } from '../../context.ts'
import { fold } from '../../lib/fold.ts'
import { guard, PAYING_HELD_MS, unguard } from './guard-queries.ts'
import type { CheckoutRow } from './schema.ts'
import type { ReportedCharge } from '../charges/reported-charge-rows.ts'
import { findBoughtSince, isPaidElsewhere } from './bought-since-queries.ts'
import type { Kept } from './action.ts'
import { provenNameOf, purchaseGuard } from './purchase.ts'

interface Late {
  readonly checkout: CheckoutRow
  readonly charge: ReportedCharge
  readonly kept: Kept
}

type BoughtSince = NonNullable<Awaited<ReturnType<typeof findBoughtSince>>>

/**
 * What the buyer of a purchase that is paid after all has bought in its stead in another checkout since it was charged
 * (`docs/decisions.md` 5.26); null: nothing, and neither who has a proof nor who is at its place begins to until this one
 * is bought. `later`: the same is being paid from whatever place, or was a minute ago for another site.
 */
export async function boughtSince(
  tx: TxContext,
  { checkout, charge, kept }: Late,
): Promise<BoughtSince | 'later' | null> {
  if (checkout.action !== 'purchase') return null
  const { name: placed } = purchaseGuard({ ip: checkout.ip }, checkout)
  // Under the proven name too, which is the same for all who settle late.
  const names = [...new Set([kept.boughtAs ?? placed, provenNameOf(checkout)])]
  const own = { email_folded: fold(checkout.email), checkout_id: checkout.id, forMs: PAYING_HELD_MS }
  let isHeld = true
  for (const name of names) isHeld &&= await guard(tx.db, { ...own, name }, tx.clock.real())
  // First: what is paid between the two looks is seen by the second.
  const isPaying = await isPaidElsewhere(tx.db, checkout)
  const bought = await findBoughtSince(tx.db, checkout, charge)
  if (isHeld && !isPaying && !bought) return null
  await unguard(tx.db, checkout.id, names)
  return bought ?? 'later'
}
