import { transaction, type Context, type TxContext } from '../context.ts'
import { isNoFaultOfRow } from './or-leave.ts'
import { knownNow } from './renewal-watch.ts'
import type { Lease, Outcome } from '../job.ts'

/** Deletes at most a batch of what is no longer needed at `now`, as `knownNow` says; returns how much. */
export type Sweep = (tx: Omit<TxContext, 'clock'>, now: number) => Promise<number>

/**
 * One round of every sweep; `more` when one of them found a whole batch. Each is a transaction of its own, so that
 * nobody waits long for its rows. One that fails keeps none of the others from it, and is thrown at the end.
 */
export async function swept(
  ctx: Context,
  lease: Lease,
  { sweeps, batch }: { sweeps: readonly Sweep[]; batch: number },
): Promise<Outcome> {
  let result: Outcome = 'done'
  const failures: unknown[] = []
  for (const sweep of sweeps) {
    try {
      const count = await transaction(ctx, async (tx) => {
        await lease.guard(tx.db)
        return sweep(tx, await knownNow(tx, tx.db))
      })
      if (count === batch) result = 'more'
    } catch (error) {
      if (isNoFaultOfRow(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return result
}
