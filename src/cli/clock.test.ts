// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'

test('the clock of a sandbox is shown, moved by the command line itself, and refused backwards', async (t) => {
  const place = await openDemoPlace(t, 'clock')
  const { product_id: product } = await place.ask(['demo'])
  const options = ['--product', product]
  const before = await place.ask(['clock', 'show', ...options])
  assert.deepEqual([before.status, before.target], ['ready', null])
  const moved = await place.ask(['clock', 'advance', ...options, '--by', 'P1Y'])
  assert.equal(moved.status, 'ready')
  assert.equal(Number(moved.now.slice(0, 4)), Number(before.now.slice(0, 4)) + 1)
  const after = await place.ask(['clock', 'show', ...options])
  assert.ok(after.now >= moved.now)
  for (const [more, code] of [
    [['--to', before.now], 'clock_not_forward'],
    [['--by', 'P3Y'], 'clock_too_far'],
  ] as const) {
    const refused = await place.run(['clock', 'advance', ...options, ...more, '--json'])
    assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, code])
  }
  const unknown = await place.run(['clock', 'show', '--product', '999999', '--json'])
  assert.equal(JSON.parse(unknown.stderr).error.code, 'not_found')
  const rows = await place.database.reader
    .selectFrom('audit_log')
    .select('action')
    .where('action', 'like', 'cli/clock%')
    .execute()
  assert.equal(rows.length, 1)
})
