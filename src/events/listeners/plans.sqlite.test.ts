import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { answersToJudge } from '../../db/seal-clear.ts'
import { pageOfAttempts, pageOfDeliveries } from './queries.ts'

let place: Awaited<ReturnType<typeof testContext>>
before(async () => {
  place = await testContext('webhook_plans')
})
after(() => place.drop())

const OWNER = { developerId: 1, productId: 1, userId: null, installId: null }
const PAGE = { count: 25, offset: 0 }

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

test('a start finds answers that may be in clear by an index of those alone', async () => {
  const plan = await planOf(answersToJudge(place.ctx.db))
  assert.match(plan, /INDEX delivery_attempts_to_judge/)
  assert.doesNotMatch(plan, /TEMP B-TREE/)
})
