import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unitWords } from './units.ts'

const device = { singular: 'Device', plural: 'Devices' }

test('a unit that is known is said in the language of the page, with the form that "on" wants', () => {
  assert.deepEqual(unitWords('en', device), { one: 'device', many: 'devices', onMany: 'devices' })
  assert.deepEqual(unitWords('de-AT', device), { one: 'Gerät', many: 'Geräte', onMany: 'Geräten' })
})

test('another unit stays as its seller writes it, and one that has no name is a site', () => {
  const other = { singular: 'Till', plural: 'Tills' }
  assert.deepEqual(unitWords('de', other), { one: 'Till', many: 'Tills', onMany: 'Tills' })
  assert.equal(unitWords('en', other).many, 'tills')
  assert.equal(unitWords('de', { singular: 'Unit', plural: 'Units' }).one, 'Website')
})

test('without a product the words fit every one', () => {
  assert.equal(unitWords('de').many, 'Aktivierungen')
})
