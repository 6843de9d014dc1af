import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { visit } from '../../test/carts.ts'
import { licenseOf, offerFor, userOf } from '../../test/licenses.ts'
import { poison } from '../../test/poison.ts'
import { sell } from '../../test/sales.ts'
import { subscribed } from '../../test/subscriptions.ts'
import { trialShop, type TrialShop } from '../../test/trials.ts'
import type { Tables } from '../db/tables/tables.ts'
import { leftForGood, retryFailedRows } from '../db/failed-rows.ts'
import { DAY, HOUR, toUtcTime } from '../lib/time.ts'
import { expire } from '../licensing/notices/expire-job.ts'
import type { RecurringJob } from '../job.ts'
import { recoverCarts } from '../sales/carts/recover-carts-job.ts'
import { remind } from '../sales/renewals/remind-job.ts'
import { renewSandboxes } from '../sales/renewals/renew-job.ts'
import { runDue } from './worker.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('poisoned_rows')
  shop = await trialShop(app)
})
after(() => app.close())

async function run(job: RecurringJob): Promise<void> {
  await app.write((tx) => tx.db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', job.name).execute())
  await runDue(app.ctx, [job])
}

let people = 0
const person = () => `poisoned${++people}@example.com`

const column = async (table: keyof Tables, name: string, id: number): Promise<unknown> => {
  const row = await app.ctx.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return (row as unknown as Record<string, unknown>)[name]
}

interface Case {
  readonly job: RecurringJob
  readonly table: 'carts' | 'licenses' | 'trials' | 'subscriptions'
  /** A row of which the job has something to do after so long. */
  readonly make: () => Promise<number>
  readonly afterMs: number
  readonly isDone: (id: number) => Promise<boolean>
}

const CASES: Readonly<Record<string, Case>> = {
  'a left cart': {
    job: recoverCarts,
    table: 'carts',
    make: async () => (await visit(app, { email: person() })).id,
    afterMs: 2 * HOUR,
    isDone: async (id) => (await column('carts', 'status', id)) !== 'visit',
  },
  'the end of a license': {
    job: expire,
    table: 'licenses',
    async make() {
      const email = person()
      await userOf(app, email)
      const expires_at = toUtcTime(app.ctx.clock.real() + HOUR)
      return Number((await licenseOf(app, 1, { body: { email, expires_at } })).id)
    },
    afterMs: 2 * HOUR,
    isDone: async (id) => Number(await column('licenses', 'notice', id)) >= 4,
  },
  'the end of a trial': {
    job: expire,
    table: 'trials',
    async make() {
      const { json } = await shop.open({ ...shop.someone(), plan_id: shop.free.planId, trial: 'true' })
      assert.equal((await shop.pay(json.id)).status, 200)
      const newest = app.ctx.db.selectFrom('trials').select('id').orderBy('id', 'desc')
      return (await newest.executeTakeFirstOrThrow()).id
    },
    afterMs: 8 * DAY,
    isDone: async (id) => (await column('trials', 'notice', id)) === 2,
  },
  'the reminder of a renewal': {
    job: remind,
    table: 'subscriptions',
    async make() {
      const offer = await offerFor(app, 5)
      const next_payment = toUtcTime(app.ctx.clock.real() + 29 * DAY)
      return (await sell(app, { offer, subscription: { next_payment } })).subscription.id
    },
    afterMs: HOUR,
    isDone: async (id) => (await column('subscriptions', 'reminded_for', id)) !== null,
  },
}

for (const [name, { job, table, make, afterMs, isDone }] of Object.entries(CASES)) {
  test(`${name} that a fault keeps from being dealt with stops no other, and is left alone after ten tries`, async () => {
    app.ctx.clock.set(START)
    const [bad, good] = [await make(), await make()]
    const mend = await poison(app, table, bad)
    app.ctx.clock.advance(afterMs)
    await run(job)
    assert.deepEqual([await isDone(bad), await isDone(good)], [false, true])
    const { failures, last_finished_at: finished } = await app.ctx.db
      .selectFrom('jobs')
      .selectAll()
      .where('name', '=', job.name)
      .executeTakeFirstOrThrow()
    assert.deepEqual([failures, finished], [0, app.ctx.clock.real()], 'the job itself has not failed')
    for (let n = 0; n < 24; n++) {
      app.ctx.clock.advance(6 * HOUR)
      await run(job)
    }
    const left = await leftForGood(app.ctx.db, 10)
    assert.deepEqual(
      left.map(({ row_id: id, failures: tries }) => [id, tries]),
      [[bad, 10]],
    )
    assert.match(left[0]?.last_error ?? '', /poisoned/)
    await mend()
    await run(job)
    assert.equal(await isDone(bad), false)
    assert.equal(await app.ctx.database.transaction(retryFailedRows), 1)
    await run(job)
    assert.equal(await isDone(bad), true)
  })
}

test('a renewal that a fault keeps from being asked for stops no other, and is tried once a day in the end', async () => {
  app.ctx.clock.set(START)
  const [bad, good] = [await subscribed(app), await subscribed(app)]
  const methodOf = (id: number) => column('subscriptions', 'payment_method_id', id)
  const method = Number(await methodOf(bad.subscription.id))
  const sealed = String(await column('payment_methods', 'token', method))
  const setToken = (token: string) =>
    app.write((tx) => tx.db.updateTable('payment_methods').set({ token }).where('id', '=', method).execute())
  await setToken('torn')
  app.ctx.clock.advance(32 * DAY)
  const renewed = async ({ subscription: { id, next_payment: next } }: typeof bad) =>
    (await column('subscriptions', 'next_payment', id)) !== next
  await run(renewSandboxes)
  assert.deepEqual([await renewed(bad), await renewed(good)], [false, true])
  const tries = async () =>
    (
      await app.ctx.db
        .selectFrom('failed_rows')
        .select('failures')
        .where('job', '=', 'renew')
        .where('row_id', '=', bad.subscription.id)
        .executeTakeFirstOrThrow()
    ).failures
  for (let n = 0; n < 100; n++) {
    app.ctx.clock.advance(3 * HOUR)
    await run(renewSandboxes)
  }
  assert.ok((await tries()) >= 12 && (await tries()) <= 18, String(await tries()))
  await setToken(sealed)
  app.ctx.clock.advance(DAY)
  await run(renewSandboxes)
  assert.equal(await renewed(bad), true)
})
