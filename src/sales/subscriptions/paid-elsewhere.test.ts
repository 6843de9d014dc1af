import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import { up } from '../../db/migrations/0028-paid-elsewhere.ts'
import { up as markBrought } from '../../db/migrations/0033-brought-licenses.ts'
import { up as markNamed } from '../../db/migrations/0042-paid-elsewhere.ts'
import { renewDue } from '../renewals/renew.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('paid_elsewhere')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
/** By name: a column that is dropped and added again stands in another place. */
const rowOf = (id: number) =>
  app.ctx.db
    .selectFrom('subscriptions')
    .select(['attempt', 'canceled_at', 'due_at', 'failed_payments', 'is_elsewhere', 'next_payment'])
    .select(['outstanding_balance', 'payment_method_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const isCancelled = async (licenseId: number) =>
  (
    await app.ctx.db
      .selectFrom('licenses')
      .select('is_cancelled')
      .where('id', '=', licenseId)
      .executeTakeFirstOrThrow()
  ).is_cancelled

let people = 0

/** A month that is brought along from somewhere. */
async function brought(source: string, billing_cycle = 1) {
  const { planId, pricingId } = await offerFor(app, 1)
  const userId = await userOf(app, `elsewhere${++people}@example.com`)
  const next = '2026-02-20 00:00:00'
  const given = { is_migration: true, source, license_key: `key-${people}`, billing_cycle, gross: 10 }
  const place = path(`/users/${userId}/plans/${planId}/pricing/${pricingId}.json`)
  const { json } = expectOk(await app.call('POST', place, { body: { ...given, next_payment: next } }))
  return { id: Number(json.id), licenseId: Number(json.license_id), next }
}

async function renewLater(): Promise<void> {
  for (let days = 0; days < 20; days++) {
    app.ctx.clock.advance(2 * DAY)
    const now = app.ctx.clock.now()
    while ((await renewDue(app.ctx, { environment: 0, now, limit: 100 })) > 0);
  }
}

test('what is paid elsewhere is not charged here, dunned or cancelled, wherever it was brought along from', async () => {
  const all = [await brought('freemius'), await brought('EDD'), await brought('others')]
  await renewLater()
  for (const { id, licenseId, next } of all) {
    const { due_at, failed_payments, canceled_at, next_payment, outstanding_balance } = await rowOf(id)
    assert.deepEqual([due_at, failed_payments, canceled_at, next_payment], [null, 0, null, next])
    assert.deepEqual([outstanding_balance, await isCancelled(licenseId)], [0, false])
  }
})

test('what was dunned and cancelled though it is paid elsewhere is as it was, and what was sold here stays', async () => {
  const [given, dunned, renewed] = [
    await brought('freemius'),
    await brought('freemius'),
    await brought('EDD'),
  ]
  const here = await subscribed(app, { token: null, more: { initial_amount: 0 } })
  const ids = [given.id, here.subscription.id]
  const harm = { failed_payments: 4, attempt: 4, outstanding_balance: 1_000 }
  const ended = { ...harm, canceled_at: app.ctx.clock.now(), next_payment: null, due_at: null }
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('subscriptions').set(ended).where('id', 'in', ids).execute()
    await db
      .updateTable('licenses')
      .set({ is_cancelled: true })
      .where('id', 'in', [given.licenseId, here.licenseId])
      .execute()
    await db
      .updateTable('subscriptions')
      .set({ ...harm, failed_payments: 2, due_at: dunned.next as never })
      .where('id', '=', dunned.id)
      .execute()
    await sql`alter table subscriptions drop column is_elsewhere`.execute(db)
    await up(db)
  })
  for (const { id, licenseId, next } of [given, dunned, renewed]) {
    const row = await rowOf(id)
    assert.deepEqual(
      [row.is_elsewhere, row.canceled_at, row.next_payment, row.due_at, row.failed_payments, row.attempt],
      [true, null, next, null, 0, 0],
    )
    assert.equal(await isCancelled(licenseId), false)
  }
  const sold = await rowOf(here.subscription.id)
  assert.deepEqual([sold.is_elsewhere, sold.canceled_at === null, sold.failed_payments], [false, false, 4])
  assert.equal(await isCancelled(here.licenseId), true)
})

test('the upgrade takes what was brought along for paid elsewhere whatever gateway it names, and leaves what is charged here', async () => {
  const [named, kept] = [await brought('others'), await brought('others')]
  const here = await subscribed(app)
  const { payment_method_id: method } = await rowOf(here.subscription.id)
  await app.write(async ({ db }) => {
    const due = { is_elsewhere: false, gateway: 'stripe', due_at: named.next as never } as const
    await db.updateTable('subscriptions').set(due).where('id', 'in', [named.id, kept.id]).execute()
    await db
      .updateTable('subscriptions')
      .set({ payment_method_id: method })
      .where('id', '=', kept.id)
      .execute()
    await markNamed(db)
  })
  const marks = await Promise.all(
    [named.id, kept.id, here.subscription.id].map(async (id) => {
      const { is_elsewhere, due_at } = await rowOf(id)
      return [is_elsewhere, due_at !== null]
    }),
  )
  assert.deepEqual(marks, [
    [true, false],
    [false, true],
    [false, true],
  ])
})

/** Of some licenses those that are listed as migrated. */
async function migratedOf(licenseIds: readonly number[], more = '') {
  const query = `?filter=migrated&fields=id&count=50${more}`
  const { json } = expectOk(await app.call('GET', path(`/licenses.json${query}`)))
  const found: readonly string[] = json.licenses.map(({ id }: { readonly id: string }) => id)
  return licenseIds.filter((id) => found.includes(String(id)))
}

test('the licenses of what is paid elsewhere are migrated, wherever they were brought along from', async () => {
  const [monthly, once, other] = [
    await brought('freemius'),
    await brought('freemius', 0),
    await brought('EDD', 0),
  ]
  const here = await subscribed(app, { token: null, more: { initial_amount: 0 } })
  const ids = [monthly.licenseId, once.licenseId, other.licenseId]
  const all = [...ids, here.licenseId]
  assert.deepEqual(await migratedOf(all), ids)
  assert.deepEqual(await migratedOf(all, '&source=0'), ids.slice(0, 2))
  assert.deepEqual(await migratedOf(all, `&search=${once.licenseId}`), [once.licenseId])
  expectOk(await app.call('DELETE', path(`/subscriptions/${monthly.id}.json`)))
  assert.deepEqual(await migratedOf(all), ids, 'also when it is not renewed any more')

  await app.ctx.database.transaction(async (db) => {
    await sql`drop index licenses_migrated`.execute(db)
    await sql`alter table licenses drop column is_brought`.execute(db)
    await sql`create index licenses_migrated on licenses (product_id, id) where source > 0`.execute(db)
    await markBrought(db)
  })
  // Not by the list: PostgreSQL refuses a statement whose column was taken away since it was prepared.
  const marked = await app.ctx.db
    .selectFrom('licenses')
    .select('id')
    .where('is_brought', '=', true)
    .where('id', 'in', all)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    marked.map(({ id }) => id),
    ids,
    'also those of the schema before',
  )
})
