import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'
import { CART_FILTERS } from '../resources/carts/schema.ts'
import { INSTALL_FILTERS } from '../resources/installs/list-schema.ts'
import { LICENSE_FILTERS } from '../resources/licenses/list-schema.ts'
import { PAYMENT_FILTERS } from '../resources/payments/schema.ts'

test('every list and every filter of the demo shows something', async (t) => {
  const { get } = await startDemo(t, 'demo_filters')
  const empty: string[] = []
  const look = async (list: string, query: string) => {
    const json: Record<string, unknown> = await get(`/${list}.json?${query}`)
    const rows = Object.values(json).find(Array.isArray)
    if (!rows || rows.length === 0) empty.push(`${list} ${query}`)
  }
  for (const [list, queries] of Object.entries(LISTS)) {
    for (const query of ['', ...queries]) await look(list, query)
  }
  assert.deepEqual(empty, [])
})

const filters = (names: readonly string[]) => names.map((name) => `filter=${name}`)

const LISTS: Readonly<Record<string, readonly string[]>> = {
  users: [],
  events: ['state=processed', 'state=error'],
  installs: filters(INSTALL_FILTERS),
  licenses: filters(LICENSE_FILTERS),
  trials: [],
  tags: [],
  webhooks: [],
  carts: filters(CART_FILTERS),
  payments: [
    ...filters(PAYMENT_FILTERS),
    ...['usd', 'eur', 'gbp'].map((currency) => `currency=${currency}`),
    ...['1', '12', '0'].map((cycle) => `billing_cycle=${cycle}`),
  ],
  subscriptions: [...filters(['all', 'active', 'cancelled']), 'gateway=stripe', 'gateway=paypal'],
  coupons: [],
  reviews: [],
}
