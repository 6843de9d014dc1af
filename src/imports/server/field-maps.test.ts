import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapped } from './field-maps.ts'

test('a country that another server tells is kept as it is here, and one that there is not is left empty', () => {
  for (const kind of ['payments', 'subscriptions', 'installs'] as const) {
    const told = (code: unknown) => mapped(kind, { country_code: code })['country_code']
    assert.deepEqual(
      [told('de'), told('zz'), told(''), told(null), told(undefined)],
      ['DE', null, null, null, null],
    )
  }
  const told = (code: unknown) => mapped('billing', { address_country_code: code })['address_country_code']
  assert.deepEqual([told('de'), told('zz'), told(null), told(undefined)], ['de', '', '', ''])
})
