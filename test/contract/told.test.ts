import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { RECORDED } from '../../tools/event-table.ts'
import { createTestFolder } from '../folder.ts'
import { eventFaults } from './told.ts'

/** What each process of a run would have noted. */
async function seenIn(t: TestContext, ...lists: readonly (readonly string[])[]): Promise<string> {
  const folder = await createTestFolder('told')
  t.after(() => rm(folder, { recursive: true }))
  for (const [n, list] of lists.entries())
    await writeFile(join(folder, `${n}.json`), JSON.stringify(list.map((one) => `event ${one}`)))
  return folder
}

const EVERY = Object.entries(RECORDED).flatMap(([type, [, data]]) => [
  type,
  ...data.split(', ').map((name) => `${type} ${name}`),
])

test('a run that recorded what the document says differs in nothing, also with names that clients make', async (t) => {
  assert.deepEqual(await eventFaults(await seenIn(t, EVERY, ['form.sent', 'form.sent field'])), [])
})

test('a type that nothing recorded, a name that is not told and a row that is not there are told', async (t) => {
  const { 'coupon.deleted': _, ...table } = RECORDED
  const noted = EVERY.filter((one) => !one.startsWith('user.created'))
  assert.deepEqual(await eventFaults(await seenIn(t, [...noted, 'plan.created colour']), table), [
    'coupon.deleted is recorded, which docs/events.md does not say',
    'plan.created has colour in its data, which docs/events.md does not say',
    'user.created was recorded by no test',
  ])
})
