import { type Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { LeaseLost } from '../../db/claim.ts'
import type { QueueJob } from '../../job.ts'
import { SECOND, toUtcTime } from '../../lib/time.ts'
import { scopeOfAsker } from '../asker.ts'
import { listOf } from '../exports/kinds.ts'
import { readWhole } from '../exports/read-whole.ts'
import { doingOf, type BulkAction } from './actions.ts'
import { doOne, type Work } from './do-one.ts'
import { anyBulk, claimBulk, insertItems, LEASE_MS, updateBulk, waitingItems } from './queries.ts'
import type { BulkRow } from './schema.ts'
import { argumentsIn, askedIn, type Asked } from './service.ts'

const BATCH = 50
/** How long one is worked on before another one has its turn. */
const TURN_MS = 5 * SECOND
/** After as many failures in a row a bulk action is given up. */
const TRIES = 5
const RETRY_MS = 5 * SECOND

/**
 * Works on bulk actions, in turns: which rows a filter has is noted first, then each is done. One whose process was
 * killed goes on where it was when its lease is over: what is done to a row is one transaction with that it is done.
 */
export const runBulks: QueueJob = {
  kind: 'queue',
  name: 'run-bulks',
  isDue: ({ db, clock }) => anyBulk(db, clock.real()),
  async run(ctx, stopping) {
    if (stopping.aborted) return 'done'
    const claimed = { engine: ctx.database.engine, now: ctx.clock.real() }
    const row = await ctx.database.transaction((db) => claimBulk(db, claimed))
    if (!row) return 'done'
    try {
      await workOn(ctx, row, stopping)
    } catch (error) {
      if (error instanceof LeaseLost) return 'more'
      await fail(ctx, row, error)
      if (error instanceof DatabaseBusy) throw error
    }
    return 'more'
  },
}

async function workOn(ctx: Context, row: BulkRow, stopping: AbortSignal): Promise<void> {
  const until = ctx.clock.real() + TURN_MS
  const isOver = () => stopping.aborted || ctx.clock.real() >= until
  const asked = askedIn(ctx, row)
  const doing = doingOf(ctx, row.action as BulkAction)
  const { developer_id: developerId, product_id: productId } = row
  const { ip, requestId } = asked
  const scope = { ...scopeOfAsker({ developerId, productId }, asked.actor), ip, requestId }
  const work: Work = { row, doing, scope, ...argumentsIn(doing, asked) }
  if (row.state === 'collecting' && !(await collect(ctx, work, asked, isOver))) return giveBack(ctx, row)
  for (;;) {
    const ids = await waitingItems(ctx.db, row.id, BATCH)
    if (ids.length === 0) return finish(ctx, row)
    for (const id of ids) {
      if (isOver()) return giveBack(ctx, row)
      await doOne(ctx, work, id)
    }
  }
}

/** Notes which rows the filter has; whether that is all. What was noted is not noted again. */
async function collect(
  ctx: Context,
  { row, doing, scope }: Work,
  { query }: Asked,
  isOver: () => boolean,
): Promise<boolean> {
  const list = listOf(ctx, doing.kind, true)
  const wanted = { scope, query: query ?? {}, productIds: [row.product_id], below: row.below }
  let { total } = row
  for await (const { items } of readWhole(ctx, list, wanted)) {
    const ids = items.map(({ id }) => Number(id))
    await ctx.database.transaction(async (db) => {
      const added = await insertItems(db, row.id, ids)
      await hold(ctx, row, db, { total: total + added, below: ids.at(-1) ?? row.below })
      total += added
    })
    if (isOver()) return false
  }
  await ctx.database.transaction((db) => hold(ctx, row, db, { state: 'running', below: 0 }))
  return true
}

type Writer = Parameters<typeof updateBulk>[0]
type Change = Parameters<typeof updateBulk>[2]

async function hold(ctx: Context, row: BulkRow, db: Writer, change: Change): Promise<void> {
  const lease_until = ctx.clock.real() + LEASE_MS
  if (!(await updateBulk(db, row, { lease_until, ...change }))) {
    throw new LeaseLost('Another process works on this bulk action.')
  }
}

/** To whoever is next, behind those that wait. */
const giveBack = (ctx: Context, row: BulkRow) =>
  ctx.database.transaction((db) =>
    hold(ctx, row, db, { lease_until: 0, due_at: ctx.clock.real(), failures: 0 }),
  )

const finish = (ctx: Context, row: BulkRow) =>
  ctx.database.transaction((db) =>
    hold(ctx, row, db, {
      state: 'done',
      due_at: null,
      lease_until: 0,
      error: null,
      finished_at: toUtcTime(ctx.clock.real()),
    }),
  )

async function fail(ctx: Context, row: BulkRow, error: unknown): Promise<void> {
  ctx.log.error({ err: error, bulk: row.id }, 'a bulk action could not be carried out')
  const now = ctx.clock.real()
  const failures = row.failures + 1
  const end: Change =
    failures >= TRIES
      ? { state: 'failed', error: 'The server could not do it.', finished_at: toUtcTime(now), due_at: null }
      : { due_at: now + RETRY_MS * 2 ** row.failures }
  await ctx.database.transaction((db) => updateBulk(db, row, { failures, lease_until: 0, ...end }))
}
