// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'

test('pricing.json of the demo shows its praise, the newest first; the list has the rest, hidden ones too', async (t) => {
  const { examples, get } = await startDemo(t, 'demo_reviews')
  const shown: { name: string; created: string }[] = (await get('/pricing.json')).reviews
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['佐藤 美咲', "Grace O'Donnell", 'Lukas Brückner', 'Amara Okafor'],
  )
  const days = shown.map(({ created }) => created)
  assert.deepEqual(days, days.toSorted().toReversed())
  assert.equal((await get('/reviews.json')).reviews.length, 6)
  assert.equal((await get(`/reviews/${examples['review_id']}.json`)).id, examples['review_id'])
})
