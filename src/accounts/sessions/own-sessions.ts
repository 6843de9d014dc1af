import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { timeOrNull, toUtcTime } from '../../lib/time.ts'
import type { SeenSession } from '../developers/schema.ts'
import { deleteSessionOf, listSessions } from './session-queries.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

/** Where a person is logged in, the latest login first. */
export async function getOwnSessions(ctx: ReadContext, { actor }: Scope, page: Page): Promise<SeenSession[]> {
  const rows = await listSessions(ctx.db, { ...page, personId: actor.id, now: ctx.clock.real() })
  return rows.map((row) => ({
    id: String(row.id),
    created: toUtcTime(row.created_at),
    expires_at: toUtcTime(row.expires_at),
    last_used_at: timeOrNull(row.last_used_at),
    ip: row.last_used_ip,
    agent: row.last_used_agent,
    is_current: row.id === actor.sessionId,
  }))
}

/** Ends a session of one's own at once; 404 when there is none, or it has ended. */
export async function endOwnSession(ctx: TxContext, { actor }: Scope, id: number): Promise<void> {
  if (!(await deleteSessionOf(ctx.db, actor.id, id))) throw notFound('session')
}
