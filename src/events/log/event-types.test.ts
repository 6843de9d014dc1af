// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { EVENT_TYPES } from '../../db/tables/event-types.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('event_types')
})
after(() => app.close())

interface Told {
  readonly type: string
  readonly meaning: string
}

const list = async (query = '') => {
  const { status, json } = await app.call('GET', `/event_types.json${query}`, { token: null })
  assert.equal(status, 200)
  return json.event_types as Told[]
}

test('anybody is told each type that is recorded, once, with what it means', async () => {
  const types = await list()
  const names = types.map(({ type }) => type)
  assert.deepEqual(
    names.filter((name) => !(EVENT_TYPES as readonly string[]).includes(name)),
    [],
  )
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(
    types.find(({ type }) => type === 'license.extended'),
    {
      type: 'license.extended',
      meaning: 'A license ends later; `is_renewal` where a renewal is why',
      data: ['license_id', 'from', 'to', 'is_renewal'],
      objects: ['license', 'user'],
    },
  )
})

test('a meaning is understood by itself, without the one before it', async () => {
  const leaning = (await list()).filter(({ meaning }) =>
    /^(?:It|Its|That|They|Their)\b|^\w+ \w+$/.test(meaning),
  )
  assert.deepEqual(leaning, [])
})

test('types are known that nothing records, and a listener is promised none of them', async () => {
  assert.ok(!(await list()).some(({ type }) => type === 'affiliate.created'))
})

test('of each type the fields are answered that are asked for', async () => {
  const [first] = await list('?fields=type')
  assert.deepEqual(Object.keys(first ?? {}), ['type'])
})
