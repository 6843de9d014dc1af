import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_changes')
  shop = await changeShop(app)
  const half = { code: 'HALF', discount: 50, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: half })).status, 201)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const amounts = (session: { quote: { lines: { kind: string; amount: number }[] } }) =>
  Object.fromEntries(session.quote.lines.map(({ kind, amount }) => [kind, amount]))

/** By hand: a year from 31 January has 365 days, the month to 28 February 28. */
const CHANGES: readonly {
  readonly name: string
  readonly has: object
  readonly days: number
  readonly wants: object
  readonly lines: object
  readonly rule: string
  readonly next: string | null
  readonly unused?: number
}[] = [
  {
    name: 'a dearer plan after 73 of 365 days: 100 × 292 / 365 = 80 is off 200',
    has: {},
    days: 73,
    wants: { plan: 'pro' },
    lines: { price: 200, proration: -80, tax: 0 },
    rule: 'unused_days 292/365',
    next: '2027-04-14 10:00:00',
  },
  {
    name: 'a coupon of a half comes last, and takes 60 off the 120 that are left of 200',
    has: {},
    days: 73,
    wants: { plan: 'pro', coupon: 'HALF' },
    lines: { price: 200, proration: -80, coupon: -60, tax: 0 },
    rule: 'unused_days 292/365',
    next: '2027-04-14 10:00:00',
  },
  {
    name: 'a year in the place of a month after 7 of 28 days: 10 × 21 / 28 = 7.50 is off 100',
    has: { billing_cycle: 'monthly' },
    days: 7,
    wants: { billing_cycle: 'annual' },
    lines: { price: 100, proration: -7.5, tax: 0 },
    rule: 'unused_days 21/28',
    next: '2027-02-07 10:00:00',
  },
  {
    name: 'a cheaper plan after 146 of 365 days: of 200 × 219 / 365 = 120 what is over 100 is not paid out',
    has: { plan: 'pro' },
    days: 146,
    wants: { plan: 'basic' },
    lines: { price: 100, proration: -100, tax: 0 },
    rule: 'unused_days 219/365',
    next: '2027-06-26 10:00:00',
    unused: 20,
  },
  {
    name: 'five licenses in the place of one after 73 days: 200 × 292 / 365 = 160 is off 800',
    has: { plan: 'pro' },
    days: 73,
    wants: { plan: 'pro', licenses: '5' },
    lines: { price: 800, proration: -160, tax: 0 },
    rule: 'unused_days 292/365',
    next: '2027-04-14 10:00:00',
  },
  {
    name: 'a lifetime in the place of a year after 73 days: 80 is off 300',
    has: {},
    days: 73,
    wants: { billing_cycle: 'lifetime' },
    lines: { price: 300, proration: -80, tax: 0 },
    rule: 'unused_days 292/365',
    next: null,
  },
  {
    name: 'a lifetime in the place of a lifetime: all of 300 is off 500',
    has: { billing_cycle: 'lifetime' },
    days: 100,
    wants: { plan: 'pro' },
    lines: { price: 500, proration: -300, tax: 0 },
    rule: 'lifetime_credit null/null',
    next: null,
  },
  {
    name: 'another currency after 73 days: 80 of 100 dollars are 72 of the 90 euros of the same, off 180',
    has: {},
    days: 73,
    wants: { plan: 'pro', currency: 'eur' },
    lines: { price: 180, proration: -72, tax: 0 },
    rule: 'unused_days 292/365',
    next: '2027-04-14 10:00:00',
  },
]

interface Wanted {
  readonly plan?: 'basic' | 'pro'
  readonly licenses?: string
  readonly billing_cycle?: string
}
const body = ({ plan, ...more }: Wanted) => ({
  ...(plan && { plan_id: shop.plans[plan] }),
  ...more,
})

for (const { name, has, days, wants, lines, rule, next, unused = 0 } of CHANGES) {
  test(`a change is told line by line, and is what it was told: ${name}`, async () => {
    const bought = await shop.buy(body(has))
    app.ctx.clock.advance(days * DAY)
    const { json: session, text } = await shop.openFor(bought.id, body(wants))
    assert.deepEqual(amounts(session), lines, text)
    const line = session.quote.lines.find(({ kind }: { kind: string }) => kind === 'proration')
    assert.equal(`${line.rule} ${line.days_left}/${line.days}`, rule)
    const isOnce = (has as { billing_cycle?: string }).billing_cycle === 'lifetime'
    assert.deepEqual(
      [session.action, session.change.kind, session.change.unused_credit, session.change.subscription],
      ['license_update', 'upgrade', unused, isOnce ? 'none' : 'replaced'],
    )
    assert.equal(session.renewal?.at ?? null, next)
    const { json: paid, text: answer } = await shop.pay(
      session.id,
      session.quote.total === 0 ? null : undefined,
    )
    assert.equal(paid.state, 'paid', answer)
    assert.equal(paid.license_id, bought.id)
    assert.deepEqual([paid.payment.gross, paid.payment.vat], [session.quote.total, 0])
    const license = await shop.licenseOf(bought.id)
    assert.deepEqual(
      [license.plan_id, license.pricing_id, license.quota, license.expiration],
      [session.plan.id, session.pricing_id, session.licenses, session.change.expiration],
    )
    const subscriptions = await shop.subscriptionsOf(bought.id)
    const active = subscriptions.filter(({ canceled_at: at }) => at === null)
    assert.deepEqual(
      active.map(({ next_payment, amount_per_cycle, currency }) => [
        next_payment,
        amount_per_cycle,
        currency,
      ]),
      next === null ? [] : [[next, session.renewal.gross * 100, session.currency]],
    )
    const discounts = await app.ctx.db
      .selectFrom('discounts')
      .selectAll()
      .where('entity_id', '=', Number(paid.payment.id))
      .where('entity_type', '=', 'payment')
      .execute()
    assert.deepEqual(
      discounts.map(({ type, discount }) => [type, discount]),
      [['prorate', line.amount * -100]],
    )
  })
}

test('a lifetime counts towards another one within the days of the product, and always where they are over 30', async () => {
  const credited = async (days: number | null, after: number) => {
    app.ctx.clock.set(START)
    const own = await asDeveloper(app)
    const set = await own('PUT', `${shop.base}.json`, { lifetime_license_proration_days: days })
    assert.equal(set.status, 200, set.text)
    const bought = await shop.buy(body({ billing_cycle: 'lifetime' }))
    app.ctx.clock.advance(after * DAY)
    const { json, text } = await shop.openFor(bought.id, body({ plan: 'pro' }))
    assert.equal(json.state, 'open', text)
    return amounts(json)['proration'] ?? 0
  }
  assert.deepEqual(
    [await credited(10, 9), await credited(10, 10), await credited(30, 30), await credited(0, 0)],
    [-300, 0, 0, 0],
  )
  assert.deepEqual([await credited(31, 100), await credited(null, 100)], [-300, -300])
})

test('an upgrade records what it changed, once, and the plan of the installs with it', async () => {
  const bought = await shop.buy()
  const activated = await app.call('POST', `${shop.base}/licenses/activate.json`, {
    token: null,
    body: { uid: 'u'.repeat(32), license_key: bought.key, url: 'https://site.example' },
  })
  assert.equal(activated.status, 200, activated.text)
  const before = await shop.eventsOf(bought.id)
  const { json: session } = await shop.openFor(bought.id, body({ plan: 'pro', licenses: '5' }))
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.deepEqual((await shop.eventsOf(bought.id)).slice(before.length), [
    'subscription.cancelled',
    'license.plan.changed',
    'license.quota.changed',
    'license.activated',
    'install.plan.changed',
    'subscription.created',
    'payment.created',
  ])
  const install = await shop.get(`/installs/${activated.json.install_id}.json`)
  assert.equal(install.plan_id, shop.plans.pro)
  assert.equal((await shop.pay(session.id)).json.payment.gross, session.quote.total)
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
})

test('what an upgrade costs nothing for is renewed by the method of payment that there was', async () => {
  const bought = await shop.buy(body({ plan: 'pro' }))
  const { json: session } = await shop.openFor(bought.id, body({ plan: 'basic' }))
  const { json: paid } = await shop.pay(session.id, null)
  assert.deepEqual([paid.payment.gross, paid.payment.gateway], [0, null])
  const [old, active] = await shop.subscriptionsOf(bought.id)
  assert.ok(old?.payment_method_id)
  assert.deepEqual([active?.payment_method_id, active?.gateway], [old.payment_method_id, 'test'])
})

test('a manual renewal adds a period to the paid time, at the price of the subscription', async () => {
  const bought = await shop.buy()
  app.ctx.clock.advance(300 * DAY)
  const { json: session } = await shop.openFor(bought.id)
  const price = session.quote.lines[0]
  assert.deepEqual(
    [session.change.kind, price.amount, price.rule, session.renewal.at, session.change.expiration],
    ['renewal', 100, 'subscription_price', '2028-01-31 10:00:00', '2028-02-01 10:00:00'],
  )
  const { json: paid, text } = await shop.pay(session.id)
  assert.equal(paid.state, 'paid', text)
  assert.equal(paid.payment.is_renewal, true)
  const [old, active] = await shop.subscriptionsOf(bought.id)
  assert.ok(old?.canceled_at)
  assert.deepEqual(
    [active?.period_start, active?.next_payment, active?.canceled_at],
    ['2027-01-31 10:00:00', '2028-01-31 10:00:00', null],
  )
  assert.equal((await shop.licenseOf(bought.id)).expiration, '2028-02-01 10:00:00')
  app.ctx.clock.advance(30 * DAY)
  const { json: upgrade } = await shop.openFor(bought.id, body({ plan: 'pro' }))
  // 330 of 365 days are over: 100 × 35 / 365 = 9.59, and all 100 of the year after it.
  assert.deepEqual(amounts(upgrade), { price: 200, proration: -109.59, tax: 0 })
})

test('a license that lapsed is renewed from today, and works again', async () => {
  const bought = await shop.buy()
  await app.call('DELETE', `${shop.base}/licenses/${bought.id}/subscription.json`)
  app.ctx.clock.advance(400 * DAY)
  const { json: session } = await shop.open({ license_key: bought.key, country_code: 'us' })
  assert.deepEqual(
    [session.change.kind, session.change.subscription, session.renewal.at],
    ['renewal', 'none', '2028-03-07 10:00:00'],
  )
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.equal((await shop.licenseOf(bought.id)).expiration, '2028-03-08 10:00:00')
  assert.equal((await shop.subscriptionOf(bought.id)).next_payment, '2028-03-07 10:00:00')
})

test('a renewal never ends a license earlier than it ends', async () => {
  const bought = await shop.buy()
  const far = '2040-01-01 00:00:00'
  await app.call('PUT', `${shop.base}/licenses/${bought.id}.json`, { body: { expiration: far } })
  const { json: session } = await shop.openFor(bought.id)
  assert.equal(session.change.expiration, far)
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.equal((await shop.licenseOf(bought.id)).expiration, far)
})
