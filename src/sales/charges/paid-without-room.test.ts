import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { asDeveloper } from '../../../test/callers.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { newestCharge, overTestGateway } from '../../../test/charges.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { boughtBy, buy, payCheckout, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { GatewayUnreachable } from '../../gateways/gateway.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import { takeCharge } from './charge-rows.ts'
import { takeOwed } from '../refunds/refund-payment.ts'

let app: TestApp
let pricingId: number
let isToFill = false
let isToLose = false
const asked: string[] = []
before(async () => {
  app = await startTestApp('paid_without_room')
  overTestGateway(app, (inner) => ({
    charge: (request) => asking(request, inner.charge),
    chargeStored: (request) => asking(request, inner.chargeStored),
    refund: (request) => asking(request, inner.refund),
    retrieveCharge: (key) => asking({ key }, (request) => inner.retrieveCharge(request.key)),
  }))
  pricingId = (await offerFor(app, 1)).pricingId
  await app.write(async ({ db }) => {
    await sql`create table filler (bytes text)`.execute(db)
    if (isSqlite()) {
      // What stands in a page has room there for a little more.
      for (const act of ['insert on licenses', 'update on charges', 'update on jobs'])
        await sql`create trigger ${sql.ref(act)} after ${sql.raw(act)}
          begin insert into filler values (hex(zeroblob(9000))); end`.execute(db)
      return
    }
    await sql`create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`.execute(db)
  })
})
after(() => app.close())

/** There is no more room once the gateway has answered. */
async function asking<R extends { readonly key: string }, T>(
  request: R,
  ask: (request: R) => Promise<T>,
): Promise<T> {
  const outcome = await ask(request)
  asked.push(request.key)
  if (isToLose) throw new GatewayUnreachable('The answer was lost.')
  if (isToFill) await fill()
  isToFill = false
  return outcome
}

const isSqlite = () => app.databaseOptions.engine === 'sqlite'
const REFUSED = ['licenses', 'charges', 'jobs']

/** The database has no room, as on a disk that is full. */
async function fill(): Promise<void> {
  if (!isSqlite()) {
    for (const table of REFUSED)
      await app.write(({ db }) =>
        sql`create trigger refuse before insert or update on ${sql.table(table)} execute function refuse_row()`.execute(
          db,
        ),
      )
    return
  }
  await app.write(({ db }) => sql`pragma max_page_count = 1`.execute(db))
  const add = () => app.write(({ db }) => sql`insert into filler values (${'x'.repeat(9_000)})`.execute(db))
  for (;;) {
    try {
      await add()
    } catch {
      return
    }
  }
}

async function empty(): Promise<void> {
  await app.write(async ({ db }) => {
    if (isSqlite()) await sql`pragma max_page_count = 1000000`.execute(db)
    else for (const table of REFUSED) await sql`drop trigger refuse on ${sql.table(table)}`.execute(db)
  })
}

/** A checkout whose buyer was charged, and of which nothing could be written after it. */
async function chargedWithoutRoom(email: string): Promise<string> {
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  isToFill = true
  assertNoRoom(await payCheckout(app, token, 'test_succeeds'))
  return token
}

function assertNoRoom({ status, json, headers, text }: Awaited<ReturnType<typeof payCheckout>>): void {
  assert.deepEqual(
    [status, json.error?.code, headers.get('retry-after')],
    [503, 'maintenance_mode', '1'],
    text,
  )
}

test('who was charged when there was no room to write it has the result as soon as there is, charged once', async () => {
  const other = await buy(app, pricingId, 'test_unreachable')
  assert.equal(other.reply.status, 503)
  asked.length = 0
  const token = await chargedWithoutRoom('without.room@example.com')
  assertNoRoom(await payCheckout(app, token, 'test_succeeds'))
  await empty()
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  const again = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  assert.equal(again.payment.id, payment.id)
  assert.equal(new Set(asked).size, 1, 'it was asked for under one name')
  const payments = await app.ctx.db.selectFrom('payments').select('id').execute()
  assert.deepEqual([payments.length, await ledgerFaults(app)], [1, []])
  const busy = await payCheckout(app, other.token, 'test_succeeds')
  assert.equal(busy.json.error.code, 'checkout_in_progress', 'what another try has in hand it keeps')
})

test('other processes find it left within seconds', async () => {
  await chargedWithoutRoom('without.room.elsewhere@example.com')
  assert.ok((await newestCharge(app)).lease_until > app.ctx.clock.real())
  await empty()
  while ((await newestCharge(app)).lease_until > 0) await sleep(20)
})

test('what another process has in hand it keeps, though its buyer asks how it stands and nothing can be stored', async () => {
  const { token, reply } = await buy(app, pricingId, 'test_pending')
  assert.equal(reply.json.state, 'pending')
  const { id } = await newestCharge(app)
  const now = app.ctx.clock.real()
  const leaseUntil = now + MINUTE
  const taken = await app.write(({ db }) => takeCharge(db, scopeOf(app), { id, now, leaseUntil }))
  assert.ok(taken)
  isToFill = true
  assertNoRoom(await payCheckout(app, token, 'test_pending'))
  await empty()
  await sleep(1_500)
  assert.equal((await newestCharge(app)).lease_until, leaseUntil)
  assert.equal((await payCheckout(app, token, 'test_pending')).json.state, 'pending')
})

/** Nobody has a charge in hand any more, nor a job, though no time has passed. */
async function letGo(): Promise<void> {
  const { db, clock } = app.ctx
  const isHeld = async () => {
    const heldOf = (table: 'charges' | 'jobs' | 'subscriptions') =>
      db.selectFrom(table).select('id').where('lease_until', '>', clock.real())
    const held = await Promise.all([
      heldOf('charges').where('state', 'in', ['started', 'pending']).execute(),
      heldOf('jobs').execute(),
      heldOf('subscriptions').execute(),
    ])
    return held.flat().length > 0
  }
  assert.ok(await isHeld())
  await empty()
  const end = performance.now() + 5_000
  while (await isHeld()) {
    assert.ok(performance.now() < end, 'it was held for five seconds')
    await sleep(20)
  }
}

const runsWithoutRoom = async (work: () => Promise<unknown>) => {
  isToFill = true
  await assert.rejects(work, DatabaseBusy)
  assert.equal(isToFill, false, 'the gateway was asked')
}

test('what a job had in hand when there was no room is settled by it as soon as there is, charged once', async () => {
  const charges = () => app.ctx.db.selectFrom('charges').select('id').execute()
  isToLose = true
  const bought = [await buy(app, pricingId, 'test_succeeds'), await buy(app, pricingId, 'test_succeeds')]
  isToLose = false
  assert.deepEqual(
    bought.map(({ reply }) => reply.status),
    [503, 503],
  )
  app.ctx.clock.advance(10 * MINUTE)
  const before = (await charges()).length
  await runsWithoutRoom(() => runDue(app.ctx, [settlePurchases]))
  await letGo()
  await runDue(app.ctx, [settlePurchases])
  for (const { token } of bought) await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  assert.equal((await charges()).length, before, 'each was asked for under one name')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal that was charged when there was no room is settled as soon as there is, charged once', async () => {
  const { subscription, next } = await subscribed(app)
  asked.length = 0
  await runsWithoutRoom(() => renewAt(app, next))
  await letGo()
  await renewAt(app, next)
  assert.equal(new Set(asked).size, 1)
  const { db } = app.ctx
  const paid = await db
    .selectFrom('payments')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .execute()
  assert.equal(paid.length, 1)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a refund that was made when there was no room is written as soon as there is, given back once', async () => {
  const { payment } = await boughtBy(app, (await buy(app, pricingId, 'test_succeeds')).reply)
  const seller = await asDeveloper(app)
  const refund = () =>
    seller('POST', `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`, {})
  asked.length = 0
  isToFill = true
  assertNoRoom(await refund())
  await letGo()
  assert.equal((await refund()).status, 201)
  assert.equal(new Set(asked).size, 1)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -(payment.gross + payment.tax)]])

  const second = await boughtBy(app, (await buy(app, pricingId, 'test_succeeds')).reply)
  await app.write((tx) => takeOwed(tx, scopeOf(app), second.payment.id, {}))
  app.ctx.clock.advance(MINUTE)
  await runsWithoutRoom(() => runDue(app.ctx, [settleRefunds]))
  await letGo()
  await runDue(app.ctx, [settleRefunds])
  assert.equal((await undoneOf(app, second.payment)).length, 1)
  assert.deepEqual(await ledgerFaults(app), [])
})
