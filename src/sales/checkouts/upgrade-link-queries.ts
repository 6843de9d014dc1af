import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** The prices of a plan, or those for a number of licenses; null: unlimited. */
export function pricesOfPlan(
  db: Reader,
  owner: Owner,
  { planId, licenses }: { readonly planId: number; readonly licenses: number | null | undefined },
) {
  const prices = scoped(db, 'pricing', owner).select().selectAll().where('plan_id', '=', planId)
  if (licenses === undefined) return prices.execute()
  return (
    licenses === null ? prices.where('licenses', 'is', null) : prices.where('licenses', '=', licenses)
  ).execute()
}
