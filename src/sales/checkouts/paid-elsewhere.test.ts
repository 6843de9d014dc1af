import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { userOf } from '../../../test/licenses.ts'
import { lateShop, ONCE, TWICE, type LateShop } from '../../../test/paid-late.ts'
import { payCheckout } from '../../../test/reports.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { lookAgain } from '../charges/look-again.ts'

let shop: LateShop
let app: TestApp
let stripe: LateShop['stripe']
before(async () => {
  shop = await lateShop('paid_elsewhere')
  ;({ app, stripe } = shop)
})
beforeEach(() => shop.reset())
after(() => shop.close())

const ofSite = (token: string, install_id: number) => shop.changed(token, { install_id })

test('what was let go and is paid after all is given back once its buyer has bought the same in another checkout', async () => {
  const email = shop.someone()
  let license = ''
  await shop.paidLate(await shop.open(email), async () => {
    license = (await shop.paid(await shop.open(email))).json.license_id
  })
  assert.deepEqual(await shop.endedWith(email), ONCE)
  const given = [...stripe.api.refunds.values()].at(-1)
  assert.equal(given?.payment_intent, [...stripe.api.intents.values()].at(-1).id)
  const late = await app.ctx.db
    .selectFrom('payments')
    .select('license_id')
    .where('external_id', '=', given?.payment_intent)
    .where('type', '=', 'payment')
    .executeTakeFirstOrThrow()
  assert.equal(late.license_id, Number(license))
})

/** What happens while the charge of an address is on its way, and what the address has in the end. */
const MEANWHILE: Readonly<Record<string, readonly [(email: string) => Promise<unknown>, typeof ONCE]>> = {
  'its buyer has bought the same with a proof': [
    async (email) => shop.paid(await shop.openProven(email)),
    ONCE,
  ],
  'its buyer has bought the same from the site': [
    async (email) => shop.paid(await ofSite(await shop.open(email), 1)),
    ONCE,
  ],
  'its buyer has bought the same from another site': [
    async (email) => shop.paid(await ofSite(await shop.open(email), 2)),
    TWICE,
  ],
  'another buyer has bought the same': [async () => shop.paid(await shop.open(shop.someone())), [1, 1, 1]],
  'its buyer has bought at another price': [
    async (email) => shop.paid(await shop.open(email, shop.other.pricingId)),
    TWICE,
  ],
  'its buyer was declined elsewhere': [
    async (email) => payCheckout(app, await shop.open(email), 'pm_card_chargeDeclined'),
    [1, 1, 1],
  ],
}

for (const [what, [meanwhile, end]] of Object.entries(MEANWHILE)) {
  const became = end === ONCE ? 'given back' : 'bought'
  test(`what was let go and is paid after all is ${became} where ${what}`, async () => {
    const email = shop.someone()
    await userOf(app, email)
    await shop.paidLate(await ofSite(await shop.open(email), 1), () => meanwhile(email))
    assert.deepEqual(await shop.endedWith(email), end)
  })
}

for (const field of ['pricing_id', 'billing_cycle'] as const) {
  for (const [who, opened, end] of [
    ['typed', 'open', [0, 0, 0]],
    ['proven', 'openProven', [0, 1, 0]],
  ] as const) {
    test(`what was let go and is paid after all buys nothing at another ${field}, which its checkout has by then, its buyer being ${who}`, async () => {
      const email = shop.someone()
      await userOf(app, email)
      const token = await shop[opened](email)
      const { planId: plan_id, pricingId: pricing_id } = shop.other
      const change = field === 'pricing_id' ? { plan_id, pricing_id } : { billing_cycle: 1 as const }
      await shop.paidLate(token, () => shop.changed(token, change))
      assert.deepEqual(await shop.endedWith(email), end)
      const given = [...stripe.api.refunds.values()].at(-1)
      assert.equal(given?.payment_intent, [...stripe.api.intents.values()].at(-1).id)
      assert.equal(await shop.stateOf(token), undefined)
      const booked = await paymentsAt(given?.payment_intent)
      const sold = booked.map((one) => [one.plan_id, one.pricing_id, one.billing_cycle, one.refund_reason])
      const own = [shop.planId, shop.pricingId, 12]
      const reason = 'Its checkout was about another price or cycle by then.'
      assert.deepEqual(
        sold,
        who === 'typed'
          ? []
          : [
              [...own, null],
              [...own, reason],
            ],
      )
    })
  }
}

/** What an intent became: its payment, and what undoes that. */
async function paymentsAt(intent: string | undefined) {
  const all = await app.ctx.db.selectFrom('payments').selectAll().orderBy('id').execute()
  const [payment] = all.filter(({ type, external_id: id }) => type === 'payment' && id === intent)
  return payment ? [payment, ...all.filter(({ bound_payment_id: id }) => id === payment.id)] : []
}

test('what was let go and is paid after all is bought where its buyer had bought the same before it', async () => {
  const email = shop.someone()
  await shop.paid(await shop.open(email))
  app.ctx.clock.advance(2 * MINUTE)
  await shop.paidLate(await shop.open(email))
  assert.deepEqual(await shop.endedWith(email), TWICE)
})

/** Who opens what is let go, and what is paid beside it. */
const BESIDE = {
  'from the same place': ['open', 'open'],
  'from another place': ['open', 'elsewhere'],
  'with a proof': ['open', 'openProven'],
  'without the proof that it has itself': ['openProven', 'open'],
} as const

for (const [how, [opened, openOther]] of Object.entries(BESIDE)) {
  for (const [status, end] of [
    ['canceled', [1, 1, 1]],
    ['succeeded', ONCE],
  ] as const) {
    test(`what is paid after all waits for another checkout of the same that is paid ${how}, whose payment is ${status}`, async () => {
      const email = shop.someone()
      await userOf(app, email)
      await shop.paidLate(await shop[opened](email), async () => {
        const token = await shop[openOther === 'elsewhere' ? 'open' : openOther](email)
        if (openOther === 'elsewhere') await shop.changed(token, { visitor: 'another browser than that' })
        const { json, text } = await payCheckout(app, token, 'pm_slowBank')
        assert.equal(json.state, 'pending', text)
      })
      const slow = [...stripe.api.intents.values()].at(-2)
      app.ctx.clock.advance(DAY)
      await shop.look()
      assert.ok((await checkLedger(app.ctx)).open_charges.length >= 2, 'both are open')
      slow.status = status
      assert.deepEqual(await shop.endedWith(email), end)
    })
  }
}

for (const [who, openSecond] of Object.entries({ typed: 'open', proven: 'openProven' } as const)) {
  test(`of two that are paid after all and settled at once one is bought, the other buyer being ${who}`, async () => {
    const email = shop.someone()
    await userOf(app, email)
    const ids = [
      await shop.paidLate(await shop.open(email)),
      await shop.paidLate(await shop[openSecond](email)),
    ]
    app.ctx.clock.advance(DAY)
    const other = anotherProcess(app)
    try {
      await Promise.all(ids.map((id, n) => lookAgain(n === 0 ? app.ctx : other.ctx, id)))
    } finally {
      await other.close()
    }
    assert.deepEqual(await shop.endedWith(email), ONCE)
  })
}

test('of one that is paid after all and one that is paid at once one is bought', async () => {
  for (let round = 0; round < 4; round++) {
    const email = shop.someone()
    const id = await shop.paidLate(await shop.open(email))
    app.ctx.clock.advance(DAY)
    const token = await shop.open(email)
    const [reply] = await Promise.all([payCheckout(app, token, 'pm_card_visa'), lookAgain(app.ctx, id)])
    const isBought = reply.json.state === 'paid'
    if (!isBought) assert.equal(reply.json.error.code, 'already_purchased')
    assert.deepEqual(await shop.endedWith(email), isBought ? ONCE : [1, 1, 1])
  }
})
