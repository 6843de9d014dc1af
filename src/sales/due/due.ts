import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { toUtcTime } from '../../lib/time.ts'
import { LICENSE_NOTICES, TRIAL_NOTICES } from '../../licensing/notices/notices.ts'
import { listReminders } from '../renewals/reminder-rows.ts'
import { listDue, type DueRow } from './queries.ts'
import type { Due } from './schema.ts'

/**
 * What falls due next in a product's sandbox, soonest first, up to `count`: what happens as its clock is moved. What
 * follows from that, as the renewal after the next one, is not foreseen.
 */
export async function dueInSandbox(ctx: ReadContext, scope: Scope, count: number): Promise<Due[]> {
  const now = toUtcTime(ctx.clock.of(scope.productId, 1))
  const [rows, reminders] = await Promise.all([
    listDue(ctx.db, scope, count),
    listReminders(ctx.db, scope, { now, count }),
  ])
  const due = [
    ...rows.map((row) => presentDue(row.due_at, whatOf(row), row)),
    ...reminders.map((row) => presentDue(row.at, 'renewal_reminder', { kind: 'subscription', ...row })),
  ]
  const key = ({ at, kind, id }: Due) => `${at} ${kind} ${id.padStart(16, '0')}`
  return due.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).slice(0, count)
}

const presentDue = (
  at: Due['at'],
  what: Due['what'],
  { kind, id, user_id: user }: Pick<DueRow, 'kind' | 'id' | 'user_id'>,
): Due => ({ at, what, kind, id: String(id), user_id: user === null ? null : String(user) })

function whatOf({ kind, notice }: DueRow): Due['what'] {
  switch (kind) {
    case 'subscription':
      return 'renewal'
    case 'license':
      return OF_LICENSE[LICENSE_NOTICES[notice ?? 0]?.name ?? 'expired']
    case 'trial':
      return TRIAL_NOTICES[notice ?? 0]?.name === 'expired' ? 'trial_end' : 'trial_reminder'
    case 'cart':
      return 'cart_recovery'
    default:
      return kind satisfies never
  }
}

const OF_LICENSE = {
  renewal_reminder: 'license_reminder',
  expired: 'license_end',
  expired_notice: 'license_end_notice',
} as const
