import { transaction, type Context, type TxContext } from '../context.ts'
import type { FailingWork } from '../db/failed-rows.ts'
import { isNoFaultOfRow, orLeave } from './or-leave.ts'
import type { Lease } from '../job.ts'
import { BATCH } from './step.ts'

interface Batch<Row> {
  readonly work: FailingWork
  readonly found: readonly Row[]
  readonly give: (tx: TxContext, rows: readonly Row[]) => Promise<void>
}

/**
 * Does a batch in one transaction. Where that fails each row has one of its own, so that one of which it cannot be done
 * stops none of the others, and is left alone for a while (`db/failed-rows.ts`). Whether there may be more.
 */
export async function oneByOne<Row extends { readonly id: number }>(
  ctx: Context,
  lease: Lease,
  { work, found, give }: Batch<Row>,
): Promise<boolean> {
  const inOne = (rows: readonly Row[]) =>
    transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      await give(tx, rows)
    })
  if (found.length === 0) return false
  if (found.length > 1 && (await isDone(() => inOne(found)))) return found.length === BATCH
  for (const row of found) {
    if (lease.stopping.aborted) return true
    await orLeave(ctx, { work, rowId: row.id }, () => inOne([row]))
  }
  return found.length === BATCH
}

async function isDone(does: () => Promise<void>): Promise<boolean> {
  try {
    await does()
    return true
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    return false
  }
}
