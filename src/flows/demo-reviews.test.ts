import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { startServer } from '../start.ts'
import { fillDemo, openDemo } from './demo.ts'

test('pricing.json of the demo shows its praise, the newest first; the list has the rest, hidden ones too', async (t) => {
  const { ctx, drop } = await testContext('demo_reviews')
  const running = await startServer(ctx)
  t.after(async () => {
    await running.stop()
    await drop()
  })
  const filled = await fillDemo(ctx)
  assert.ok(filled)
  const { product, examples } = await openDemo(ctx, filled)
  const get = async (path: string) => {
    const response = await fetch(`${running.address}/v1/products/${product.id}${path}`, {
      headers: { authorization: `Bearer ${product.token}` },
    })
    return (await response.json()) as { id: string; reviews: { id: string; name: string; created: string }[] }
  }
  const shown = (await get('/pricing.json')).reviews
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['佐藤 美咲', "Grace O'Donnell", 'Lukas Brückner', 'Amara Okafor'],
  )
  const days = shown.map(({ created }) => created)
  assert.deepEqual(days, days.toSorted().toReversed())
  assert.equal((await get('/reviews.json')).reviews.length, 6)
  assert.equal((await get(`/reviews/${examples['review_id']}.json`)).id, examples['review_id'])
})
