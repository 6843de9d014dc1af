import type { Reader, Writer } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'

interface Sold {
  readonly planId: number
  readonly pricingId?: number
}

const FOUND = 'what holds a plan or a price that its product was found to have'

/** Whether a plan or a price has licenses. */
export async function hasLicenses(db: Reader, _: Owner, { planId, pricingId }: Sold): Promise<boolean> {
  const licenses = unscoped(db, FOUND).selectFrom('licenses').select('id')
  const found =
    pricingId === undefined
      ? licenses.where('plan_id', '=', planId)
      : licenses.where('pricing_id', '=', pricingId)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

/** Whether installs are on a plan, or try it or have tried it. */
export async function hasInstalls(db: Reader, _: Owner, { planId, pricingId }: Sold): Promise<boolean> {
  if (pricingId !== undefined) return false
  const installs = unscoped(db, FOUND).selectFrom('installs').select('id').limit(1)
  const trials = unscoped(db, FOUND).selectFrom('trials').select('id').limit(1)
  const found =
    (await installs.where('plan_id', '=', planId).executeTakeFirst()) ??
    (await installs.where('trial_plan_id', '=', planId).executeTakeFirst()) ??
    (await trials.where('plan_id', '=', planId).executeTakeFirst())
  return found !== undefined
}

/** Whether a plan or a price was subscribed to. */
export const hasSubscriptions = (db: Reader, _: Owner, sold: Sold): Promise<boolean> =>
  isIn(db, 'subscriptions', sold)

/** Whether anything was paid for a plan or a price. */
export const hasPayments = (db: Reader, _: Owner, sold: Sold): Promise<boolean> => isIn(db, 'payments', sold)

/** Whether somebody pays for a plan or a price. */
export async function hasPayers(db: Reader, _: Owner, { planId, pricingId }: Sold): Promise<boolean> {
  const paying = unscoped(db, FOUND).selectFrom('checkouts').select('id').where('state', '=', 'paying')
  const found =
    pricingId === undefined
      ? paying.where('plan_id', '=', planId)
      : paying.where('pricing_id', '=', pricingId)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

async function isIn(
  db: Reader,
  table: 'payments' | 'subscriptions',
  { planId, pricingId }: Sold,
): Promise<boolean> {
  const rows = unscoped(db, FOUND).selectFrom(table).select('id')
  const found =
    pricingId === undefined ? rows.where('plan_id', '=', planId) : rows.where('pricing_id', '=', pricingId)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

/** Forgets what somebody looked at and did not begin to pay. */
export function deleteOpenCheckouts(db: Writer, { planId, pricingId }: Sold) {
  const open = unscoped(db, 'of a plan that the caller removes')
    .deleteFrom('checkouts')
    .where('plan_id', '=', planId)
    .where('state', '=', 'open')
  return (pricingId === undefined ? open : open.where('pricing_id', '=', pricingId)).execute()
}
