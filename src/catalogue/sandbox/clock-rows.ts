import type { Selectable } from 'kysely'
import { anyToClaim, claim, held, type ClaimOptions } from '../../db/claim.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { SandboxClocksTable } from '../../db/tables/sandbox.ts'
import { DAY } from '../../lib/time.ts'

type ClockRow = Selectable<SandboxClocksTable>

export const EVERY = 'the clocks of every sandbox, for the jobs and the clock of a process'

export const anyAdvancing = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'sandbox_clocks', { now, withinMs: DAY })

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
