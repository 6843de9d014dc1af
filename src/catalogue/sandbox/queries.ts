import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { listStart } from '../../db/list-start.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SandboxTimelineTable } from '../../db/tables/sandbox.ts'
import { EVERY } from './clock-rows.ts'

export const findClock = (db: Reader, owner: Owner) =>
  scoped(db, 'sandbox_clocks', owner).select().selectAll().executeTakeFirst()

/** How the sandboxes stand that are being moved, or were since some moment of real time. */
export function listClocks(db: Reader, since: number) {
  const clocks = () =>
    unscoped(db, EVERY).selectFrom('sandbox_clocks').select(['product_id', 'ahead_ms', 'at_ms'])
  return clocks()
    .where('ready_at', '>', since)
    .unionAll(clocks().where('due_at', 'is not', null).where('ready_at', '<=', since))
    .execute()
}

/** Gives a product's sandbox a clock at real time, unless it has one. */
export const insertClock = (db: Writer, productId: number) =>
  db
    .insertInto('sandbox_clocks')
    .values({ product_id: productId, state: 'ready', ahead_ms: 0, ready_at: 0, lease_until: 0, fence: 0 })
    .onConflict((conflict) => conflict.column('product_id').doNothing())
    .execute()

interface Start {
  /** As the row was read. */
  readonly aheadMs: number
  readonly atMs: number
  readonly targetMs: number
  readonly real: number
}

/** Begins to move a clock that is ready and stands as it was read; undefined otherwise. Of any number one begins. */
export const startAdvance = (db: Writer, owner: Owner, { aheadMs, atMs, targetMs, real }: Start) =>
  scopedWrite(db, 'sandbox_clocks', owner)
    .update()
    .set({ state: 'advancing', at_ms: atMs, target_ms: targetMs, due_at: real, lease_until: 0 })
    .where('state', '=', 'ready')
    .where('ready_at', '<=', real)
    .where('ahead_ms', '=', aheadMs)
    .returningAll()
    .executeTakeFirst()

export const insertFiring = (db: Writer, row: Insertable<SandboxTimelineTable>) =>
  db.insertInto('sandbox_timeline').values(row).execute()

/** The newest first. */
export async function listFirings(
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) {
  const start = await listStart(db, 'sandbox_timeline', owner, { offset })
  const page = scoped(db, 'sandbox_timeline', owner)
    .select()
    .select('id')
    .where('id', '<=', start.upTo)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(start.offset)
  return scoped(db, 'sandbox_timeline', owner)
    .select()
    .selectAll()
    .where('id', 'in', page)
    .orderBy('id', 'desc')
    .execute()
}
