// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'

test('nothing is taken from anybody of a charge that is not there, or without saying what it was made as', async (t) => {
  const place = await openDemoPlace(t, 'charges')
  for (const [words, status, code] of [
    [['missing', '999999'], 1, 'not_found'],
    [['found', '999999', '--as', '8PT597110X687430L'], 1, 'not_found'],
    [['found', '999999'], 2, 'usage'],
    [['missing', 'one'], 2, 'usage'],
  ] as const) {
    const refused = await place.run(['charges', ...words, '--json'])
    assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [status, code])
  }
})
