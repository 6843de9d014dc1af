import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout, proofOf, sandboxProof } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { payCheckout } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('purchase_races')
})
after(() => app.close())

const range = (length: number) => Array.from({ length }, (_, n) => n)

async function coupon(code: string, more: object) {
  const body = { code, discount: 50, discount_type: 'percentage', ...more }
  const { json, text, status } = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, {
    body,
  })
  assert.equal(status, 201, text)
  return { id: Number(json.id), code }
}

const open = (pricingId: number, email: string, code?: string) =>
  app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email, ...(code && { coupon: code }) }),
  )

/** How often a coupon was counted as redeemed, and by rows. */
async function redeemed(id: number): Promise<[counted: number, rows: number]> {
  const { db } = app.ctx
  return [
    (await redemptionsOf(app, id)).sandbox,
    (await db.selectFrom('coupon_redemptions').select('id').where('coupon_id', '=', id).execute()).length,
  ]
}

/** How many of the answers were what. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const { json } of replies) {
    const what: string = json.error?.code ?? json.state
    found[what] = (found[what] ?? 0) + 1
  }
  return found
}

test('R02: of two hundred purchases at once ten have a coupon of ten redemptions, and none that was declined', async () => {
  const { id, code } = await coupon('TEN', { redemptions_limit: 10 })
  const { pricingId } = await offerFor(app, 1)
  const checkouts = await app.write(async (tx) => {
    const opened: string[] = []
    for (const n of range(200)) {
      const buyer = { pricingId, email: `race${n}@example.com`, coupon: code }
      opened.push(await openSandboxCheckout(tx, scopeOf(app), buyer))
    }
    return opened
  })
  const paying = checkouts.map((token, n) =>
    payCheckout(app, token, n % 40 === 0 ? 'test_declined' : 'test_succeeds'),
  )
  const {
    paid = 0,
    coupon_used_up: refused = 0,
    payment_declined: declined = 0,
  } = tally(await Promise.all(paying))
  assert.equal(paid + refused + declined, 200)
  assert.ok(paid <= 10 && paid >= 10 - declined, `${paid} paid, ${declined} declined`)
  assert.deepEqual(await redeemed(id), [paid, paid])
  const again = await Promise.all(
    checkouts.slice(1, 20).map((token) => payCheckout(app, token, 'test_succeeds')),
  )
  assert.ok((tally(again)['paid'] ?? 0) >= 10 - paid)
  assert.deepEqual(await redeemed(id), [10, 10])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('R02: one buyer has a coupon that is one per user once, in however many purchases at once', async () => {
  const { id, code } = await coupon('ONCE', { is_one_per_user: true })
  const offers = await Promise.all(range(12).map(() => offerFor(app, 1)))
  const checkouts = await Promise.all(
    offers.map(({ pricingId }) => open(pricingId, 'greedy@example.com', code)),
  )
  const replies = await Promise.all(checkouts.map((token) => payCheckout(app, token, 'test_succeeds')))
  assert.deepEqual(tally(replies), { paid: 1, coupon_not_applicable: 11 })
  assert.deepEqual(await redeemed(id), [1, 1])
})

test('R03: one Idempotency-Key pays once however often at once, answers the same after it, and no other body', async () => {
  const { pricingId } = await offerFor(app, 1)
  const token = await open(pricingId, 'once@example.com')
  const pay = (payment_token: string) =>
    app.call('POST', `/checkout/sessions/${token}/pay.json`, {
      token: null,
      headers: { 'idempotency-key': 'pay-once' },
      body: { payment_token },
    })
  const replies = await Promise.all(range(50).map(() => pay('test_succeeds')))
  const statuses = replies.map(({ status }) => status)
  assert.ok(statuses.includes(200), statuses.join())
  assert.ok(
    replies.every(({ status, json }) => status === 200 || json.error.code === 'idempotency_in_flight'),
    statuses.join(),
  )
  const first = replies.find(({ status }) => status === 200)
  assert.deepEqual((await pay('test_succeeds')).json, first?.json)
  assert.equal((await pay('test_declined')).json.error.code, 'idempotency_key_reused')
  const bought = await app.ctx.db
    .selectFrom('payments')
    .select('id')
    .where('pricing_id', '=', pricingId)
    .execute()
  assert.equal(bought.length, 1)
})

/** What a sum of their redemptions says that all of them took. */
async function redeemedOf(ids: readonly number[]): Promise<[counted: number, rows: number]> {
  const found = await Promise.all(ids.map(redeemed))
  return [found.reduce((sum, [n]) => sum + n, 0), found.reduce((sum, [, n]) => sum + n, 0)]
}

test('R02: a new buyer has one coupon for new buyers, in however many purchases with however many of them at once', async () => {
  const coupons = [
    await coupon('NEW1', { user_type: 'new' }),
    await coupon('NEW2', { user_type: 'new', discount: 20 }),
  ]
  const ids = coupons.map(({ id }) => id)
  const offers = await Promise.all(range(16).map(() => offerFor(app, 1)))
  for (const round of range(3)) {
    const written = [`new${round}@example.com`, `New${round}@EXAMPLE.com`, `NEW${round}@example.com`]
    const checkouts = await Promise.all(
      offers.map(({ pricingId }, n) => open(pricingId, written[n % 3] ?? '', coupons[n % 2]?.code)),
    )
    const plain = await open(offers[0]?.pricingId ?? 0, `other${round}@example.com`, coupons[0]?.code)
    const paying = [...checkouts, plain].map((token) => payCheckout(app, token, 'test_succeeds'))
    const replies = await Promise.all(paying)
    assert.equal(replies.pop()?.json.state, 'paid')
    assert.deepEqual(tally(replies), { paid: 1, coupon_not_applicable: 15 })
    const later = await Promise.all(checkouts.map((token) => payCheckout(app, token, 'test_succeeds')))
    assert.deepEqual(tally(later), { paid: 1, coupon_not_applicable: 15 })
    assert.deepEqual(await redeemedOf(ids), [2 * round + 2, 2 * round + 2])
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

/** A checkout of who has proven to have the address, ready to be paid. */
async function openProven(pricingId: number, email: string, code: string): Promise<string> {
  const product = await sandboxProof(app.ctx, app.seller.product.id)
  const body = { ...product, pricing_id: pricingId, country_code: 'US', coupon: code, cart: false }
  const proven = { ...body, ...(await proofOf(app, email)) }
  const { json, text } = await app.call('POST', '/checkout/sessions.json', { token: null, body: proven })
  assert.ok(json.id, text)
  return json.id
}

for (const [what, more] of Object.entries({
  'is one per user': { is_one_per_user: true },
  'is for new buyers': { user_type: 'new' },
})) {
  test(`R02: a coupon that ${what} is used once, by its owner and by strangers who typed the address at once`, async () => {
    const offers = await Promise.all(range(16).map(() => offerFor(app, 1)))
    for (const round of range(3)) {
      const { id, code } = await coupon(`BOTH${round}${what.length}`, more)
      const email = `both${round}${what.length}@example.com`
      const body = { email, name: 'Bo Th' }
      const made = await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
      assert.equal(made.status, 200, made.text)
      const checkouts: string[] = []
      for (const [n, { pricingId }] of offers.entries()) {
        checkouts.push(await (n % 2 === 0 ? open : openProven)(pricingId, email, code))
      }
      const replies = await Promise.all(checkouts.map((token) => payCheckout(app, token, 'test_succeeds')))
      const { paid = 0, coupon_not_applicable: refused = 0, coupon_already_used: used = 0 } = tally(replies)
      assert.deepEqual([paid, refused + used], [1, 15], JSON.stringify(tally(replies)))
      assert.deepEqual(await redeemed(id), [1, 1])
      const payments = await app.ctx.db
        .selectFrom('payments')
        .select('id')
        .where('coupon_id', '=', id)
        .execute()
      assert.equal(payments.length, 1)
    }
    assert.deepEqual(await ledgerFaults(app), [])
  })
}

test('R02: who was brought along has one coupon for the migrated, in however many purchases at once', async () => {
  const { id, code } = await coupon('MOVED', { user_type: 'migrated' })
  const email = 'moved@example.com'
  const body = { email, name: 'Mo Ved', is_migration: true, is_verified: true, source: 'edd' }
  const made = await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
  assert.equal(made.status, 200, made.text)
  const offers = await Promise.all(range(8).map(() => offerFor(app, 1)))
  const checkouts = await Promise.all(offers.map(({ pricingId }) => open(pricingId, email, code)))
  const replies = await Promise.all(checkouts.map((token) => payCheckout(app, token, 'test_succeeds')))
  assert.deepEqual(tally(replies), { paid: 1, coupon_not_applicable: 7 })
  assert.deepEqual(await redeemed(id), [1, 1])
})

test('a coupon for new buyers stays with the purchase that is paid, and is free again when that is declined', async () => {
  const { id, code } = await coupon('AGAIN', { user_type: 'new' })
  const email = 'again@example.com'
  const offers = await Promise.all(range(3).map(() => offerFor(app, 1)))
  const [declined = '', waiting = '', other = ''] = await Promise.all(
    offers.map(({ pricingId }) => open(pricingId, email, code)),
  )
  assert.equal((await payCheckout(app, declined, 'test_declined')).json.error.code, 'payment_declined')
  assert.deepEqual(await redeemed(id), [0, 0])
  assert.equal((await payCheckout(app, waiting, 'test_needs_confirmation')).json.state, 'pending')
  for (const token of [declined, other]) {
    const { json } = await payCheckout(app, token, 'test_succeeds')
    assert.equal(json.error?.code, 'coupon_not_applicable')
  }
  assert.equal((await payCheckout(app, waiting, 'test_declined')).json.error.code, 'payment_declined')
  assert.equal((await payCheckout(app, other, 'test_succeeds')).json.state, 'paid')
  assert.deepEqual(await redeemed(id), [1, 1])
})
