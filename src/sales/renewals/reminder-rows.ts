import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import { fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { REMINDED_MS, WAITS } from './reminder-queries.ts'

/** Subscriptions of a product's sandbox whose buyers are to be told of the coming renewal, and when; soonest first. */
export async function listReminders(
  db: Reader,
  owner: Owner,
  { now, count }: { readonly now: UtcTime; readonly count: number },
) {
  const rows = await scoped(db, 'subscriptions', owner)
    .select()
    .select(['id', 'user_id', 'next_payment'])
    .where(WAITS)
    .where('environment', '=', 1)
    .where('next_payment', '>', now)
    .where((is) => is.or([is('trial_ends', 'is', null), is('trial_ends', '<', is.ref('next_payment'))]))
    .orderBy('next_payment')
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.flatMap(({ id, user_id, next_payment: next }) =>
    next === null ? [] : [{ id, user_id, at: toUtcTime(fromUtcTime(next) - REMINDED_MS) }],
  )
}
