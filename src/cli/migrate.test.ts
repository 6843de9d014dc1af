// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'

test('migrate says how many migrations it ran, and nothing else reaches either output', async (t) => {
  const place = await openPlace(t, 'migrate')
  const first = await place.ask(['migrate'])
  assert.ok(first.schema > 0)
  assert.deepEqual(await place.ask(['migrate']), { migrations: 0, schema: first.schema })
  const spoken = await place.run(['migrate'])
  assert.equal(spoken.stdout, `0 migrations were run; the database is at schema ${first.schema}.\n`)
  assert.equal(spoken.stderr, '')
})
