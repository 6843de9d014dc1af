import type { Context } from '../context.ts'
import { LeaseLost } from '../db/claim.ts'
import { orLeave } from '../work/or-leave.ts'
import { SETTLE_MS } from '../catalogue/sandbox/sandbox-times.ts'
import { fromUtcTime, MINUTE, toUtcTime } from '../lib/time.ts'
import { anyAdvancing, claimAdvance, moveClock, updateClock } from '../catalogue/sandbox/clock-rows.ts'
import type { ClockRow } from '../catalogue/sandbox/schema.ts'
import type { Lease, QueueJob } from '../job.ts'
import { sandboxPlace, type Step } from '../work/step.ts'
import { STEPS } from './steps.ts'

const LEASE_MS = MINUTE
/** After so many moments another sandbox has its turn. */
const MOMENTS = 200

/**
 * Moves the clocks of sandboxes that are to be moved, each from one due moment to the next, at each of which
 * everything due is done: so all of it happens in the order of its due time, at that time. Where it stands is kept
 * with each moment, so that another process goes on when this one ends.
 */
export const advanceSandboxes: QueueJob = {
  kind: 'queue',
  name: 'advance-sandboxes',
  isDue: ({ db, clock }) => anyAdvancing(db, clock.real()),
  async run(ctx, stopping) {
    const { database, clock } = ctx
    const options = { engine: database.engine, now: clock.real(), leaseMs: LEASE_MS }
    const row = await database.transaction((db) => claimAdvance(db, options))
    if (!row) return 'done'
    try {
      const { id: rowId } = row
      const until = await orLeave(ctx, { work: 'advance-sandboxes', rowId }, () =>
        advance(ctx, row, stopping),
      )
      if (until !== undefined) await leave(ctx, row, until)
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    }
    return 'more'
  },
}

async function advance(ctx: Context, row: ClockRow, stopping: AbortSignal): Promise<void> {
  const { product_id: productId, at_ms: from, target_ms: target } = row
  if (from === null || target === null) return
  const lease = leaseOf(ctx, row, stopping)
  let at = from
  for (let moments = 0; ; moments++) {
    ctx.clock.learn(productId, { atMs: at })
    for (const step of STEPS) await runWhole(ctx, lease, { step, productId, at })
    if (at >= target) return finish(ctx, row, target)
    if (stopping.aborted || moments === MOMENTS) return giveBack(ctx, row)
    at = await moveOn(ctx, row, Math.min(target, await nextOf(ctx, productId, at)))
  }
}

interface Due {
  readonly step: Step
  readonly productId: number
  readonly at: number
}

async function runWhole(ctx: Context, lease: Lease, { step, productId, at }: Due): Promise<void> {
  const place = sandboxPlace(ctx.clock, productId, at)
  while (!lease.stopping.aborted && (await step.run(ctx, lease, place)));
}

/** The next moment at which something is due, in milliseconds; Infinity when nothing is. */
async function nextOf({ db }: Context, productId: number, at: number): Promise<number> {
  const found = await Promise.all(STEPS.map((step) => step.nextAfter(db, productId, toUtcTime(at))))
  const next = Math.min(
    ...found.map((time) => (time === null ? Number.POSITIVE_INFINITY : fromUtcTime(time))),
  )
  if (Number.isNaN(next)) throw new Error(`A due time of product ${productId} is none.`)
  return next
}

async function moveOn(ctx: Context, row: ClockRow, atMs: number): Promise<number> {
  const leaseUntil = ctx.clock.real() + LEASE_MS
  const isMoved = await ctx.database.transaction((db) => moveClock(db, row, { atMs, leaseUntil }))
  if (!isMoved) throw new LeaseLost('Another process moves this clock.')
  return atMs
}

async function finish(ctx: Context, row: ClockRow, target: number): Promise<void> {
  const real = ctx.clock.real()
  const aheadMs = target - real
  const change = { state: 'ready', ahead_ms: aheadMs, at_ms: null, due_at: null } as const
  const isHeld = await ctx.database.transaction((db) =>
    updateClock(db, row, { ...change, ready_at: real + SETTLE_MS, lease_until: 0 }),
  )
  if (isHeld) ctx.clock.learn(row.product_id, { aheadMs })
}

const giveBack = async (ctx: Context, row: ClockRow): Promise<void> => {
  const change = { due_at: ctx.clock.real(), lease_until: 0 }
  await ctx.database.transaction((db) => updateClock(db, row, change))
}

/** One that cannot be moved on; for good, where it is null: then it stands ready where it has come to. */
async function leave(ctx: Context, row: ClockRow, until: number | null): Promise<void> {
  if (until === null) return finish(ctx, row, ctx.clock.of(row.product_id, 1))
  await ctx.database.transaction((db) => updateClock(db, row, { due_at: until, lease_until: 0 }))
}

const leaseOf = ({ clock }: Context, row: ClockRow, stopping: AbortSignal): Lease => ({
  stopping,
  async guard(db) {
    const isHeld = await updateClock(db, row, { lease_until: clock.real() + LEASE_MS })
    if (!isHeld) throw new LeaseLost('Another process moves this clock.')
  },
})
