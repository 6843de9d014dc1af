import { pageReader, type Context, type ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import type { Paged } from '../http/wire.ts'
import { notFound } from '../lib/errors.ts'
import { findEvent, listEvents, listEventsOfUser, type EventFilter } from '../resources/events/queries.ts'
import { presentEvent, type EventLog, type EventRow } from '../resources/events/schema.ts'
import { findInstalls } from '../resources/installs/queries.ts'
import { presentInstall } from '../resources/installs/schema.ts'
import { findUsers } from '../resources/users/queries.ts'
import { presentEventUser } from '../resources/users/schema.ts'
import { getUser } from '../resources/users/service.ts'

/** Events with the entities they concern, as these are now (DECISIONS 6.2). */
export async function eventsOfProduct(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: EventFilter,
): Promise<{ events: EventLog[] }> {
  const rows = await listEvents(pageReader(ctx, filter), scope, filter)
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the product has no such user. */
export async function eventsOfUser(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  userId: number,
  { count, offset }: Paged,
): Promise<{ events: EventLog[] }> {
  await getUser(ctx, scope, userId)
  const rows = await listEventsOfUser(pageReader(ctx, { offset }), scope, {
    userOfEvents: userId,
    count,
    offset,
  })
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
export async function withObjects(ctx: ReadContext, scope: Scope, rows: EventRow[]): Promise<EventLog[]> {
  const userIds = new Set(rows.flatMap(({ user_id: id }) => (id === null ? [] : [id])))
  const users = userIds.size === 0 ? [] : await findUsers(ctx.db, scope, [...userIds])
  const byId = new Map(users.map((row) => [row.id, presentEventUser(row)]))
  const installIds = new Set(rows.flatMap(({ install_id: id }) => (id === null ? [] : [id])))
  const installs = installIds.size === 0 ? [] : await findInstalls(ctx.db, scope, [...installIds])
  const installById = new Map(installs.map((row) => [row.id, presentInstall(row, null)]))
  return rows.map((row) =>
    presentEvent(row, {
      user: row.user_id === null ? null : (byId.get(row.user_id) ?? false),
      install: row.install_id === null ? null : (installById.get(row.install_id) ?? false),
      license: null,
      payment: null,
      subscription: null,
    }),
  )
}
