import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createTriedWebhook } from '../../../test/webhooks.ts'
import { systemScope } from '../../access/scope.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'

let app: TestApp
let webhook: string
before(async () => {
  app = await startTestApp('webhook-figures')
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  webhook = await app.write((tx) => createTriedWebhook(tx, scope))
  await app.write((tx) => tx.db.deleteFrom('delivery_attempts').execute())
})
after(() => app.close())

const own = () => `/products/${app.seller.product.id}/webhooks/${webhook}/figures.json`
const figures = async (query: string) => {
  const { status, json, text } = await app.call('GET', `${own()}${query}`)
  assert.equal(status, 200, text)
  return json
}

/** Attempts of a day, each with its status (null: no answer) and how long it took. */
async function tried(day: string, attempts: readonly (readonly [status: number | null, ms: number])[]) {
  await app.write(async ({ db }) => {
    const delivery = await db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
    await db
      .insertInto('delivery_attempts')
      .values(
        attempts.map(([status, ms], n) => ({
          product_id: delivery.product_id,
          webhook_id: Number(webhook),
          delivery_id: delivery.id,
          event_id: delivery.event_id,
          at: fromUtcTime(`${day} 00:00:00` as UtcTime) + n,
          duration_ms: ms,
          status,
          answer: null,
          is_sealed: true,
        })),
      )
      .execute()
  })
}

const NONE = { attempts: 0, succeeded: 0, failed: 0, p50_ms: null, p95_ms: null }

test('of each day it is told how often a listener was tried, took it or not, and in which time it answered', async () => {
  await tried('2025-03-01', [
    ...Array.from({ length: 20 }, (_, n) => [200, (n + 1) * 10] as const),
    [500, 9_000],
  ])
  await tried('2025-03-03', [[null, 15_000]])
  const { figures: days, total } = await figures('?from=2025-03-01&to=2025-03-03')
  const first = { attempts: 21, succeeded: 20, failed: 1, p50_ms: 110, p95_ms: 200 }
  assert.deepEqual(days, [
    { day: '2025-03-01', ...first },
    { day: '2025-03-02', ...NONE },
    { day: '2025-03-03', ...NONE, attempts: 1, failed: 1 },
  ])
  assert.deepEqual(total, { ...first, attempts: 22, failed: 2 })
})

test('figures are told of the days from one to another, at most 31', async () => {
  const days = async (query: string) => {
    const { figures: told } = await figures(query)
    return [told[0].day, told.at(-1).day, told.length]
  }
  assert.deepEqual(await days('?from=2025-03-01'), ['2025-03-01', '2025-03-30', 30])
  assert.deepEqual(await days('?to=2025-03-30'), ['2025-03-01', '2025-03-30', 30])
  const today = toUtcTime(app.ctx.clock.real()).slice(0, 10)
  const monthAgo = toUtcTime(app.ctx.clock.real() - 29 * DAY).slice(0, 10)
  assert.deepEqual(await days(''), [monthAgo, today, 30])
  assert.deepEqual(await days('?from=2025-01-01&to=2025-01-31'), ['2025-01-01', '2025-01-31', 31])
  for (const query of [
    '?from=2025-01-01&to=2025-02-01',
    '?from=2025-01-02&to=2025-01-01',
    '?to=2025-02-30',
  ]) {
    assert.equal((await app.call('GET', `${own()}${query}`)).status, 400, query)
  }
})

test('what an attempt was at is of one listener alone; another product has no such listener', async () => {
  const { developer, product, other: theirProduct } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const other = await app.write((tx) => createTriedWebhook(tx, scope))
  const { json } = await app.call('GET', `/products/${product.id}/webhooks/${other}/figures.json`)
  assert.deepEqual(json.total, { attempts: 1, succeeded: 0, failed: 1, p50_ms: 12, p95_ms: 12 })
  const theirs = `/products/${theirProduct.id}/webhooks/${other}/figures.json`
  assert.equal((await app.call('GET', theirs, { token: theirProduct.token })).status, 404)
})
