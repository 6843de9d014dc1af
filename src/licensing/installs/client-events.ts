import type { TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { beginsAsOurs } from '../../db/tables/event-types.ts'
import { findEvent, listEventsOfInstall } from '../../events/log/event-rows.ts'
import { recordClientEvent } from '../../events/log/record.ts'
import type { EventLog, EventRow } from '../../events/log/schema.ts'
import type { ClientEvent } from './request-schema.ts'
import { holdInstall } from './service.ts'
import { withObjects } from '../../events/log/read-events.ts'
import { aboutInstall } from './emits.ts'

const MAX_PROPERTIES = 20_000

/** An install does not say what only this server can know: `license.activated`, or anything else of an entity. */
export async function checkClientEvent({ type, properties }: ClientEvent, problems: Problems): Promise<void> {
  if (!problems.has('type') && beginsAsOurs(type)) {
    problems.malformed.push({ field: 'type', message: 'must not begin as an event of this server' })
  }
  if (properties !== undefined && JSON.stringify(properties).length > MAX_PROPERTIES) {
    problems.malformed.push({
      field: 'properties',
      message: `must have at most ${MAX_PROPERTIES} characters`,
    })
  }
}

/**
 * Writes down what an install tells of; with `once` only the first event of its type, which is answered again. 404
 * when the caller has no such install.
 */
export async function recordEventOfInstall(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { type, properties, process_at: processAt, once }: ClientEvent,
): Promise<EventLog> {
  const install = await holdInstall(ctx, scope, id)
  const page = { installId: id, type, count: 1, offset: 0 }
  const [known] = once ? await listEventsOfInstall(ctx.db, scope, page) : []
  const data = { ...properties, ...(processAt !== undefined && { process_at: processAt }) }
  const about = { ...aboutInstall(install), data }
  const rows = known
    ? [known]
    : await findEvent(ctx.db, scope, { id: await recordClientEvent(ctx, scope, { type, ...about }) })
  const [event] = await withObjects(ctx, scope, rows as EventRow[])
  if (!event) throw new Error('An event that was recorded is there.')
  return event
}
