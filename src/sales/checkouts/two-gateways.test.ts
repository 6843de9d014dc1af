import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { startAsking } from '../../../test/paypal/asking.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { startStripe } from '../../../test/stripe/server.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { stripeGateway } from '../../gateways/stripe/gateway.ts'
import { MINUTE } from '../../lib/time.ts'

const [stripe, wallets] = [await startStripe(), await startAsking()]
let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('two_gateways')
  const cards = stripeGateway(stripe.config, { timeoutMs: 10_000, retries: 0 })
  Object.assign(app.ctx, { gateways: [cards, wallets.gateway] })
  wallets.books.now = () => app.ctx.clock.real()
  shop = await changeShop(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(async () => {
  stripe.close()
  wallets.paypal.close()
  await app.close()
})

const CARD = { payment_token: 'pm_card_visa', gateway: 'stripe' } as const
const WALLET = { payment_token: 'wallet_paid', gateway: 'paypal' } as const
type Paying = typeof CARD | typeof WALLET
const UPDATE = { is_payment_method_update: true }

let people = 0

/** A month of `basic`, paid through one of both. */
async function bought(by: Paying) {
  const who = { user_email: `two${++people}@example.com`, user_firstname: 'Ada', country_code: 'us' }
  const what = { plan_id: shop.plans.basic, billing_cycle: 'monthly' }
  const { json: session } = await shop.open({ ...shop.sandbox(), ...who, ...what })
  const { json, text } = await shop.pay(session.id, null, by)
  assert.equal(json.state, 'paid', text)
  return json.license_id as string
}

const gatewaysOf = async (license: string) => (await shop.paymentsOf(license)).map(({ gateway }) => gateway)
const lastOf = async (license: string) => (await shop.subscriptionsOf(license)).at(-1)

async function renewed(months = 1): Promise<void> {
  app.ctx.clock.set(Date.UTC(2026, months, months === 1 ? 28 : 31, 10))
  await renewNow(app)
}

test('a checkout says which gateways its buyer may choose, as its product takes them', async () => {
  const opened = async () => {
    const { json } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, country_code: 'us' })
    const codes = json.other_payments.map(({ gateway }: { gateway: string }) => gateway)
    return [json.payment.gateway, ...codes]
  }
  const accept = (accepted: 0 | 1 | 2) =>
    app.write(({ db }) => db.updateTable('products').set({ accepted_payments: accepted }).execute())
  assert.deepEqual(await opened(), ['stripe', 'paypal'])
  await accept(1)
  assert.deepEqual(await opened(), ['paypal'])
  await accept(2)
  assert.deepEqual(await opened(), ['stripe'])
  await accept(0)
})

test('the test gateway is not offered beside one in whose place it is', async () => {
  const { gateways } = app.ctx
  Object.assign(app.ctx, { gateways: [...gateways, { ...gateways[0], code: 'test', byKey: undefined }] })
  const { json } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, country_code: 'us' })
  assert.deepEqual(
    json.other_payments.map(({ gateway, methods }: Record<string, unknown>) => [gateway, methods]),
    [['paypal', ['paypal']]],
  )
  Object.assign(app.ctx, { gateways })
})

test('each purchase goes through the gateway that its buyer chose, and its renewals stay with it', async () => {
  const [byCard, byWallet] = [await bought(CARD), await bought(WALLET)]
  await renewed()
  assert.deepEqual(
    [await gatewaysOf(byCard), await gatewaysOf(byWallet)],
    [
      ['stripe', 'stripe'],
      ['paypal', 'paypal'],
    ],
  )
  for (const [gateway, license] of [
    ['stripe', byCard],
    ['paypal', byWallet],
  ] as const) {
    const { subscriptions } = await shop.get(`/subscriptions.json?gateway=${gateway}`)
    assert.deepEqual(
      subscriptions.map(({ license_id: id, gateway: of }: Record<string, string>) => [id, of]),
      [[license, gateway]],
    )
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

test('another method of payment moves a subscription to the other gateway, there and back', async () => {
  const license = await bought(CARD)
  for (const by of [WALLET, CARD]) {
    const { json: session } = await shop.openFor(license, UPDATE, UPDATE)
    const { json, text } = await shop.pay(session.id, null, by)
    assert.equal(json.state, 'paid', text)
    assert.equal((await lastOf(license))?.gateway, by.gateway)
    const active = (await shop.subscriptionsOf(license)).filter(({ canceled_at: end }) => end === null)
    assert.equal(active.length, 1)
    if (by === WALLET) await renewed()
  }
  await renewed(2)
  assert.deepEqual(await gatewaysOf(license), ['stripe', 'paypal', 'stripe'])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('while one gateway does not answer, the other one sells and renews', async () => {
  const [byCard, byWallet] = [await bought(CARD), await bought(WALLET)]
  stripe.faults.push(...Array<number>(50).fill(503))
  await bought(WALLET)
  await renewed()
  assert.deepEqual([await gatewaysOf(byCard), await gatewaysOf(byWallet)], [['stripe'], ['paypal', 'paypal']])
  stripe.faults.length = 0
  app.ctx.clock.advance(10 * MINUTE)
  wallets.paypal.faults.push(...Array<number>(50).fill(503))
  await bought(CARD)
  wallets.paypal.faults.length = 0
})
