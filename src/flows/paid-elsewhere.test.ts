import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, type Reply, type TestApp } from '../../test/app.ts'
import { newestCharge } from '../../test/charges.ts'
import { openSandboxCheckout, proofOf, sandboxProof } from '../../test/checkouts.ts'
import { anotherProcess } from '../../test/dying.ts'
import { offerFor, userOf } from '../../test/licenses.ts'
import { payCheckout } from '../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../test/sales.ts'
import { chargingShop, type ChargingShop } from '../../test/stripe/charging.ts'
import type { RecurringJob } from '../jobs/job.ts'
import { lookAgainAtCharges } from '../jobs/look-again.ts'
import { settlePurchases } from '../jobs/settle-purchases.ts'
import { settleRefunds } from '../jobs/settle-refunds.ts'
import { runDue } from '../jobs/worker.ts'
import { hashToken } from '../lib/credentials.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { checkLedger } from './check-ledger.ts'
import { lookAgain } from './look-again.ts'

let shop: ChargingShop
let app: TestApp
let stripe: ChargingShop['stripe']
let gateway: ChargingShop['gateway']
let pricingId: number
let otherPricingId: number
before(async () => {
  shop = await chargingShop('paid_elsewhere')
  ;({ app, stripe, gateway, pricingId } = shop)
  ;({ pricingId: otherPricingId } = await offerFor(app, 1))
})
beforeEach(() => {
  app.ctx.clock.set(START)
  stripe.faults.length = 0
})
after(() => shop.close())

let buyers = 0
const someone = () => `elsewhere${++buyers}@example.com`
const open = (email: string, of = pricingId) =>
  app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId: of, email }))

/** A checkout of who has proven to have the address. */
async function openProven(email: string): Promise<string> {
  const body = { pricing_id: pricingId, country_code: 'US', cart: false, ...(await proofOf(app, email)) }
  const product = await sandboxProof(app.ctx, app.seller.product.id)
  const { json, text } = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: { ...product, ...body },
  })
  assert.ok(json.id, text)
  return json.id
}

const both = [settlePurchases, lookAgainAtCharges]

async function look(jobs: readonly RecurringJob[] = both): Promise<void> {
  await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
  await runDue(app.ctx, [...jobs])
}

/**
 * Pays a checkout whose request is on its way until after its charge was let go, and whose answer is lost; meanwhile
 * something else happens. The id of the charge, which is paid.
 */
async function paidLate(token: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<number> {
  const charge: typeof gateway.charge = async (request) => {
    for (const hours of [25, 2]) {
      app.ctx.clock.advance(hours * HOUR)
      await look([settlePurchases])
    }
    Object.assign(app.ctx, { gateways: [gateway] })
    await meanwhile()
    stripe.faults.push('none', 'lost', 'lost')
    return gateway.charge(request)
  }
  Object.assign(app.ctx, { gateways: [{ ...gateway, charge }] })
  const { id: before } = await newestCharge(app).catch(() => ({ id: 0 }))
  const reply = await payCheckout(app, token, 'pm_card_visa')
  assert.equal(reply.status, 503, reply.text)
  const found = await app.ctx.db
    .selectFrom('charges')
    .select(['id', 'state'])
    .where('id', '>', before)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  assert.equal(found.state, 'declined')
  return found.id
}

const paid = async (token: string): Promise<Reply> => {
  const reply = await payCheckout(app, token, 'pm_card_visa')
  assert.equal(reply.json.state, 'paid', reply.text)
  return reply
}

/** What an address has in the end, once everything was looked at: licenses, payments, and what of them it paid for good. */
async function endedWith(email: string): Promise<[licenses: number, payments: number, left: number]> {
  for (const day of [1, 2, 3]) {
    app.ctx.clock.advance(day * DAY)
    await look()
    await look([settleRefunds])
  }
  assert.deepEqual(await ledgerFaults(app), [])
  assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
  const { db } = app.ctx
  const of = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', email)
    .executeTakeFirstOrThrow()
  const licenses = await db.selectFrom('licenses').select('id').where('user_id', '=', of.id).execute()
  const rows = await db.selectFrom('payments').selectAll().where('user_id', '=', of.id).execute()
  const payments = rows.filter(({ type }) => type === 'payment')
  const left = payments.filter(({ refunded_gross: refunded }) => refunded === 0)
  const given = rows.filter(({ type }) => type === 'refund')
  assert.equal(given.length, payments.length - left.length)
  return [licenses.length, payments.length, left.length]
}

const ONCE = [1, 2, 1]
const TWICE = [2, 2, 2]

/** Lets a checkout be of a site. */
const ofSite = async (token: string, install_id: number): Promise<string> => {
  await app.write(({ db }) =>
    db.updateTable('checkouts').set({ install_id }).where('token_hash', '=', hashToken(token)).execute(),
  )
  return token
}

const stateOf = async (token: string) => {
  const query = app.ctx.db.selectFrom('checkouts').select('state').where('token_hash', '=', hashToken(token))
  return (await query.executeTakeFirstOrThrow()).state
}

test('what was let go and is paid after all is given back once its buyer has bought the same in another checkout', async () => {
  const email = someone()
  let license = ''
  await paidLate(await open(email), async () => {
    license = (await paid(await open(email))).json.license_id
  })
  assert.deepEqual(await endedWith(email), ONCE)
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
  'its buyer has bought the same with a proof': [async (email) => paid(await openProven(email)), ONCE],
  'its buyer has bought the same from the site': [
    async (email) => paid(await ofSite(await open(email), 1)),
    ONCE,
  ],
  'its buyer has bought the same from another site': [
    async (email) => paid(await ofSite(await open(email), 2)),
    TWICE,
  ],
  'another buyer has bought the same': [async () => paid(await open(someone())), [1, 1, 1]],
  'its buyer has bought at another price': [async (email) => paid(await open(email, otherPricingId)), TWICE],
  'its buyer was declined elsewhere': [
    async (email) => payCheckout(app, await open(email), 'pm_card_chargeDeclined'),
    [1, 1, 1],
  ],
}

for (const [what, [meanwhile, end]] of Object.entries(MEANWHILE)) {
  const became = end === ONCE ? 'given back' : 'bought'
  test(`what was let go and is paid after all is ${became} where ${what}`, async () => {
    const email = someone()
    await userOf(app, email)
    await paidLate(await ofSite(await open(email), 1), () => meanwhile(email))
    assert.deepEqual(await endedWith(email), end)
  })
}

for (const field of ['pricing_id', 'billing_cycle'] as const) {
  test(`what was let go and is paid after all buys nothing at another ${field}, which its checkout has by then`, async () => {
    const email = someone()
    await userOf(app, email)
    const token = await open(email)
    const change = { [field]: field === 'pricing_id' ? otherPricingId : 1 }
    await paidLate(token, () =>
      app.write(({ db }) =>
        db.updateTable('checkouts').set(change).where('token_hash', '=', hashToken(token)).execute(),
      ),
    )
    assert.deepEqual(await endedWith(email), [0, 0, 0])
    const given = [...stripe.api.refunds.values()].at(-1)
    assert.equal(given?.payment_intent, [...stripe.api.intents.values()].at(-1).id)
    assert.equal(await stateOf(token), 'open')
  })
}

test('what was let go and is paid after all is bought where its buyer had bought the same before it', async () => {
  const email = someone()
  await paid(await open(email))
  app.ctx.clock.advance(2 * MINUTE)
  await paidLate(await open(email))
  assert.deepEqual(await endedWith(email), TWICE)
})

for (const [status, end] of [
  ['canceled', [1, 1, 1]],
  ['succeeded', ONCE],
] as const) {
  test(`what is paid after all waits for another checkout of the same, whose payment is ${status}`, async () => {
    const email = someone()
    await paidLate(await open(email), async () => {
      const { json } = await payCheckout(app, await open(email), 'pm_slowBank')
      assert.equal(json.state, 'pending')
    })
    const slow = [...stripe.api.intents.values()].at(-2)
    app.ctx.clock.advance(DAY)
    await look()
    assert.ok((await checkLedger(app.ctx)).open_charges.length >= 2, 'both are open')
    slow.status = status
    assert.deepEqual(await endedWith(email), end)
  })
}

for (const [who, openSecond] of Object.entries({ typed: open, proven: openProven })) {
  test(`of two that are paid after all and settled at once one is bought, the other buyer being ${who}`, async () => {
    const email = someone()
    await userOf(app, email)
    const ids = [await paidLate(await open(email)), await paidLate(await openSecond(email))]
    app.ctx.clock.advance(DAY)
    const other = anotherProcess(app)
    try {
      await Promise.all(ids.map((id, n) => lookAgain(n === 0 ? app.ctx : other.ctx, id)))
    } finally {
      await other.close()
    }
    assert.deepEqual(await endedWith(email), ONCE)
  })
}

test('of one that is paid after all and one that is paid at once one is bought', async () => {
  for (let round = 0; round < 4; round++) {
    const email = someone()
    const id = await paidLate(await open(email))
    app.ctx.clock.advance(DAY)
    const token = await open(email)
    const [reply] = await Promise.all([payCheckout(app, token, 'pm_card_visa'), lookAgain(app.ctx, id)])
    const isBought = reply.json.state === 'paid'
    if (!isBought) assert.equal(reply.json.error.code, 'already_purchased')
    assert.deepEqual(await endedWith(email), isBought ? ONCE : [1, 1, 1])
  }
})
