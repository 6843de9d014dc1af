import { transaction, type Context, type TxContext } from '../../context.ts'
import { LeaseLost } from '../../db/claim.ts'
import type { QueueJob } from '../../job.ts'
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts'
import { isNoFaultOfRow } from '../../work/or-leave.ts'
import { STEPS } from './erase-steps.ts'
import { ADDRESSES_PLACE, type Person } from './person.ts'
import { anyErasureDue, claimErasures, moveErasure, type ErasureRow } from './queries.ts'

const LEASE_MS = 5 * MINUTE
/** From the first round to the second: longer than anything is under way that began before. */
const REST_MS = HOUR
/** How soon it is looked at again what the audit log has not chained yet. */
const EARLY_MS = 10 * SECOND
/** How long one is left alone that could not go on. */
const FAILED_MS = 10 * MINUTE
/** Parts of an erasure that a run does, so that others get their turn. */
const PARTS = 200

/**
 * Erases persons who were asked to be, part by part: each part and how far it is are one transaction, so that a process
 * that dies loses nothing and does nothing twice. An hour later it is looked again for what was under way meanwhile; then
 * the addresses are forgotten that were looked for.
 */
export const eraseUsers: QueueJob = {
  kind: 'queue',
  name: 'erase-users',
  isDue: ({ db, clock }) => anyErasureDue(db, clock.real()),
  async run(ctx, stopping) {
    const options = { engine: ctx.database.engine, now: ctx.clock.real(), leaseMs: LEASE_MS, limit: 1 }
    const [row] = await ctx.database.transaction((db) => claimErasures(db, options))
    if (!row) return 'done'
    try {
      await goOn(ctx, row, stopping)
    } catch (error) {
      if (isNoFaultOfRow(error) || error instanceof LeaseLost) throw error
      ctx.log.error({ err: error, erasure: row.id }, 'an erasure could not go on')
      await move(ctx, row, { due_at: ctx.clock.real() + FAILED_MS, lease_until: 0 })
    }
    return 'more'
  },
}

async function goOn(ctx: Context, row: ErasureRow, stopping: AbortSignal): Promise<void> {
  const person = personOf(ctx, row)
  let { place, after_id: after } = row
  for (let parts = 0; place < STEPS.length; parts++) {
    if (stopping.aborted || parts === PARTS) return move(ctx, row, { lease_until: 0 })
    const step = STEPS[place]
    if (!step) return
    const part = step(ctx, person, after)
    const progress = await part((work) =>
      transaction(ctx, async (tx) => {
        await guard(tx, row)
        await work(tx)
      }),
    )
    if (progress === 'early') return move(ctx, row, { due_at: ctx.clock.real() + EARLY_MS, lease_until: 0 })
    place = progress === 'done' ? place + 1 : place
    after = progress === 'done' ? 0 : progress
    await move(ctx, row, { place, after_id: after })
  }
  await move(ctx, row, row.round === 1 ? againLater(ctx) : finished(ctx))
}

const againLater = ({ clock }: Context) => ({
  round: 2,
  place: 0,
  after_id: 0,
  due_at: clock.real() + REST_MS,
  lease_until: 0,
})

const finished = ({ clock }: Context) => ({
  addresses: null,
  finished_at: clock.now(),
  due_at: null,
  lease_until: 0,
})

const personOf = (ctx: Context, row: ErasureRow): Person => ({
  userId: Number(row.user_id),
  developerId: Number(row.developer_id),
  addresses:
    row.addresses === null ? [] : (JSON.parse(ctx.keys.open(row.addresses, ADDRESSES_PLACE)) as string[]),
  created: row.created,
})

/** Extends the lease; what another process has taken over is not written. */
async function guard(tx: TxContext, row: ErasureRow): Promise<void> {
  const isHeld = await moveErasure(tx.db, row, { lease_until: tx.clock.real() + LEASE_MS })
  if (!isHeld) throw new LeaseLost('Another process goes on with the erasure.')
}

const move = (ctx: Context, row: ErasureRow, change: Parameters<typeof moveErasure>[2]) =>
  transaction(ctx, async (tx) => {
    if (!(await moveErasure(tx.db, row, change)))
      throw new LeaseLost('Another process goes on with the erasure.')
  })
