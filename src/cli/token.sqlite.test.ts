// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'

test('a token for no product, on a day that is none or is over, is refused', async (t) => {
  const place = await openDemoPlace(t, 'token-refused')
  const { product_id: product } = await place.ask(['demo'])
  const create = (...args: string[]) => place.run(['token', 'create', '--name', 'n', ...args, '--json'])
  const [missing, noDay, over] = await Promise.all([
    create('--product', '999'),
    create('--product', product, '--expires', '2027-02-30'),
    create('--product', product, '--expires', '2020-01-01'),
  ])
  assert.deepEqual([missing.code, JSON.parse(missing.stderr).error.code], [1, 'not_found'])
  assert.deepEqual([noDay.code, JSON.parse(noDay.stderr).error.code], [2, 'usage'])
  assert.deepEqual([over.code, JSON.parse(over.stderr).error.code], [1, 'expired'])
})
