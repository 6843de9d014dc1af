import { batched } from '../../db/batched.ts'
import { changingRows, namedBy } from '../../db/change-rows.ts'
import { sql } from 'kysely'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { hold } from '../../db/hold.ts'
import { REST_MOST_MS } from '../../db/free-charges.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { skipLocked } from '../../db/dialect.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { NoticePlace } from '../../db/waiting.ts'
import { EVERY, CLAIMED } from './renewal-rows.ts'

interface Claim {
  readonly engine: Engine
  readonly place: NoticePlace
  /** Real time, milliseconds. */
  readonly now: number
  readonly leaseMs: number
}

/** Whether a subscription is due in production that nobody has in hand, and renewals do not wait. */
export async function anyToRenew(db: Reader, now: UtcTime, realMs: number): Promise<boolean> {
  const found = await unscoped(db, EVERY)
    .selectFrom('subscriptions')
    .select('id')
    .where((is) => is('environment', '=', is.lit(0)))
    .where('due_at', '<=', now)
    .where(columnHasCome('lease_until', dueWithin(realMs, REST_MOST_MS)))
    .where(notLeftAlone('renew', realMs))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('renewal_watch').select('id').where('held_at', 'is not', null))),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Takes subscriptions that are due for this holder alone, those that are due longest, as `claim` does with rows
 * that are due by real time.
 */
export async function claimRenewals(
  db: Writer,
  { engine, place, now, leaseMs }: Claim,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    with due as materialized (
      select id from subscriptions
      where ${isIn(place)} and due_at <= ${place.now} and ${columnHasCome('lease_until', dueWithin(now, REST_MOST_MS))}
        and ${notLeftAlone('renew', now)}
      order by due_at, id limit ${place.limit} ${skipLocked(engine)})
    update subscriptions set lease_until = ${now + leaseMs}, fence = fence + 1
    where id in (select id from due)
    returning *`.execute(db)
  return rows
}

const isIn = (place: NoticePlace) =>
  place.environment === 0 ? sql`environment = 0` : sql`environment = 1 and product_id = ${place.productId}`

/** Holds a claimed subscription until the end of the transaction; undefined when another holder has it. */
export async function holdClaimed(
  db: Writer,
  { id, fence }: Pick<SubscriptionRow, 'id' | 'fence'>,
): Promise<SubscriptionRow | undefined> {
  const row = await hold(db, 'subscriptions', CLAIMED, id)
  return row?.fence === fence ? row : undefined
}

/** Gives back what was claimed, unless another holder has it since. */
export const giveBackClaimed = async (
  db: Writer,
  claimed: readonly Pick<SubscriptionRow, 'id' | 'fence' | 'lease_until'>[],
): Promise<void> => {
  for (const { id, fence, lease_until: until } of claimed) {
    await unscoped(db, CLAIMED)
      .updateTable('subscriptions')
      .set({ lease_until: 0 })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('lease_until', '=', until)
      .execute()
  }
}

export const changeSubscription = (
  db: Writer,
  id: number,
  change: Partial<SubscriptionRow>,
): Promise<unknown> => changeOne(db, { id, change })

interface Change {
  readonly id: number
  readonly change: Partial<SubscriptionRow>
}

const changeOne = batched({
  alike: ({ change }: Change) => namedBy(change),
  one: (db: Writer, { id, change }): Promise<unknown> =>
    unscoped(db, CLAIMED).updateTable('subscriptions').set(change).where('id', '=', id).execute(),
  async many(db, changes) {
    const rows = changes.map(({ id, change }) => ({ ...change, id }))
    await changingMany(db, CLAIMED, rows)
    return []
  },
})

const changingMany = changingRows('subscriptions', { by: 'id' })

/** Leaves a claimed subscription alone until a real time in milliseconds. */
export const restClaimed = (
  db: Writer,
  { id, fence }: Pick<SubscriptionRow, 'id' | 'fence'>,
  until: number,
) =>
  unscoped(db, CLAIMED)
    .updateTable('subscriptions')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
