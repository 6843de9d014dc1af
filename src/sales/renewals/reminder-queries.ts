import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import type { Waiting, DuePlace } from '../../db/waiting.ts'
import { unscoped } from '../../db/scoped.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'

/** How long before its renewal the buyer of a yearly subscription is reminded (`docs/interface.md` 7.3). */
export const REMINDED_MS = 30 * DAY

/** Of yearly subscriptions that are charged here: of the coming renewal nobody was told. As the indexes have it. */
export const WAITS = sql<boolean>`billing_cycle = 12 and due_at is not null and next_payment <> coalesce(reminded_for, '')`

/** When a renewal at `time` is told of, and the other way round. */
const toldAt = (time: UtcTime) => toUtcTime(fromUtcTime(time) - REMINDED_MS)
const renewedAt = (time: UtcTime) => toUtcTime(fromUtcTime(time) + REMINDED_MS)

/** What waits of reminders; a row is due before its next payment, so no column says when. */
export const remindersWaiting: Waiting = {
  async sandboxes(db) {
    const { rows } = await sql<{ id: number }>`
      select distinct product_id as id from subscriptions where environment = 1 and ${WAITS}`.execute(db)
    return rows.map(({ id }) => id)
  },
  async nextAfter(db, productId, now) {
    const { rows } = await sql<{ at: UtcTime }>`
      select next_payment as at from subscriptions
      where environment = 1 and ${WAITS} and product_id = ${productId} and next_payment > ${renewedAt(now)}
      order by next_payment limit 1`.execute(db)
    return rows[0] ? toldAt(rows[0].at) : null
  },
}

/**
 * Yearly subscriptions whose renewal is to come within 30 days and whose buyers were not told, those that come first.
 * The end of a trial has a notice of its own.
 */
export function subscriptionsToRemind(db: Reader, place: DuePlace) {
  const query = unscoped(db, 'the job reminds the buyers of every seller, or of one sandbox')
    .selectFrom('subscriptions')
    .innerJoin('products', 'products.id', 'subscriptions.product_id')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .select([
      'subscriptions.id',
      'subscriptions.product_id',
      'subscriptions.environment',
      'subscriptions.user_id',
      'subscriptions.install_id',
      'subscriptions.license_id',
      'subscriptions.next_payment',
      'subscriptions.renewal_amount',
      'subscriptions.currency',
      'subscriptions.tax_rate',
      'products.developer_id',
      'plans.title as plan',
      'users.email',
      'users.first',
      'users.last',
    ])
    .where(WAITS)
    .where(notLeftAlone('remind', place.real))
    .where((is) => is('subscriptions.environment', '=', is.lit(place.environment)))
    .where('subscriptions.next_payment', '>', place.now)
    .where('subscriptions.next_payment', '<=', renewedAt(place.now))
    .where(sql<boolean>`coalesce(subscriptions.trial_ends, '') < subscriptions.next_payment`)
    .orderBy('subscriptions.next_payment')
    .orderBy('subscriptions.id')
    .limit(place.limit)
  return (
    place.environment === 0 ? query : query.where('subscriptions.product_id', '=', place.productId)
  ).execute()
}
export type SubscriptionToRemind = Awaited<ReturnType<typeof subscriptionsToRemind>>[number]

/**
 * Takes the reminder of a renewal for this caller alone; false when somebody else did, or the subscription was
 * cancelled or moved since it was read.
 */
export async function takeReminder(
  db: Writer,
  { id, next_payment: period }: SubscriptionToRemind,
  updated: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, 'a subscription that the job has found')
    .updateTable('subscriptions')
    .set((eb) => ({ reminded_for: eb.ref('next_payment'), updated }))
    .where('id', '=', id)
    .where('next_payment', '=', period)
    .where(WAITS)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
