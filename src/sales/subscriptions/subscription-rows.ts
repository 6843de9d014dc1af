import { sql, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { hasBought } from '../../db/bought.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SubscriptionsTable } from '../../db/tables/payments.ts'

export const findSubscription = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'subscriptions', owner).select().selectAll().where('subscriptions.id', '=', id),
)

export const findSubscriptions = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'subscriptions', owner)
    .select()
    .selectAll()
    .where('subscriptions.id', 'in', inList(ids))
    .execute()

export const updateSubscriptionRow = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<SubscriptionsTable>,
) =>
  scopedWrite(db, 'subscriptions', owner)
    .update()
    .set(change)
    .where('subscriptions.id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Adds to what all payments of a subscription come to, with tax. */
export const addToTotal = (db: Writer, owner: Owner, id: number, minor: number) =>
  scopedWrite(db, 'subscriptions', owner)
    .update()
    .set({ total_gross: sql<number>`subscriptions.total_gross + ${minor}` })
    .where('subscriptions.id', '=', id)
    .execute()

/** Of a subscription whose period is paid otherwise, moved or left out: nothing has failed for the next, or is owed. */
export const NOTHING_OWED = { attempt: 0, failed_payments: 0, outstanding_balance: 0 } as const

/** The one subscription of a license that is not cancelled. */
export const activeOfLicense = (db: Reader, licenseId: number) =>
  unscoped(db, 'of a license that the caller holds')
    .selectFrom('subscriptions')
    .selectAll()
    .where('license_id', '=', licenseId)
    .where('canceled_at', 'is', null)
    .executeTakeFirst()

/** Whether another subscription of its license came after one. */
export async function hasLaterSubscription(
  db: Reader,
  { id, licenseId }: { readonly id: number; readonly licenseId: number },
): Promise<boolean> {
  const found = await unscoped(db, 'of a license that a scoped query has found')
    .selectFrom('subscriptions')
    .select('id')
    .where('license_id', '=', licenseId)
    .where('id', '>', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether anything was paid for a subscription that the caller was found to own. */
export async function hasPayments(db: Reader, subscriptionId: number): Promise<boolean> {
  const found = await unscoped(db, 'of a subscription that a scoped query has found')
    .selectFrom('payments')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('type', '=', 'payment')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What bought something last for a subscription that the caller holds. */
export const lastPaymentOf = (db: Reader, subscriptionId: number) =>
  unscoped(db, 'of a subscription that the caller holds')
    .selectFrom('payments')
    .select(['id', 'gross', 'refunded_gross'])
    .where('subscription_id', '=', subscriptionId)
    .where('type', '=', 'payment')
    .where(hasBought)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
