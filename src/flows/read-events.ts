import type { ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import type { Paged } from '../http/wire.ts'
import { notFound } from '../lib/errors.ts'
import { findEvent, listEvents, listEventsOfUser, type EventFilter } from '../resources/events/queries.ts'
import { presentEvent, type EventLog, type EventRow } from '../resources/events/schema.ts'
import { findUsers } from '../resources/users/queries.ts'
import { presentEventUser } from '../resources/users/schema.ts'
import { getUser } from '../resources/users/service.ts'

/** Events with the entities they concern, as these are now (DECISIONS 6.2). */
export async function eventsOfProduct(
  ctx: ReadContext,
  scope: Scope,
  filter: EventFilter,
): Promise<{ events: EventLog[] }> {
  return { events: await withObjects(ctx, scope, await listEvents(ctx.db, scope, filter)) }
}

/** 404 when the product has no such user. */
export async function eventsOfUser(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  { count, offset }: Paged,
): Promise<{ events: EventLog[] }> {
  await getUser(ctx, scope, userId)
  const rows = await listEventsOfUser(ctx.db, scope, { userOfEvents: userId, count, offset })
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the product has no such event. */
export async function oneEvent(ctx: ReadContext, scope: Scope, id: number): Promise<EventLog> {
  const rows = await findEvent(ctx.db, scope, { id })
  const [event] = await withObjects(ctx, scope, rows)
  if (!event) throw notFound('event')
  return event
}

/** One statement a kind of entity, however many events there are. */
async function withObjects(ctx: ReadContext, scope: Scope, rows: EventRow[]): Promise<EventLog[]> {
  const userIds = new Set(rows.flatMap(({ user_id: id }) => (id === null ? [] : [id])))
  const users = userIds.size === 0 ? [] : await findUsers(ctx.db, scope, [...userIds])
  const byId = new Map(users.map((row) => [row.id, presentEventUser(row)]))
  return rows.map((row) =>
    presentEvent(row, {
      user: row.user_id === null ? null : (byId.get(row.user_id) ?? false),
      install: null,
      license: null,
      payment: null,
      subscription: null,
    }),
  )
}
