import type { Insertable, Selectable } from 'kysely'
import { claim, held, type ClaimOptions } from '../../db/claim.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { listStart } from '../../db/list-start.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SandboxClocksTable, SandboxTimelineTable } from '../../db/tables/sandbox.ts'
import { DAY } from '../../lib/time.ts'

type ClockRow = Selectable<SandboxClocksTable>

const EVERY = 'the clocks of every sandbox, for the jobs and the clock of a process'

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

export async function anyAdvancing(db: Reader, real: number): Promise<boolean> {
  const row = await unscoped(db, EVERY)
    .selectFrom('sandbox_clocks')
    .select('id')
    .where(columnHasCome('due_at', dueWithin(real, DAY)))
    .where(columnHasCome('lease_until', dueWithin(real, DAY)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A clock to move, for this holder alone; undefined when there is none to have. */
export async function claimAdvance(
  db: Writer,
  options: Omit<ClaimOptions, 'limit' | 'id' | 'withinMs'>,
): Promise<ClockRow | undefined> {
  const [row] = await claim(db, 'sandbox_clocks', { ...options, withinMs: DAY, limit: 1 })
  return row
}

/** Changes a claimed clock; false when another holder has it now. */
export const updateClock = (
  db: Writer,
  row: ClockRow,
  change: Partial<Omit<ClockRow, 'id' | 'product_id' | 'fence'>>,
): Promise<boolean> => held(db, 'sandbox_clocks', row, change)

/** Holds a claimed clock at a later moment; false when another holder has it now, or it is as late already. */
export async function moveClock(
  db: Writer,
  row: ClockRow,
  { atMs, leaseUntil }: { readonly atMs: number; readonly leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, 'a row that was claimed')
    .updateTable('sandbox_clocks')
    .set({ at_ms: atMs, lease_until: leaseUntil })
    .where('id', '=', row.id)
    .where('fence', '=', row.fence)
    .where('at_ms', '<', atMs)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const insertFiring = (db: Writer, row: Insertable<SandboxTimelineTable>) =>
  db.insertInto('sandbox_timeline').values(row).execute()

/** The newest first. */
export async function listFirings(
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) {
  const start = await listStart(db, 'sandbox_timeline', owner, offset)
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
