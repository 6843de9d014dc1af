import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { allowRedirects, proofOf, sandboxProof } from '../../../test/checkouts.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('sandbox_coupons')
  await app.ctx.database.transaction((db) => allowRedirects(db, app))
})
after(() => app.close())

const base = () => `/products/${app.seller.product.id}`

async function couponOf(code: string, more: object) {
  const body = { code, discount: 100, discount_type: 'percentage', ...more }
  const { json, text } = await app.call('POST', `${base()}/coupons.json`, { body })
  assert.ok(json.id, text)
  return json
}

/** Opens a checkout of something else each time. */
async function open(body: object) {
  const { planId, pricingId } = await offerFor(app, 1)
  const { json, text } = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: {
      product_id: app.seller.product.id,
      plan_id: planId,
      pricing_id: pricingId,
      country_code: 'US',
      user_firstname: 'Ada',
      cart: false,
      ...body,
    },
  })
  assert.ok(json.id, text)
  return json
}

const inSandbox = async (body: object) =>
  open({ ...(await sandboxProof(app.ctx, app.seller.product.id)), ...body })

/** What becomes of it: `paid`, or the code of the refusal. */
async function pays({ id }: { readonly id: string }, body: object = {}): Promise<string> {
  const { json } = await app.call('POST', `/checkout/sessions/${id}/pay.json`, { token: null, body })
  return json.error?.code ?? json.state
}

const shown = async ({ id }: { readonly id: string }) =>
  (await app.call('GET', `${base()}/coupons/${id}.json`)).json.redemptions

let people = 0
const typed = () => ({ user_email: `typed${++people}@example.com` })

test('what a sandbox redeems leaves a coupon with a limit as it is live, and the other way round', async () => {
  const coupon = await couponOf('TWO', { redemptions_limit: 2 })
  const bodies = Array.from({ length: 4 }, () => ({ coupon: coupon.code, ...typed() }))
  const sandbox = await Promise.all(bodies.map(inSandbox))
  const become = await Promise.all(sandbox.map((session) => pays(session)))
  assert.deepEqual(become.toSorted(), ['coupon_used_up', 'coupon_used_up', 'paid', 'paid'])
  assert.equal(await shown(coupon), 0, 'what is shown is live')
  const told = await inSandbox({ coupon: coupon.code, ...typed() })
  assert.equal(told.discount.reason, 'coupon_used_up')
  const live = await Promise.all(Array.from({ length: 4 }, () => open({ coupon: coupon.code, ...typed() })))
  assert.deepEqual(
    live.map(({ discount }) => discount.applies),
    [true, true, true, true],
  )
  const bought = await Promise.all(live.map((session) => pays(session)))
  assert.deepEqual(bought.toSorted(), ['coupon_used_up', 'coupon_used_up', 'paid', 'paid'])
  assert.equal(await shown(coupon), 2)
  const other = await couponOf('ONE', { redemptions_limit: 1 })
  assert.equal(await pays(await open({ coupon: other.code, ...typed() })), 'paid')
  assert.equal(await pays(await inSandbox({ coupon: other.code, ...typed() })), 'paid')
})

test('what is not paid in a sandbox gives its redemption back to the sandbox', async () => {
  const coupon = await couponOf('BACK', { redemptions_limit: 1, discount: 50 })
  const session = await inSandbox({ coupon: coupon.code, ...typed() })
  assert.equal(await pays(session, { payment_token: 'test_declined' }), 'payment_declined')
  assert.equal(await pays(session, { payment_token: 'test_succeeds' }), 'paid')
  assert.equal(await pays(await inSandbox({ coupon: coupon.code, ...typed() })), 'coupon_used_up')
  assert.equal(await shown(coupon), 0)
})

test('who has used a coupon in a sandbox, or somebody for them, uses it once live too, and no more there', async () => {
  const coupon = await couponOf('MINE', { is_one_per_user: true })
  const half = await couponOf('HALF', { is_one_per_user: true, discount: 50 })
  const email = 'known@example.com'
  await userOf(app, email)
  for (const [{ code }, body] of [
    [coupon, {}],
    [half, { payment_token: 'test_succeeds' }],
  ] as const) {
    assert.equal(await pays(await inSandbox({ coupon: code, user_email: email }), body), 'paid')
    const again = await inSandbox({ coupon: code, ...(await proofOf(app, email)) })
    if (code === half.code) assert.equal(again.discount.reason, 'coupon_already_used')
    const live = await open({ coupon: code, ...(await proofOf(app, email)) })
    assert.equal(live.discount.applies, true, code)
  }
  await app.call('PUT', `${base()}/coupons/${half.id}.json`, { body: { discount: 100 } })
  for (const { id, code } of [coupon, half]) {
    assert.equal(await pays(await open({ coupon: code, ...(await proofOf(app, email)) })), 'paid', code)
    assert.equal(await shown({ id }), 1, code)
  }
  const twice = await open({ coupon: coupon.code, ...(await proofOf(app, email)) })
  assert.equal(twice.discount.reason, 'coupon_already_used')
  assert.equal(await shown(coupon), 1)
  assert.equal(
    await pays(await inSandbox({ coupon: coupon.code, ...(await proofOf(app, email)) })),
    'paid',
    'a gift of the sandbox gives way there, as it does live',
  )
})

for (const [what, more] of Object.entries({
  'that one has once': { is_one_per_user: true },
  'for a first purchase': { user_type: 'new' },
})) {
  test(`a payment that waits in a sandbox keeps a coupon ${what} from nobody who buys live`, async () => {
    const coupon = await couponOf(`WAITS${++people}`, { ...more, discount: 50 })
    const email = `waits${people}@example.com`
    const session = await inSandbox({ coupon: coupon.code, user_email: email })
    const waits = { payment_token: 'test_needs_confirmation', return_url: 'https://shop.example/back' }
    assert.equal(await pays(session, waits), 'pending')
    await app.call('PUT', `${base()}/coupons/${coupon.id}.json`, { body: { discount: 100 } })
    assert.equal(await pays(await open({ coupon: coupon.code, user_email: email })), 'paid')
    assert.equal(await pays(session), 'paid')
    assert.equal(await shown(coupon), 1)
  })
}
