import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { writesEvents } from '../../../test/contract/seen.ts'
import { anotherProcess } from '../../../test/dying.ts'
import {
  addWebhook,
  deliverAll,
  endListeners,
  happen,
  numbers,
  startReceiver,
  type Receiver,
} from '../../../test/webhooks.ts'
import { systemScope } from '../../access/scope.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts'
import { recordClientEvent, recordEvents } from '../log/record.ts'
import { deliverEvents } from './deliver-events-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
let receiver: Receiver
before(async () => {
  app = await startTestApp('deliver_order', { config: { mode: 'development' } })
  writesEvents(app.ctx.database, 'coupon.updated', 'cart.created', 'plan.updated')
})
after(() => app.close())
beforeEach(async () => void (receiver = await startReceiver()))
afterEach(() => endListeners(app, [receiver]))

const deliver = () => deliverAll(app)

test('events of a buyer stay in order through five attempts of an earlier one; other buyers do not wait', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  receiver.answer = (response, { event }) => {
    response.statusCode = event.data.n === 0 ? 500 : 200
    response.end()
  }
  await happen(app, [7, 7, 8, 7])
  await deliver()
  assert.deepEqual(numbers(receiver).toSorted(), [0, 2])
  for (const wait of [6 * SECOND, 6 * MINUTE, 34 * MINUTE]) {
    app.ctx.clock.advance(wait)
    await deliver()
  }
  assert.deepEqual(numbers(receiver).slice(2), [0, 0, 0])
  app.ctx.clock.advance(3 * HOUR)
  await deliver()
  assert.deepEqual(numbers(receiver).slice(5), [0, 1, 3])
})

/** Lets something happen that is about no buyer and no install, each an event. */
const happenTo = (things: readonly object[], type: EventType = 'coupon.updated') =>
  app.write((tx) => {
    const { developer, product } = app.seller
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    return recordEvents(
      tx,
      scope,
      things.map((thing, n) => ({ type, environment: 0, data: { ...thing, n } })),
    )
  })

test('what is about no buyer is kept in order by the coupon or cart: one that is refused holds up no other', async () => {
  await addWebhook(app, { url: receiver.url })
  receiver.answer = (response, { event }) => {
    response.statusCode = event.data?.coupon_id === '1' ? 500 : 200
    response.end()
  }
  await happenTo([{ coupon_id: '1' }, { coupon_id: '2' }, { coupon_id: '1' }, { coupon_id: '2' }])
  await app.write(async (tx) => {
    const { developer, product: own } = app.seller
    const scope = systemScope({ developerId: developer.id, productId: own.id })
    await recordEvents(tx, scope, [
      { type: 'cart.created', environment: 0, cartId: 1, data: { cart_id: '1' } },
      { type: 'plan.updated', data: { plan_id: '1' } },
    ])
    await recordClientEvent(tx, scope, { type: 'form.sent', data: null })
  })
  await deliver()
  assert.deepEqual(
    numbers(receiver)
      .filter((n) => typeof n === 'number')
      .toSorted(),
    [0, 1, 3],
  )
  const others = receiver.received.map(({ event }) => event.type).filter((type) => type !== 'coupon.updated')
  assert.deepEqual(others.toSorted(), ['cart.created', 'form.sent', 'plan.updated', 'webhook.created'])
  receiver.answer = (response) => response.end()
  app.ctx.clock.advance(6 * SECOND)
  await deliver()
  assert.deepEqual(numbers(receiver).slice(-2), [0, 2])
})

test('events of many coupons are on their way together', async () => {
  await addWebhook(app, { url: receiver.url, types: 'coupon.updated' })
  const sixteen = Promise.withResolvers<void>()
  receiver.answer = async (response) => {
    if (receiver.received.length === 16) sixteen.resolve()
    await sixteen.promise
    response.end()
  }
  await happenTo(Array.from({ length: 200 }, (_, n) => ({ coupon_id: String(n) })))
  await deliver()
  assert.equal(receiver.received.length, 200)
})

test('a long row of events of one buyer goes without a commit for each, and leaves room for others', async () => {
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  let holds = 0
  const counting = anotherProcess(app, {
    onStatement: (text) => void (holds += /update "?webhooks"? set "?lease_until"?/.test(text) ? 1 : 0),
  })
  let isRefused = true
  receiver.answer = (response, { event }) => {
    response.statusCode = event.data.n === 30 && isRefused ? 500 : 200
    response.end()
  }
  await happen(app, [...Array.from({ length: 300 }, () => 1), 2])
  await runDue(counting.ctx, [deliverEvents])
  const other = numbers(receiver).indexOf(300)
  assert.ok(other >= 0 && other < 60, `${other} of one buyer came before the one of another`)
  isRefused = false
  app.ctx.clock.advance(6 * SECOND)
  await runDue(counting.ctx, [deliverEvents])
  await counting.close()
  const ofFirst = numbers(receiver).filter((n) => n !== 300)
  const expected = Array.from({ length: 300 }, (_, n) => n).toSpliced(30, 0, 30)
  assert.deepEqual(ofFirst, expected)
  assert.ok(holds < 60, `${holds} commits for 301 events`)
})
