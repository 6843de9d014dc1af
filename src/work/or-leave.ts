import { transaction, type Context } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { LeaseLost } from '../db/claim.ts'
import { noteFailedRow, type FailingWork } from '../db/failed-rows.ts'

/** The database is away, or somebody else does the work: that says nothing of a row. */
export const isNoFaultOfRow = (error: unknown) => error instanceof DatabaseBusy || error instanceof LeaseLost

/**
 * Does some work; a row at which it fails is left alone until the moment that is answered, in milliseconds of real time;
 * null: for good; undefined: the work was done.
 */
export async function orLeave(
  ctx: Context,
  { work, rowId }: { readonly work: FailingWork; readonly rowId: number },
  does: () => Promise<unknown>,
): Promise<number | null | undefined> {
  try {
    await does()
    return undefined
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    const until = await transaction(ctx, ({ db, clock }) =>
      noteFailedRow(db, work, { rowId, error, now: clock.real() }),
    )
    const told = until === null ? 'a row is left alone for good' : 'a row is left alone for a while'
    ctx.log.error({ err: error, work, row: rowId }, told)
    return until
  }
}
