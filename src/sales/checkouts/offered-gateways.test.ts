import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { startAsking } from '../../../test/paypal/asking.ts'
import { startStripe } from '../../../test/stripe/server.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { stripeGateway } from '../../gateways/stripe/gateway.ts'
import type { Offered } from '../../lib/offered-settings.ts'

const [stripe, wallets] = [await startStripe(), await startAsking()]
const cards = stripeGateway(stripe.config, { timeoutMs: 10_000, retries: 0 })
let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('offered_gateways')
  wallets.books.now = () => app.ctx.clock.real()
  shop = await changeShop(app)
})
beforeEach(() => {
  app.ctx.clock.set(START)
  offer({})
})
after(async () => {
  stripe.close()
  wallets.paypal.close()
  await app.close()
})

/** To whom each is offered from now on. */
function offer(to: { readonly cards?: Offered; readonly wallet?: Offered }): void {
  const gateways = [
    { ...cards, offered: to.cards },
    { ...wallets.gateway, offered: to.wallet },
  ]
  Object.assign(app.ctx, { gateways })
}

const CARD = { payment_token: 'pm_card_visa', gateway: 'stripe' } as const
const WALLET = { payment_token: 'wallet_paid', gateway: 'paypal' } as const

let people = 0
const opened = async (more: object = {}) => {
  const who = { user_email: `offered${++people}@example.com`, user_firstname: 'Ada', country_code: 'us' }
  const { json } = await shop.open({ ...shop.sandbox(), ...who, plan_id: shop.plans.basic, ...more })
  return json
}

interface Form {
  readonly gateway: string
}
/** Which gateways a checkout offers, the one of its own choice first. */
const offeredBy = ({ payment, other_payments: others }: { payment: Form | null; other_payments: Form[] }) =>
  [payment, ...others].map((form) => form?.gateway ?? null)

test('a gateway of some countries is offered to buyers there, and to who has not said where', async () => {
  offer({ cards: { countries: ['US'] }, wallet: { countries: ['DE', 'US'] } })
  const session = await opened()
  assert.deepEqual(offeredBy(session), ['stripe', 'paypal'])
  const moved = async (country_code: string) =>
    offeredBy((await shop.call('PUT', `/${session.id}.json`, { country_code })).json)
  assert.deepEqual(await moved('de'), ['paypal'])
  assert.deepEqual(await moved('fr'), [null])
  assert.deepEqual(await moved('us'), ['stripe', 'paypal'])
  assert.deepEqual(offeredBy(await opened({ country_code: undefined })), ['stripe', 'paypal'])
})

test('a gateway of some currencies is offered for what is paid in them', async () => {
  offer({ cards: { currencies: ['usd'] }, wallet: { currencies: ['eur', 'gbp'] } })
  assert.deepEqual(offeredBy(await opened()), ['stripe'])
  assert.deepEqual(offeredBy(await opened({ currency: 'eur' })), ['paypal'])
})

test('a payment by a gateway that is not offered to the buyer is refused, and nothing is asked for', async () => {
  const asked = () => [stripe.asked.length, wallets.paypal.asked.length]
  const refused = async (session: { id: string }, by: object) => {
    const { status, json } = await shop.pay(session.id, null, by)
    assert.deepEqual([status, json.error?.code ?? json.code], [400, 'gateway_not_configured'])
  }
  offer({ cards: { countries: ['US'] }, wallet: { currencies: ['usd'] } })
  const before = asked()
  await refused(await opened({ country_code: 'br' }), CARD)
  await refused(await opened({ currency: 'eur' }), WALLET)
  await refused(await opened({ currency: 'eur', country_code: 'br' }), { payment_token: 'pm_card_visa' })
  assert.deepEqual(asked(), before)
  const { json } = await shop.pay((await opened({ country_code: 'br' })).id, null, WALLET)
  assert.equal(json.state, 'paid')
})

test('without a name the first gateway that is offered takes it', async () => {
  offer({ cards: { countries: ['DE'] } })
  const { json } = await shop.pay((await opened()).id, 'wallet_paid')
  assert.equal(json.state, 'paid')
  const [{ gateway } = assert.fail()] = await shop.paymentsOf(json.license_id)
  assert.equal(gateway, 'paypal')
})

test('what was bought is renewed through its gateway, to whomever that is offered since', async () => {
  const { json } = await shop.pay((await opened({ billing_cycle: 'monthly' })).id, null, CARD)
  offer({ cards: { countries: ['DE'], currencies: ['eur'] } })
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  const payments = await shop.paymentsOf(json.license_id)
  assert.deepEqual(
    payments.map(({ gateway }) => gateway),
    ['stripe', 'stripe'],
  )
})

test('the test gateway does not stand in for one in whose place it is, where that is not offered', async () => {
  offer({ cards: { countries: ['DE'] }, wallet: { countries: ['DE'] } })
  const stands = { ...cards, code: 'test', byKey: undefined, offered: undefined }
  Object.assign(app.ctx, { gateways: [...app.ctx.gateways, stands] })
  assert.deepEqual(offeredBy(await opened()), [null])
})
