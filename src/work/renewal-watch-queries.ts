import { sql, type Selectable } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import type { RenewalWatchTable } from '../db/tables/jobs.ts'
import type { UtcTime } from '../lib/time.ts'
import { WATCH } from './renewal-watch-rows.ts'

export type RenewalWatch = Selectable<RenewalWatchTable>

interface Beat {
  /** Real time, milliseconds. */
  readonly now: number
  readonly awayMs: number
}

/**
 * Notes that the jobs live, or, where they did not for so long, that renewals wait from now on. One statement, so that
 * of several processes none charges what another has found to be late. A clock that goes back changes nothing.
 */
export async function beatRenewals(db: Writer, { now, awayMs }: Beat): Promise<RenewalWatch> {
  const { rows } = await sql<RenewalWatch>`
    insert into renewal_watch as watch (id, beat_at) values (1, ${now})
    on conflict (id) do update set
      held_at = case when watch.held_at is null and watch.beat_at < ${now - awayMs} then ${now} else watch.held_at end,
      beat_at = case when watch.held_at is null and watch.beat_at >= ${now - awayMs} and watch.beat_at < ${now}
        then ${now} else watch.beat_at end
    returning *`.execute(db)
  const [watch] = rows
  if (!watch) throw new Error('There is one watch of renewals.')
  return watch
}

/** Lets renewals go on; undefined when they did not wait. One statement decides. */
export const releaseRenewals = (db: Writer, now: number) =>
  unscoped(db, WATCH)
    .updateTable('renewal_watch')
    .set({ held_at: null, beat_at: now })
    .where('id', '=', 1)
    .where('held_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/** How many subscriptions are due in production. */
export async function countDueRenewals(db: Reader, now: UtcTime): Promise<number> {
  const found = await unscoped(db, WATCH)
    .selectFrom('subscriptions')
    .select((count) => count.fn.countAll().as('count'))
    .where((is) => is('environment', '=', is.lit(0)))
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(found.count)
}
