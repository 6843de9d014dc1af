import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { countStatements } from '../../../test/count-statements.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { GENEROUS } from '../../../test/rates.ts'
import { startServer } from '../../start.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import { mailedToAddress } from '../../people/proof/mailed-to.ts'
import { issueToken } from '../../lib/signed-token.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_opening', {
    config: {
      trustProxy: ['127.0.0.1'],
      countryHeader: 'cf-ipcountry',
      rate: { ...GENEROUS, checkouts: { perSecond: 1, burst: 50 } },
    },
  })
  shop = await changeShop(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

async function leftCart(email: string) {
  const { pricing } = await shop.get(`/plans/${shop.plans.pro}/pricing.json`)
  const five = pricing.find(({ licenses }: { licenses: number }) => licenses === 5)
  return visit(app, {
    environment: 1,
    visitor: null,
    email,
    first: 'Ada',
    last: 'Lovelace',
    country_code: 'us',
    plan_id: Number(shop.plans.pro),
    pricing_id: Number(five.id),
    billing_cycle: 12,
  })
}

const tokenFor = (cart: { readonly id: number; readonly email: string }, more: Record<string, string> = {}) =>
  issueToken(app.ctx.keys, {
    purpose: 'checkout.cart',
    claims: {
      ...mailedToAddress(cart.email),
      cart_id: String(cart.id),
      plugin_id: String(app.seller.product.id),
      ...more,
    },
    now: app.ctx.clock.real(),
    lastsMs: 365 * DAY,
  })

test('a mail about a cart leads back to what was in it, with a coupon whose code is not shown', async () => {
  const coupon = { code: 'COMEBACK', discount: 25, discount_type: 'percentage' }
  const { json: made } = await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })
  const cart = await leftCart('left@example.com')
  const opened = await shop.open({ cart_token: tokenFor(cart, { coupon_id: made.id }) })
  const { json: session } = opened
  assert.equal(opened.status, 201, opened.text)
  assert.deepEqual(
    [session.plan.id, session.licenses, session.environment, session.buyer.email, session.buyer.first],
    [shop.plans.pro, 5, 1, 'left@example.com', 'Ada'],
  )
  assert.deepEqual(session.discount, { code: null, applies: true, reason: null })
  assert.deepEqual([session.quote.total, session.renewal.total], [600, 800])
  const paid = await shop.pay(session.id)
  assert.equal(paid.json.state, 'paid', paid.text)
  assert.equal(`${opened.text}${paid.text}`.includes('COMEBACK'), false)
  assert.deepEqual(await redemptionsOf(app, made.id), { live: 0, sandbox: 1 })
  const { completed } = await app.ctx.db
    .selectFrom('carts')
    .select('completed')
    .where('id', '=', cart.id)
    .executeTakeFirstOrThrow()
  assert.ok(completed)
  assert.deepEqual(codeOf(await shop.open({ cart_token: tokenFor(cart) })), [400, 'cart_completed'])
})

test('what is chosen beside the token of a cart comes first', async () => {
  const cart = await leftCart('other@example.com')
  const { json: session } = await shop.open({ cart_token: tokenFor(cart), plan_id: shop.plans.basic })
  assert.deepEqual([session.plan.id, session.buyer.email], [shop.plans.basic, 'other@example.com'])
  const typed = await shop.open({ cart_token: tokenFor(cart), coupon: 'TYPED' })
  assert.deepEqual(typed.json.discount, { code: 'TYPED', applies: false, reason: 'coupon_not_found' })
})

test('a token of a cart that is wrong, of another product or too old is refused', async () => {
  const cart = await leftCart('late@example.com')
  const refused = [400, 'invalid_cart_token']
  const token = tokenFor(cart)
  assert.deepEqual(codeOf(await shop.open({ cart_token: `${token}x` })), refused)
  assert.deepEqual(codeOf(await shop.open({ cart_token: tokenFor({ ...cart, id: 999_999 }) })), refused)
  assert.deepEqual(codeOf(await shop.open({ cart_token: tokenFor(cart, { plugin_id: '999' }) })), refused)
  app.ctx.clock.advance(365 * DAY)
  assert.deepEqual(codeOf(await shop.open({ cart_token: token })), refused)
})

test('where a caller is is known from a trusted proxy alone, and the currency goes with it', async () => {
  const at = async (country?: string) => {
    const headers = country === undefined ? {} : { 'cf-ipcountry': country }
    return (await app.call('GET', '/checkout/geo.json', { token: null, headers })).json
  }
  assert.deepEqual(await at('de'), {
    country: { name: 'Germany', code: 'DE' },
    currency: { code: 'eur', symbol: '€' },
  })
  assert.deepEqual((await at('GB')).currency, { code: 'gbp', symbol: '£' })
  assert.deepEqual((await at('JP')).currency, { code: 'usd', symbol: '$' })
  const unknown = { country: { name: null, code: null }, currency: { code: 'usd', symbol: '$' } }
  for (const country of [undefined, 'XX', 'UK', 'T1', 'Germany']) assert.deepEqual(await at(country), unknown)
})

test('an address opens so many checkouts at once, and others are not kept from it', async () => {
  app.ctx.clock.advance(DAY)
  const openFrom = (ip: string) =>
    app.call('POST', '/checkout/sessions.json', {
      token: null,
      headers: { 'x-forwarded-for': ip },
      body: { product_id: app.seller.product.id, plan_id: shop.plans.basic },
    })
  const replies = await Promise.all(Array.from({ length: 52 }, () => openFrom('192.0.2.9')))
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  assert.deepEqual([count(201), count(429)], [50, 2])
  assert.ok(replies.some(({ headers }) => Number(headers.get('retry-after')) >= 1))
  assert.equal((await openFrom('192.0.2.10')).status, 201)
  app.ctx.clock.advance(SECOND)
  assert.equal((await openFrom('192.0.2.9')).status, 201)
})

test('of a change the checkout is looked up for its product where a product is limited, and not elsewhere', async (t) => {
  const { json: opened } = await shop.open({ plan_id: shop.plans.basic })
  const counted = countStatements(app.ctx.db, app.ctx.database.engine)
  for (const [products, looks] of [
    [undefined, 0],
    [{ perSecond: 100, burst: 100 }, 1],
  ] as const) {
    const config = { ...app.ctx.config, rate: { ...GENEROUS, ...(products && { products }) } }
    const server = await startServer({ ...app.ctx, db: counted.db, config })
    t.after(() => server.stop())
    counted.taken()
    const reply = await fetch(`${server.address}/v1/checkout/sessions/${opened.id}.json`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user_firstname: 'Grace' }),
    })
    assert.equal(reply.status, 200, await reply.text())
    assert.equal(counted.taken().filter((sql) => sql.includes('from "checkouts"')).length, looks)
  }
})
