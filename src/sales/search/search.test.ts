import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { systemScope } from '../../access/scope.ts'
import type { Role } from '../../access/roles.ts'
import { touchCart } from '../carts/touch-cart.ts'
import { sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'
import type { SearchResult } from './schema.ts'

let app: TestApp
let call: CallAs
let foreign: Seller
let sale: Awaited<ReturnType<typeof sell>>
/** In the second product. */
let other: typeof sale
/** Another seller's. */
let stranger: typeof sale
/** Of what was sold in the first product. */
let planTitle: string
let install: { readonly id: string }

before(async () => {
  app = await startTestApp('search')
  foreign = await app.write((tx) => createSeller(tx, 'another@example.com'))
  // The same names and ids everywhere, so that only the seller tells them apart.
  stranger = await sell({ ...app, seller: foreign } as TestApp, { product: foreign.product })
  sale = await sell(app)
  other = await sell(app, { product: app.seller.other })
  install = await createInstallOf(app, sale.owner, { url: 'https://www.shop.example.org/blog' })
  call = await asDeveloper(app)
  const plan = await app.call('GET', `/products/${app.seller.product.id}/plans/${sale.offer.planId}.json`)
  planTitle = plan.json.title
})
after(() => app.close())

async function found(q: string, more = '', as: CallAs = call): Promise<SearchResult[]> {
  const { status, json } = await as('GET', `/search.json?q=${encodeURIComponent(q)}${more}`)
  assert.equal(status, 200)
  return json.results
}
const named = async (...args: Parameters<typeof found>) =>
  (await found(...args)).map(({ kind, id }) => `${kind} ${id}`)

test('an id finds everything of the account that has it, and nothing of another seller', async () => {
  const { license, payment, subscription } = sale
  const [of] = (await found(license.id)).filter(({ kind }) => kind === 'license')
  assert.deepEqual(of, {
    kind: 'license',
    id: license.id,
    product_id: String(app.seller.product.id),
    title: planTitle,
    subtitle: sale.owner.email,
    environment: 0,
  })
  assert.ok((await named(String(payment.id))).includes(`payment ${payment.id}`))
  assert.ok((await named(String(subscription.id))).includes(`subscription ${subscription.id}`))
  assert.ok((await named(String(sale.offer.pricingId))).includes(`pricing ${sale.offer.pricingId}`))
  const [paid] = (await found(String(payment.id))).filter(({ kind }) => kind === 'payment')
  assert.deepEqual([paid?.title, paid?.subtitle], ['59.99 USD', sale.owner.email])
  for (const [kind, id] of [
    ['license', stranger.license.id],
    ['payment', stranger.payment.id],
    ['subscription', stranger.subscription.id],
    ['user', stranger.owner.id],
    ['plan', stranger.offer.planId],
    ['product', foreign.product.id],
    ['store', foreign.store.id],
  ] as const) {
    assert.ok(!(await named(String(id))).includes(`${kind} ${id}`), kind)
  }
})

test('every kind is found by its id', async () => {
  const { developer, product, store } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const cart = await app.write((tx) =>
    touchCart(tx, scope, { environment: 1, visitor: null, email: 'cart@example.com' }),
  )
  const post = async (path: string, body: object) => {
    const { json, text } = await app.call('POST', `/products/${product.id}${path}`, { body })
    assert.ok(json.id, text)
    return String(json.id)
  }
  const coupon = await post('/coupons.json', { code: 'Spring', discount: 10, discount_type: 'percentage' })
  const webhook = await post('/webhooks.json', { url: 'https://hooks.example.com/secret' })
  const review = await post('/reviews.json', { text: 'Good', name: 'Ann', rate: 90, title: 'Well done' })
  const { events } = (await app.call('GET', `/products/${product.id}/events.json?count=1`)).json
  const titles: Record<string, [string, string]> = {
    cart: [String(cart.id), 'cart@example.com'],
    coupon: [coupon, 'Spring'],
    webhook: [webhook, 'hooks.example.com'],
    review: [review, 'Well done'],
    event: [events[0].id, events[0].type],
    install: [install.id, 'shop.example.org'],
    user: [String(sale.owner.id), sale.owner.email],
    plan: [String(sale.offer.planId), planTitle],
    product: [String(product.id), 'First product'],
    store: [String(store.id), 'Store'],
  }
  for (const [kind, [id, title]] of Object.entries(titles)) {
    const result = (await found(id, '&count=50')).find((one) => one.kind === kind)
    assert.deepEqual([result?.id, result?.title], [id, title], kind)
  }
  assert.deepEqual(await named('SPRING'), [`coupon ${coupon}`])
  await app.call('DELETE', `/products/${product.id}/coupons/${coupon}.json`)
  assert.deepEqual(await named('spring'), [])
})

test('a coupon of a store is found by its code', async () => {
  const { developer, store } = app.seller
  const { json } = await app.call('POST', `/developers/${developer.id}/stores/${store.id}/coupons.json`, {
    token: null,
    headers: await headersOf(),
    body: { code: 'STOREWIDE', discount: 10, discount_type: 'percentage' },
  })
  assert.deepEqual(
    (await found('storewide')).map(({ kind, id, product_id: of }) => [kind, id, of]),
    [['coupon', json.id, null]],
  )
})

async function headersOf() {
  const { id } = app.seller.developer
  const { access } = await app.write((tx) => issueAccessToken(tx, { developerId: id, userId: null }))
  return { authorization: `FSA ${id}:${access}` }
}

test('a whole key finds its license, a part of it nothing, and no key is in a result', async () => {
  const key = sale.license.secret_key ?? assert.fail()
  const results = await found(key)
  assert.deepEqual(await named(key), [`license ${sale.license.id}`])
  assert.deepEqual(await named(other.license.secret_key ?? ''), [`license ${other.license.id}`])
  assert.deepEqual(await named(stranger.license.secret_key ?? ''), [])
  assert.deepEqual(await named(key.slice(0, -1)), [])
  assert.ok(!JSON.stringify(results).includes(key.slice(-8)))
})

test('the beginning of an address finds its users, whatever its case, by pages of count', async () => {
  const email = sale.owner.email
  assert.deepEqual(await named(email.toUpperCase()), [`user ${sale.owner.id}`])
  const all = await found('own')
  assert.deepEqual(all.map(({ title }) => title).toSorted(), [sale.owner.email, other.owner.email].toSorted())
  assert.equal((await found('own', '&count=1')).length, 1)
  assert.ok((await found(sale.license.id)).length > 2)
  assert.equal((await found(sale.license.id, '&count=2')).length, 2)
  assert.deepEqual(await named(stranger.owner.email), [])
  assert.deepEqual(await found('%'), [])
  assert.deepEqual(await found('  '), [])
})

test('an id at a gateway finds payment and subscription, a host its installs', async () => {
  assert.deepEqual(await named(sale.payment.external_id ?? ''), [`payment ${sale.payment.id}`])
  assert.deepEqual(await named(other.subscription.external_id ?? ''), [
    `subscription ${other.subscription.id}`,
  ])
  assert.deepEqual(await named(stranger.payment.external_id ?? ''), [])
  assert.deepEqual(await named('https://shop.example.org'), [`install ${install.id}`])
})

/** The id of a request that changed something. */
async function changed(): Promise<string> {
  const path = `/products/${app.seller.product.id}/licenses/${sale.license.id}.json`
  return (await call('PUT', path, { quota: 7 })).headers.get('x-request-id') ?? assert.fail()
}

test('the id of a request finds what it did, once, and none of another account', async () => {
  const { product } = app.seller
  const id = await changed()
  const results = await found(id)
  assert.deepEqual(
    results.map(({ kind, title, subtitle, product_id: of }) => [kind, title, subtitle, of]),
    [['request', id, 'licenses/update', String(product.id)]],
  )
  assert.deepEqual(await found(id, '', await asDeveloper(app, foreign.developer)), [])
})

test('the environment leaves out what is of the other one, and keeps what belongs to both', async () => {
  const q = sale.license.id
  assert.ok((await named(q, '&environment=0')).includes(`license ${q}`))
  assert.ok(!(await named(q, '&environment=1')).includes(`license ${q}`))
  assert.deepEqual(await named(sale.owner.email, '&environment=1'), [`user ${sale.owner.id}`])
})

test('a role finds what it may read: a developer no payment and no subscription', async () => {
  const seen: Partial<Record<Role, boolean[]>> = {}
  const request = await changed()
  for (const role of ['admin', 'developer', 'support', 'accountant'] as const) {
    const as = await asMember(app, role)
    seen[role] = await Promise.all(
      [sale.payment.external_id, sale.subscription.external_id, sale.owner.email].map(
        async (q) => (await found(q ?? '', '', as)).length > 0,
      ),
    )
    assert.equal((await found(request, '', as)).length > 0, role === 'admin')
    const kinds = (await found(String(sale.payment.id), '', as)).map(({ kind }) => kind)
    assert.equal(kinds.includes('payment'), role !== 'developer')
  }
  const all = [true, true, true]
  assert.deepEqual(seen, { admin: all, developer: [false, false, true], support: all, accountant: all })
})
