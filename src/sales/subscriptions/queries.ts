import { sql, type Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { preparedRow } from '../../db/prepared.ts'
import { inList } from '../../db/in-list.ts'
import { scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SubscriptionsTable } from '../../db/tables/payments.ts'
import type { Currency } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import { NOTHING_OWED } from './subscription-rows.ts'

/** Adds a subscription unless its license has one that is not cancelled; undefined then. */
export async function insertSubscription(db: Writer, row: Insertable<SubscriptionsTable>) {
  const [inserted] = await inserting(db, row, {})
  return inserted
}
const inserting = preparedRow((db, row: Insertable<SubscriptionsTable>) =>
  db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

interface Ending {
  readonly id: number
  readonly now: UtcTime
  readonly updated: UtcTime
  /** Whether its buyer or seller asks for it, who may take that back. */
  readonly isAsked: boolean
}

/** Of one that is charged here, owes nothing, and is on no trial, which ends with it. */
const MAY_GO_ON = sql`failed_payments = 0 and is_elsewhere = 0
  and (trial_ends is null or trial_ends <> next_payment)`

/**
 * Cancels a subscription, with a trial that still runs; undefined when it is cancelled already. One statement, so
 * that it is cancelled once.
 */
export const endSubscriptionRow = (db: Writer, owner: Owner, { id, now, updated, isAsked }: Ending) =>
  scopedWrite(db, 'subscriptions', owner)
    .update()
    .set((eb) => ({
      canceled_at: now,
      resumes_at: isAsked
        ? sql<UtcTime | null>`case when ${MAY_GO_ON} then next_payment else null end`
        : null,
      next_payment: null,
      due_at: null,
      trial_ends: eb
        .case()
        .when('subscriptions.trial_ends', '>', now)
        .then(now)
        .else(eb.ref('subscriptions.trial_ends'))
        .end(),
      updated,
    }))
    .where('subscriptions.id', '=', id)
    .where('subscriptions.canceled_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Lets a subscription that was cancelled go on as it was; undefined when it goes on already, or may not. */
export const resumeSubscriptionRow = (db: Writer, owner: Owner, id: number, updated: UtcTime) =>
  scopedWrite(db, 'subscriptions', owner)
    .update()
    .set((eb) => ({
      canceled_at: null,
      next_payment: eb.ref('subscriptions.resumes_at'),
      due_at: eb.ref('subscriptions.resumes_at'),
      resumes_at: null,
      updated,
    }))
    .where('subscriptions.id', '=', id)
    .where('subscriptions.canceled_at', 'is not', null)
    .where('subscriptions.resumes_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/** Moves the next payment to a later time, from which the periods count then; false when it is not later. */
export async function moveNextPayment(
  db: Writer,
  owner: Owner,
  { id, at, updated }: { readonly id: number; readonly at: UtcTime; readonly updated: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'subscriptions', owner)
    .update()
    .set((eb) => ({
      next_payment: at,
      due_at: eb.case().when('subscriptions.due_at', 'is', null).then(null).else(at).end(),
      period_anchor: at,
      trial_ends: eb
        .case()
        .when('subscriptions.trial_ends', '=', eb.ref('subscriptions.next_payment'))
        .then(at)
        .else(eb.ref('subscriptions.trial_ends'))
        .end(),
      ...NOTHING_OWED,
      updated,
    }))
    .where('subscriptions.id', '=', id)
    .where('subscriptions.canceled_at', 'is', null)
    .where('subscriptions.next_payment', '<', at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The subscriptions of licenses that the caller was found to own, those of each in order. */
export const subscriptionsOfLicenses = (db: Reader, licenseIds: readonly number[]) =>
  unscoped(db, 'of licenses that a scoped query has found')
    .selectFrom('subscriptions')
    .selectAll()
    .where('license_id', 'in', inList(licenseIds))
    .orderBy('id')
    .execute()

/** Whether the first attempt at a renewal of a license's subscription is decided by nobody yet. */
export async function hasRenewalInFlight(db: Reader, licenseId: number): Promise<boolean> {
  const found = await unscoped(db, 'of a license that the caller has found')
    .selectFrom('subscriptions')
    .innerJoin('charges', 'charges.subscription_id', 'subscriptions.id')
    .select('charges.id')
    .where('subscriptions.license_id', '=', licenseId)
    .where('subscriptions.canceled_at', 'is', null)
    .where('subscriptions.failed_payments', '=', 0)
    .where('charges.purpose', '=', 'renewal')
    .where('charges.state', 'in', ['started', 'pending'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Writes whether a user has a subscription in production that renews, and is not on the trial it begins with. */
export const markPaying = (db: Writer, owner: Owner, userId: number) =>
  scopedWrite(db, 'product_users', owner)
    .update()
    .set((eb) => ({
      is_paying: eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('subscriptions')
              .select('subscriptions.id')
              .where('subscriptions.user_id', '=', userId)
              .where('subscriptions.product_id', '=', owner.productId)
              .where('subscriptions.environment', '=', 0)
              .where('subscriptions.canceled_at', 'is', null)
              .where((or) =>
                or.or([
                  or('subscriptions.trial_ends', 'is', null),
                  or('subscriptions.next_payment', 'is', null),
                  or('subscriptions.trial_ends', '<>', or.ref('subscriptions.next_payment')),
                ]),
              ),
          ),
        )
        .then(literal(true))
        .else(literal(false))
        .end(),
    }))
    .where('product_users.user_id', '=', userId)
    .execute()

/** The currency of a price; US dollars where a license has none. */
export async function currencyOfPricing(db: Reader, pricingId: number | null): Promise<Currency> {
  if (pricingId === null) return 'usd'
  const found = await unscoped(db, 'of a license that the caller has found')
    .selectFrom('pricing')
    .select('currency')
    .where('id', '=', pricingId)
    .executeTakeFirst()
  return found?.currency ?? 'usd'
}
