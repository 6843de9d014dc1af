import { transaction, type Context, type TxContext } from '../context.ts'
import type { Lease, Outcome } from './job.ts'

/** Deletes at most a batch of what is no longer needed; returns how much. */
export type Sweep = (tx: TxContext) => Promise<number>

/**
 * One round of every sweep; `more` when one of them found a whole batch. Each is a transaction of its own, so that
 * nobody waits long for its rows.
 */
export async function swept(
  ctx: Context,
  lease: Lease,
  { sweeps, batch }: { sweeps: readonly Sweep[]; batch: number },
): Promise<Outcome> {
  let result: Outcome = 'done'
  for (const sweep of sweeps) {
    const count = await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      return sweep(tx)
    })
    if (count === batch) result = 'more'
  }
  return result
}
