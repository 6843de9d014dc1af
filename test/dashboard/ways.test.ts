import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../../src/sales/search/schema.ts'
import { wayOf } from '../../web/dashboard/ways.ts'
import { ROUTES } from './routed.ts'

/** Where each kind of what the search finds is shown; `1` is its account, `2` its product, `3` it itself. */
const SHOWN: Readonly<Record<(typeof KINDS)[number], string>> = {
  license: '/1/2/licenses/3',
  user: '/1/2/customers/3',
  payment: '/1/2/payments/3',
  subscription: '/1/2/subscriptions/3',
  install: '/1/2/installs/3',
  trial: '/1/2/trials/3',
  cart: '/1/2/carts/3',
  coupon: '/1/2/coupons/3',
  event: '/1/2/events/3',
  product: '/1/3/plans',
  store: '/1/stores/3',
  plan: '/1/2/plans',
  pricing: '/1/2/plans',
  deployment: '/1/2/versions/3',
  review: '/1/2/reviews/3',
  webhook: '/1/2/webhooks/3',
  request: '/1/audit?request_id=req',
}

for (const kind of KINDS) {
  test(`a ${kind} that was found opens its page, which there is`, () => {
    const found = { kind, id: '3', product_id: '2', title: 'req', subtitle: '', environment: null }
    const way = wayOf(found, '1') ?? assert.fail('has no page')
    const path = way.to.replaceAll(
      /\$(\w+)/g,
      (_: string, name: string) => way.params[name] ?? assert.fail(name),
    )
    const search = way.search ? `?${String(new URLSearchParams(way.search))}` : ''
    assert.equal(path + search, SHOWN[kind])
    const route = way.to.replace(/^\/\$account\/(?:\$product\/)?/, '')
    assert.ok(ROUTES.includes(`'${route}'`), route)
  })
}
