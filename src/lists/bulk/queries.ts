import { sql, type Insertable } from 'kysely'
import { anyToClaim, claim, held } from '../../db/claim.ts'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { BulkItemState, BulksTable, BulkState } from '../../db/tables/bulks.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { BulkItemRow, BulkRow } from './schema.ts'

/** How long who works on a bulk action may be silent. */
export const LEASE_MS = MINUTE

const OF_BULK = 'of a bulk action that a scoped query or a claim has found'

export const insertBulk = (db: Writer, row: Insertable<BulksTable>) =>
  db.insertInto('bulks').values(row).returningAll().executeTakeFirstOrThrow()

/** Notes rows of a bulk action that wait; how many it did not know. */
export async function insertItems(db: Writer, bulkId: number, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bulk_items')
    .values(
      ids.map((id) => ({
        bulk_id: bulkId,
        item_id: id,
        state: 'waiting',
        code: null,
        message: null,
        changes: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

interface Page {
  readonly count: number
  readonly offset: number
}

/** Bulk actions of a product of these kinds, newest first. */
export const listBulks = (db: Reader, owner: Owner, actions: readonly string[], { count, offset }: Page) =>
  scoped(db, 'bulks', owner)
    .select()
    .selectAll()
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const findBulk = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'bulks', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** What came of it, the highest ids first. */
export function listItems(
  db: Reader,
  bulkId: number,
  { state, count, offset }: Page & { readonly state?: BulkItemState | undefined },
): Promise<BulkItemRow[]> {
  let rows = unscoped(db, OF_BULK).selectFrom('bulk_items').selectAll().where('bulk_id', '=', bulkId)
  if (state !== undefined) rows = rows.where('state', '=', state)
  return rows.orderBy('item_id', 'desc').limit(count).offset(offset).execute()
}

/** Whether a bulk action waits that nobody works on; `now` is real time in milliseconds. */
export const anyBulk = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'bulks', { now, withinMs: DAY })

/** Takes the bulk action that has waited longest, for this holder alone. */
export async function claimBulk(
  db: Writer,
  { engine, now }: { readonly engine: Engine; readonly now: number },
): Promise<BulkRow | undefined> {
  const [row] = await claim(db, 'bulks', { engine, now, leaseMs: LEASE_MS, withinMs: DAY, limit: 1 })
  return row
}

type Change = Readonly<Partial<Record<keyof BulksTable, string | number | null>>>

/** Changes a claimed bulk action; false when another holder has it now. */
export const updateBulk = (
  db: Writer,
  row: Pick<BulkRow, 'id' | 'fence'>,
  change: Change,
): Promise<boolean> => held(db, 'bulks', row, change)

/** Ids of rows that wait. */
export async function waitingItems(db: Reader, bulkId: number, count: number): Promise<number[]> {
  const rows = await listItems(db, bulkId, { state: 'waiting', count, offset: 0 })
  return rows.map(({ item_id: id }) => id)
}

type Result = Pick<BulkItemRow, 'state' | 'code' | 'message' | 'changes'>

/**
 * Writes what came of a row that waits, counts it, and extends the lease; false when it waits no more, or another
 * holder works on it now. Two statements of one transaction, so that no row is counted twice.
 */
export async function settleItem(
  db: Writer,
  row: Pick<BulkRow, 'id' | 'fence'>,
  { itemId, result, until }: { readonly itemId: number; readonly result: Result; readonly until: number },
): Promise<boolean> {
  const counter = sql.ref(result.state === 'failed' ? 'failed' : 'done')
  const { numAffectedRows } = await sql`
    update bulks set ${counter} = ${counter} + 1, lease_until = ${until}
    where id = ${row.id} and fence = ${row.fence}`.execute(db)
  if (numAffectedRows !== 1n) return false
  const { numUpdatedRows } = await unscoped(db, OF_BULK)
    .updateTable('bulk_items')
    .set(result)
    .where('bulk_id', '=', row.id)
    .where('item_id', '=', itemId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Has the rows wait again that were refused; how many. */
export async function retryFailed(db: Writer, bulkId: number): Promise<number> {
  const { numUpdatedRows } = await unscoped(db, OF_BULK)
    .updateTable('bulk_items')
    .set({ state: 'waiting', code: null, message: null, changes: null })
    .where('bulk_id', '=', bulkId)
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Has a finished bulk action go on at `now`; false when it is not finished. */
export async function reopenBulk(db: Writer, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OF_BULK)
    .updateTable('bulks')
    .set({
      // Which rows there are is noted down to 0.
      state: sql<BulkState>`case when below = 0 then 'running' else 'collecting' end`,
      failed: 0,
      failures: 0,
      error: null,
      finished_at: null,
      due_at: now,
      lease_until: 0,
    })
    .where('id', '=', id)
    .where('due_at', 'is', null)
    .where('is_dry_run', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
