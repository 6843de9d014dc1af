import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

/** An id of the fixture. */
const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-5104-4067-a91d-77b872934d51`

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  const license = (n: number, columns: string) => row('licenses', id('licenses', uuid(n)), columns)
  const bo = id('users', uuid(31))
  const first = await license(41, 'quota activated expiration is_cancelled user_id plan_id')
  assert.equal(first, `1 | 1 | 2027-01-31 10:00:00 | false | ${bo} | ${id('plans', uuid(11))}`)
  // As an interface of before names the owner; the quota is that of the policy.
  const second = await license(42, 'quota is_cancelled user_id')
  assert.equal(second, `3 | true | ${id('users', uuid(33))}`)
  // The second user has the address of the first in capitals.
  assert.equal(await license(43, 'quota expiration activated user_id'), `null | null | 1 | ${bo}`)
  assert.equal(await license(46, 'quota user_id is_cancelled'), '5 | null | false')
  const installs = await rowsOf('installs')
  const places = installs.map((one) => `${one['title']} ${one['platform_version']} ${one['url']}`)
  assert.deepEqual(places.toSorted(), ["Bo's MacBook macOS null", 'mac.local Windows null'])
  assert.deepEqual(await rowsOf('payments'), [])
}

testMove('keygen', {
  left: [
    'licenses.json 4 licenses expiration impossible_time',
    'licenses.json 5 licenses is_cancelled unknown_state',
    'machines.json 4 installs user_id missing',
  ],
  aside: ['users of_the_team 1'],
  exact,
  change: ['licenses.json', '"expiry": "2027-01-31', '"expiry": "2028-01-31'],
  changed: async ({ id, row }) =>
    assert.equal(await row('licenses', id('licenses', uuid(41)), 'expiration'), '2028-01-31 10:00:00'),
  keys: async ({ id, activate }) => {
    const product = id('products', uuid(1))
    assert.equal(await activate(product, 'D0C7-B3F5-9A8E-6F42', 'https://new.bo-buyer.com'), '200')
    const full = await activate(product, 'B8A5-91D3-7F6C-4E20', 'https://new.bo-buyer.com')
    assert.equal(full, '400 license_utilized')
  },
})
