import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { productScope, visit } from '../../test/carts.ts'
import { createOffer } from '../../test/catalogue.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { createInstallOf, createOwner } from '../../test/installs.ts'
import { offerFor } from '../../test/licenses.ts'
import { poison } from '../../test/poison.ts'
import { askAdvance, clockOf } from '../../test/sandbox.ts'
import { startSmtp, type TestSmtp } from '../../test/smtp.ts'
import { addWebhook, deliverAll, happen, startReceiver } from '../../test/webhooks.ts'
import { askForPurchase } from '../sales/checkouts/pay-checkout.ts'
import { systemScope } from '../access/scope.ts'
import { DAY, HOUR, MINUTE, toUtcTime, type UtcTime } from '../lib/time.ts'
import { advanceSandboxes } from './advance-sandboxes.ts'
import { countInstalls } from '../licensing/installs/count-installs-job.ts'
import { deliverMails } from './deliver-mails.ts'
import type { Job } from '../job.ts'
import { prune } from './prune.ts'
import { settlePurchases } from '../sales/checkouts/settle-purchases-job.ts'
import { settleReports } from '../sales/charges/settle-reports-job.ts'
import { runDue } from './worker.ts'

let server: TestSmtp
let app: TestApp
before(async () => {
  server = await startSmtp()
  const from = { name: 'The Company', address: 'mail@company.example.com' }
  app = await startTestApp('poisoned_work', {
    config: { mode: 'development', mail: { smtp: server.settings, from } },
  })
})
after(async () => {
  await app.close()
  await server.close()
})

async function run(job: Job): Promise<void> {
  await app.write((tx) => tx.db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', job.name).execute())
  await runDue(app.ctx, [job])
}

const failuresOf = async (name: string) =>
  (await app.ctx.db.selectFrom('jobs').select('failures').where('name', '=', name).executeTakeFirstOrThrow())
    .failures

test('a mail whose status cannot be noted was sent once, and no other waits for it', async () => {
  app.ctx.clock.set(START)
  const path = `/products/${app.seller.product.id}/users.json`
  const people = ['one@poison.example', 'two@poison.example']
  const ids: number[] = []
  for (const email of people) {
    ids.push(Number((await app.call('POST', path, { body: { email, name: 'Some Body' } })).json.id))
  }
  const mend = await poison(app, 'users', ids[0] ?? 0)
  for (let n = 0; n < 3; n++) {
    await runDue(app.ctx, [deliverMails])
    app.ctx.clock.advance(2 * MINUTE)
  }
  await mend()
  assert.deepEqual(server.received.map(({ to }) => to).toSorted(), people)
  const waiting = await app.ctx.db.selectFrom('mails').select('id').where('state', '=', 'pending').execute()
  assert.deepEqual(waiting, [])
})

test('a listener that a fault keeps from being told is left alone longer and longer, then switched off; the others are told', async () => {
  app.ctx.clock.set(START)
  const [first, second] = [await startReceiver(), await startReceiver()]
  const bad = await addWebhook(app, { url: first.url, types: 'user.name.changed' })
  await addWebhook(app, { url: second.url, types: 'user.name.changed' })
  await app.write((tx) =>
    tx.db.updateTable('webhooks').set({ secret: 'torn' }).where('id', '=', Number(bad.id)).execute(),
  )
  await happen(app, [1])
  const failures = async () =>
    (
      await app.ctx.db
        .selectFrom('failed_rows')
        .select('failures')
        .where('job', '=', 'tell-listeners')
        .executeTakeFirst()
    )?.failures
  for (let n = 0; n < 10; n++) await deliverAll(app)
  assert.deepEqual([first.received.length, second.received.length, await failures()], [0, 1, 1])
  for (let n = 0; n < 24; n++) {
    app.ctx.clock.advance(6 * HOUR)
    await deliverAll(app)
  }
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/webhooks/${bad.id}.json`)
  assert.deepEqual([await failures(), json.is_active, json.off_reason], [10, false, 'failing'])
  await Promise.all([first.close(), second.close()])
})

test('a purchase of nothing that can neither be settled nor let go keeps no other from being settled', async () => {
  app.ctx.clock.set(START)
  const body = { code: 'NOTHING', discount: 100, discount_type: 'percentage' }
  await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body })
  const { pricingId } = await offerFor(app, 1)
  const left = async (email: string) => {
    const token = await app.write((tx) =>
      openSandboxCheckout(tx, productScope(app), { pricingId, email, coupon: 'NOTHING' }),
    )
    await askForPurchase(app.ctx, systemScope({ developerId: 0, productId: 0 }), token, {})
  }
  await left('torn@nothing.example')
  await left('whole@nothing.example')
  const rows = () =>
    app.ctx.db.selectFrom('checkouts').select(['id', 'email', 'state']).orderBy('id').execute()
  const [torn] = (await rows()).filter(({ email }) => email === 'torn@nothing.example')
  await app.write((tx) =>
    tx.db
      .updateTable('checkouts')
      .set({ kept: 'torn' })
      .where('id', '=', torn?.id ?? 0)
      .execute(),
  )
  for (const ms of [10 * MINUTE, HOUR, DAY, DAY, DAY]) {
    app.ctx.clock.advance(ms)
    await run(settlePurchases)
    assert.equal(await failuresOf('settle-purchases'), 0)
  }
  const states = (await rows()).filter(({ email }) => email.endsWith('@nothing.example'))
  assert.deepEqual(
    states.map(({ email, state }) => [email, state]),
    [
      ['torn@nothing.example', 'paying'],
      ['whole@nothing.example', 'paid'],
    ],
  )
})

test('a report of a gateway that cannot be read keeps no other from being taken', async () => {
  const created = app.ctx.clock.now()
  const due_at = app.ctx.clock.real()
  const charge = { type: 'dispute', externalId: 'nobody_knows', id: 'x', state: 'open', amount: 1 }
  for (const [event_id, report] of [
    ['evt_torn', 'torn'],
    ['evt_whole', JSON.stringify(charge)],
  ]) {
    await app.write((tx) =>
      tx.db
        .insertInto('gateway_events')
        .values({
          gateway: 'test',
          event_id: event_id ?? '',
          report: report ?? '',
          refund_id: null,
          due_at,
          created,
        })
        .execute(),
    )
  }
  await run(settleReports)
  const rows = await app.ctx.db
    .selectFrom('gateway_events')
    .select(['event_id', 'due_at'])
    .where('event_id', 'in', ['evt_torn', 'evt_whole'])
    .orderBy('event_id')
    .execute()
  assert.equal(await failuresOf('settle-reports'), 0)
  assert.ok(rows.every((row) => row.due_at !== due_at))
})

test('counters of a product that cannot be written keep no others from being counted', async () => {
  const owner = await createOwner(app)
  await createInstallOf(app, owner)
  const { product, other } = app.seller
  await app.write((tx) =>
    tx.db.updateTable('products').set({ installs_count: 99 }).where('id', '=', other.id).execute(),
  )
  const mend = await poison(app, 'products', other.id)
  const counts = async (id: number) =>
    (await app.ctx.db.selectFrom('products').select('installs_count').where('id', '=', id).executeTakeFirst())
      ?.installs_count
  await runDue(app.ctx, [countInstalls])
  await run(countInstalls)
  assert.deepEqual([await counts(product.id), await counts(other.id)], [1, 99])
  assert.equal(await failuresOf('count-installs'), 0)
  await mend()
  await run(countInstalls)
  assert.equal(await counts(other.id), 0)
})

test('what cannot be removed keeps nothing else from being removed, and the job says that it failed', async () => {
  const now = app.ctx.clock.real()
  await app.write((tx) =>
    tx.db
      .insertInto('idempotency_keys')
      .values({
        scope_hash: 'stays',
        body_hash: '',
        lease_until: 0,
        fence: 1,
        created_at: 0,
        expires_at: now - 3 * DAY,
      })
      .execute(),
  )
  const { id } = await app.ctx.db.selectFrom('idempotency_keys').select('id').executeTakeFirstOrThrow()
  await app.write((tx) =>
    tx.db
      .insertInto('mail_counts')
      .values({ name: 'to:gone', count: 1, until_ms: now - DAY })
      .execute(),
  )
  const mend = await poison(app, 'idempotency_keys', id, 'delete')
  await run(prune)
  const left = async () =>
    (await app.ctx.db.selectFrom('mail_counts').select('name').where('name', '=', 'to:gone').execute()).length
  assert.deepEqual([await left(), await failuresOf('prune')], [0, 1])
  await mend()
})

test('a clock of a sandbox that a fault keeps from being moved on stands ready in the end, and others are moved', async () => {
  app.ctx.clock.set(START + 30 * DAY)
  const offer = await app.write((tx) => createOffer(tx, productScope(app), 'stuck'))
  const cart = await visit(app, { environment: 1, email: 'stuck@example.com', plan_id: offer.planId })
  await app.write((tx) =>
    tx.db
      .updateTable('carts')
      .set({ recover_at: '2026-99-99 torn' as UtcTime })
      .where('id', '=', cart.id)
      .execute(),
  )
  const { other } = app.seller
  const target = toUtcTime(app.ctx.clock.real() + 40 * DAY)
  assert.equal((await askAdvance(app, { target })).status, 202)
  assert.equal((await askAdvance(app, { target }, other)).status, 202)
  await runDue(app.ctx, [advanceSandboxes])
  assert.equal((await clockOf(app)).status, 'advancing')
  for (let n = 0; n < 30; n++) {
    app.ctx.clock.advance(6 * HOUR)
    await runDue(app.ctx, [advanceSandboxes])
  }
  app.ctx.clock.advance(MINUTE)
  assert.deepEqual([(await clockOf(app)).status, (await clockOf(app, other)).status], ['ready', 'ready'])
})
