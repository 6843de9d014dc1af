import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testContext } from '../../test/app.ts'
import { anotherProcess, dyingProcess, type Opened } from '../../test/dying.ts'
import { transaction, type Context } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { LeaseLost } from '../db/claim.ts'
import type { Writer } from '../db/database.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import type { Lease, Outcome, RecurringJob } from '../job.ts'
import { runDue } from './worker.ts'

const LEASE_MS = 10_000
let opened: Opened & { drop(): Promise<void> }
let ctx: Opened['ctx']
before(async () => {
  opened = await testContext('recurring')
  ctx = opened.ctx
})
after(() => opened.drop())

const recurring = (name: string, run: (ctx: Context, lease: Lease) => Promise<Outcome>): RecurringJob => ({
  kind: 'recurring',
  name,
  everyMs: MINUTE,
  leaseMs: LEASE_MS,
  run,
})
const rowOf = (name: string) =>
  ctx.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

/** A write that can be found again: a row of `jobs` that belongs to no job. */
const write = (db: Writer, name: string) =>
  db.insertInto('jobs').values({ name, due_at: null, lease_until: 0, fence: 0 }).execute()
const written = async (name: string) =>
  (await ctx.db.selectFrom('jobs').select('id').where('name', '=', name).execute()).length

test('a lease that ran out is taken over, and what the old holder writes late is void', async () => {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const lost: unknown[] = []
  const stuck = recurring('lapsed', async (inside, lease) => {
    begun.resolve()
    await held.promise
    await transaction({ ...ctx, ...inside }, async ({ db }) => {
      await write(db, 'late write')
      await lease.guard(db)
    }).catch((error: unknown) => {
      lost.push(error)
      throw error
    })
    return 'done'
  })
  const other = anotherProcess(opened)
  const running = runDue(other.ctx, [stuck])
  await begun.promise

  const next = recurring('lapsed', async (_, lease) => {
    await transaction(ctx, async ({ db }) => {
      await lease.guard(db)
      await write(db, 'write of the successor')
    })
    return 'done'
  })
  ctx.clock.advance(LEASE_MS - 1)
  assert.equal(await runDue(ctx, [next]), 0)
  ctx.clock.advance(1)
  assert.equal(await runDue(ctx, [next]), 1)
  const row = await rowOf('lapsed')

  held.resolve()
  await running
  await other.close()
  assert.ok(lost[0] instanceof LeaseLost)
  assert.equal(await written('late write'), 0)
  assert.equal(await written('write of the successor'), 1)
  assert.deepEqual({ ...(await rowOf('lapsed')) }, { ...row })
})

test('a guard extends the lease, so that a long run in many transactions stays alone', async () => {
  const other = anotherProcess(opened)
  let taken = 0
  const rival = recurring('long', async () => (taken++, 'done'))
  const job = recurring('long', async (_, lease) => {
    for (let batch = 0; batch < 3; batch++) {
      ctx.clock.advance(LEASE_MS - 1)
      await transaction(ctx, ({ db }) => lease.guard(db))
      await runDue(other.ctx, [rival])
    }
    return 'done'
  })
  assert.equal(await runDue(ctx, [job]), 1)
  await other.close()
  assert.equal(taken, 0)
})

test('a process that dies at any statement of a run leaves the job to others', async () => {
  const name = 'orphaned'
  let runs = 0
  const job = recurring(name, async (inside, lease) => {
    await inside.database.transaction(async (db) => {
      await lease.guard(db)
      await db.updateTable('jobs').set({ failures: 7 }).where('name', '=', name).execute()
    })
    runs++
    return 'done'
  })
  for (let n = 1, isDead = true; isDead; n++) {
    await ctx.database.transaction((db) => db.deleteFrom('jobs').where('name', '=', name).execute())
    const process = dyingProcess(opened, n)
    await runDue(process.ctx, [job]).catch(() => {})
    isDead = process.isDead()
    await process.close()
    ctx.clock.advance(MINUTE)
    runs = 0
    assert.equal(await runDue(ctx, [job]), 1, `died before statement ${n}`)
    const row = await rowOf(name)
    assert.deepEqual([runs, row.failures, row.lease_until, row.due_at], [1, 0, 0, ctx.clock.real() + MINUTE])
  }
})

test('a job that throws stops no other, says why, and comes back later and later', async () => {
  let isBroken = true
  let others = 0
  const failing = recurring('failing', async () => {
    if (isBroken) throw new Error(`no\0luck${'k'.repeat(1000)}`)
    return 'done'
  })
  const other = recurring('unharmed', async () => (others++, 'done'))
  await runDue(ctx, [failing, other])
  assert.equal(others, 1)
  const first = await rowOf('failing')
  assert.equal(first.last_error, `noluck${'k'.repeat(494)}`)
  assert.deepEqual([first.failures, first.lease_until, first.last_finished_at], [1, 0, null])

  const waits: number[] = []
  for (let run = 0; run < 9; run++) {
    const { due_at } = await rowOf('failing')
    const wait = (due_at ?? 0) - ctx.clock.real()
    waits.push(wait / 1000)
    ctx.clock.advance(wait - 1)
    assert.equal(await runDue(ctx, [failing]), 0)
    ctx.clock.advance(1)
    assert.equal(await runDue(ctx, [failing]), 1)
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600])

  isBroken = false
  ctx.clock.advance(600_000)
  await runDue(ctx, [failing])
  const last = await rowOf('failing')
  assert.deepEqual([last.failures, last.last_error], [0, null])
  assert.equal(last.due_at, ctx.clock.real() + MINUTE)
})

test('a job that finds no database comes again at once, and has failed when it finds none for a minute', async () => {
  let isAway = true
  const job = recurring('without a database', async () => {
    if (isAway) throw new DatabaseBusy('The database does not answer.')
    return 'done'
  })
  for (let second = 0; second < 60; second++) {
    await assert.rejects(runDue(ctx, [job]), DatabaseBusy)
    const row = await rowOf(job.name)
    assert.deepEqual([row.failures, row.last_error, row.lease_until], [0, null, 0])
    ctx.clock.advance(SECOND)
  }
  assert.equal(await runDue(ctx, [job]), 1)
  const row = await rowOf(job.name)
  assert.deepEqual([row.failures, row.last_error], [1, 'The database does not answer.'])
  assert.equal(row.due_at, ctx.clock.real() + 5 * SECOND)
  isAway = false
  ctx.clock.advance(5 * SECOND)
  await runDue(ctx, [job])
  assert.equal((await rowOf(job.name)).failures, 0)
})

test('the row says when the last run began and ended', async () => {
  const began = ctx.clock.real()
  const job = recurring('timed', async () => {
    ctx.clock.advance(1500)
    await sleep(1)
    return 'done'
  })
  await runDue(ctx, [job])
  const row = await rowOf('timed')
  assert.deepEqual([row.last_started_at, row.last_finished_at], [began, began + 1500])
})
