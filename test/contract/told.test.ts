import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { RECORDED } from '../../src/events/log/event-meanings.ts'
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

const names = (cell: string) => cell.split(', ').filter((name) => name !== '')
const EVERY = Object.entries(RECORDED).flatMap(([type, [, data, objects]]) => [
  type,
  ...names(data).map((name) => `${type} data ${name}`),
  ...names(objects).map((kind) => `${type} objects ${kind}`),
])

test('a run that recorded what the document says differs in nothing, also with names that clients make', async (t) => {
  const client = ['form.sent', 'form.sent data field', 'form.sent objects install']
  assert.deepEqual(await eventFaults(await seenIn(t, EVERY, client)), [])
})

test('a type that nothing recorded and a row that is not there are told', async (t) => {
  const { 'coupon.deleted': _, ...table } = RECORDED
  const noted = EVERY.filter((one) => !one.startsWith('user.created'))
  assert.deepEqual(await eventFaults(await seenIn(t, noted), table), [
    'coupon.deleted is recorded, which docs/events.md does not say',
    'user.created was recorded by no test',
  ])
})

for (const [part, type, name] of [
  ['data', 'plan.created', 'colour'],
  ['objects', 'plan.created', 'user'],
  ['objects', 'license.created', 'install'],
] as const) {
  test(`${name} in the ${part} of ${type} that the document does not say is told`, async (t) => {
    assert.deepEqual(await eventFaults(await seenIn(t, EVERY, [`${type} ${part} ${name}`])), [
      `${type} has ${name} in its ${part}, which docs/events.md does not say`,
    ])
  })
}

for (const [part, type, name] of [
  ['data', 'cart.updated', 'from'],
  ['data', 'license.site.whitelisted', 'site'],
  ['data', 'install.ownership.initiated', 'user_id'],
  ['objects', 'cart.updated', 'cart'],
  ['objects', 'cart.updated', 'user'],
  ['objects', 'payment.created', 'install'],
  ['objects', 'payment.created', 'payment'],
] as const) {
  test(`${name} in the ${part} of ${type} that no test recorded is told`, async (t) => {
    const noted = EVERY.filter((one) => one !== `${type} ${part} ${name}`)
    assert.deepEqual(await eventFaults(await seenIn(t, noted)), [
      `${type} has ${name} in its ${part} by docs/events.md, which no test recorded`,
    ])
  })
}
