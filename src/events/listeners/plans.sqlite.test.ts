import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import { answersToJudge } from '../../db/seal-clear.ts'
import { pageOfAttempts, pageOfDeliveries } from './queries.ts'

let place: TestApp
before(async () => {
  place = await startTestApp('webhook_plans')
})
after(() => place.close())

const OWNER = { developerId: 1, productId: 1, userId: null, installId: null }
const PAGE = { count: 25, offset: 0, sort: '-id' } as const

/** How the rows of a page are found. */
const planOf = async (query: { compile(): Parameters<typeof stepsOf>[1] }) =>
  (await stepsOf(place.ctx.db, query.compile())).join(' | ')

test('attempts of one event are found by its delivery, not among all of the listener', async () => {
  const plan = await planOf(pageOfAttempts(place.ctx.db, OWNER, 7, { ...PAGE, event_id: 9 }))
  assert.match(plan, /INDEX delivery_attempts_of_delivery \(delivery_id=\?/)
  assert.match(plan, /\(webhook_id=\? AND event_id=\?\)/)
  assert.doesNotMatch(plan, /TEMP B-TREE/)
})

test('deliveries of a state are skipped in an index of it', async () => {
  const plan = await planOf(pageOfDeliveries(place.ctx.db, OWNER, { ...PAGE, webhook_id: 7, state: 'error' }))
  assert.match(plan, /INDEX deliveries_in_state \(webhook_id=\? AND state=\?\)/)
  assert.doesNotMatch(plan, /TEMP B-TREE/)
})

test('deliveries of all listeners are skipped in an index of the product, those of a state in one of it', async () => {
  const all = await planOf(pageOfDeliveries(place.ctx.db, OWNER, PAGE))
  assert.match(all, /INDEX deliveries_of_product \(product_id=\?/)
  assert.doesNotMatch(all, /TEMP B-TREE/)
  const narrowed = { ...PAGE, state: 'error', type: 'license.created', above: 5 } as const
  const failed = await planOf(pageOfDeliveries(place.ctx.db, OWNER, narrowed))
  assert.match(
    failed,
    /INDEX deliveries_of_product_in_state \(product_id=\? AND state=\? AND rowid>\?|INDEX deliveries_of_product_in_state \(product_id=\? AND state=\? AND id>\?/,
  )
  assert.doesNotMatch(failed, /TEMP B-TREE/)
})

/** 20,000 events of the product, each with its deliveries to two listeners, and what the database notes of that. */
async function grow(): Promise<void> {
  for (const path of ['one', 'two']) await addWebhook(place, { url: `https://hooks.example.com/${path}` })
  await place.ctx.database.transaction(async (db) => {
    await sql`insert into events (developer_id, product_id, type, state, created, event_trigger, environment, is_spread)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
      select 1, 1, 'license.created', 'processed', '2026-01-01 00:00:00', 'user', 0, 1 from numbers`.execute(
      db,
    )
    await sql`insert into deliveries (product_id, webhook_id, event_id, order_key, state, attempts, created)
      select 1, webhooks.id, events.id, 'n' || events.id, 'processed', 1, events.created
      from events, webhooks where events.product_id = 1`.execute(db)
    await sql`analyze`.execute(db)
  })
}

test('deliveries of events are found in an index of these, of however many there are', async () => {
  await grow()
  for (const more of [{}, { state: 'error' }, { environment: 0, type: 'license.created' }] as const) {
    const named = { ...PAGE, eventIds: [7, 8, 9], ...more }
    const plan = await planOf(pageOfDeliveries(place.ctx.db, OWNER, named))
    assert.match(plan, /INDEX deliveries_of_event \(event_id=\?/)
    assert.doesNotMatch(plan, /SCAN|\(product_id=\?\)/)
  }
  const ofOne = await planOf(pageOfDeliveries(place.ctx.db, OWNER, { ...PAGE, webhook_id: 7, eventIds: [7] }))
  assert.match(ofOne, /\(webhook_id=\? AND event_id=\?\)/)
})

test('a start finds answers that may be in clear by an index of those alone', async () => {
  const plan = await planOf(answersToJudge(place.ctx.db))
  assert.match(plan, /INDEX delivery_attempts_to_judge/)
  assert.doesNotMatch(plan, /TEMP B-TREE/)
})
