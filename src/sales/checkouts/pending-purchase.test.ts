import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { overTestGateway } from '../../../test/charges.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { reportOfTest, send } from '../../../test/reports.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { GatewayUnreachable } from '../../gateways/gateway.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('pending_purchase')
  shop = await trialShop(app)
})
after(() => app.close())

const opened = async (body: object): Promise<string> => {
  const { json, text } = await shop.open({ plan_id: shop.free.planId, ...body })
  assert.ok(json.id, text)
  return json.id
}
const stateOf = async (paying: ReturnType<TrialShop['pay']>) => {
  const reply = await paying
  return reply.json.state ?? codeOf(reply)[1]
}
/** A checkout of a buyer whose bank takes its time. */
async function pending(body: object): Promise<string> {
  const id = await opened(body)
  assert.equal(await stateOf(shop.pay(id, 'test_pending')), 'pending')
  return id
}
const mailed = async (email: string) =>
  (await mailsTo(app, email)).filter(({ kind }) => kind === 'cart_recovery').length

let reports = 0

/** What the bank says of the newest charge that it has in work. */
async function decide(outcome: 'paid' | 'declined'): Promise<void> {
  const { external_id } = await app.ctx.db
    .selectFrom('charges')
    .select('external_id')
    .where('state', '=', 'pending')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const chargeId = external_id ?? ''
  const no = { outcome: 'declined', externalId: chargeId, reason: 'declined', message: 'No.' } as const
  const yes = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const charge = outcome === 'paid' ? yes : no
  const event = { type: 'charge', id: `decided ${++reports}`, at: START, chargeId, charge } as const
  const reply = await send(app, 'test', reportOfTest(app, event))
  assert.equal(reply.status, 200, reply.text)
}

test('nobody is mailed about a cart while the bank has its payment in work, and all are once it was not paid', async () => {
  const [who, other] = [shop.someone(), shop.someone()]
  await pending({ ...who, visitor: 'the browser that pays' })
  await opened({ ...who, visitor: 'another browser of it' })
  await opened(other)
  await advanceTo(app, shop.inDays(45))
  assert.deepEqual([await mailed(who.user_email), await mailed(other.user_email)], [0, 3])
  await decide('declined')
  await advanceTo(app, shop.inDays(10))
  assert.equal(await mailed(who.user_email), 3)
})

const charges = async () => (await app.ctx.db.selectFrom('charges').select('id').execute()).length
const tried = async (body: object) => stateOf(shop.pay(await opened(body), 'test_succeeds'))

test('what the bank has in work for a buyer is not paid a second time, however late, and other things are', async () => {
  const who = shop.someone()
  await pending(who)
  app.ctx.clock.advance(3 * DAY)
  await runDue(app.ctx, [prune])
  const before = await charges()
  for (const again of [await opened(who), await opened({ ...who, user_email: who.user_email.toUpperCase() })])
    assert.deepEqual(codeOf(await shop.pay(again, 'test_succeeds')), [400, 'already_purchased'])
  assert.equal(await charges(), before)
  for (const other of [
    shop.someone(),
    { ...who, plan_id: shop.paid.planId },
    { ...who, visitor: 'elsewhere, who knows' },
  ])
    assert.equal(await tried(other), 'paid')
})

test('who has proven to be the buyer pays one thing once too, and is kept from it by nobody who types the address', async () => {
  const who = shop.someone()
  await userOf(app, who.user_email)
  await pending(who)
  const own = async () => ({ ...(await proofOf(app, who.user_email)), country_code: 'US' })
  await pending(await own())
  app.ctx.clock.advance(HOUR)
  assert.equal(await tried({ ...(await own()), visitor: 'another browser of it' }), 'already_purchased')
})

test('a buyer is free at once when the bank declines, and a minute after it has paid', async () => {
  const [declined, paid] = [shop.someone(), shop.someone()]
  await pending(declined)
  app.ctx.clock.advance(HOUR)
  await decide('declined')
  assert.equal(await tried(declined), 'paid')
  await pending(paid)
  app.ctx.clock.advance(HOUR)
  await decide('paid')
  assert.equal(await tried(paid), 'already_purchased')
  app.ctx.clock.advance(MINUTE)
  assert.equal(await tried(paid), 'paid')
})

test('of any number who pay the same at once one does, while it is pending and when it was declined', async () => {
  const who = shop.someone()
  const race = async (method: string) => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => opened(who)))
    return (await Promise.all(ids.map((id) => stateOf(shop.pay(id, method))))).toSorted()
  }
  const refused = Array<string>(5).fill('already_purchased')
  assert.deepEqual(await race('test_pending'), [...refused, 'pending'])
  app.ctx.clock.advance(HOUR)
  assert.deepEqual(await race('test_succeeds'), [...refused, 'already_purchased'])
  await decide('declined')
  assert.deepEqual(await race('test_succeeds'), [...refused, 'paid'])
})

test('a confirmation that a buyer has left is ended by another checkout of the same, of several by one', async () => {
  const who = shop.someone()
  const first = await opened(who)
  assert.equal(await stateOf(shop.pay(first, 'test_needs_confirmation')), 'pending')
  assert.equal(await tried(who), 'already_purchased')
  app.ctx.clock.advance(2 * MINUTE)
  const states = await Promise.all(Array.from({ length: 4 }, () => tried(who)))
  assert.deepEqual(states.toSorted(), [...Array<string>(3).fill('already_purchased'), 'paid'])
  assert.equal(
    (await app.call('GET', `/checkout/sessions/${first}.json`, { token: null })).json.state,
    'open',
  )
  assert.equal(await stateOf(shop.pay(first, 'test_succeeds')), 'already_purchased')
})

/** What the gateway does otherwise meanwhile. */
async function meanwhile<T>(
  change: Parameters<typeof overTestGateway>[1],
  work: () => Promise<T>,
): Promise<T> {
  const { gateways } = app.ctx
  overTestGateway(app, change)
  try {
    return await work()
  } finally {
    Object.assign(app.ctx, { gateways })
  }
}

test('a confirmation has a minute from when its buyer was first led to it, however late that was and however often it is asked for', async () => {
  const who = shop.someone()
  const first = await opened(who)
  const ask = () => stateOf(shop.pay(first, 'test_needs_confirmation'))
  const away = () => Promise.reject(new GatewayUnreachable('It is away.'))
  assert.equal(await meanwhile(() => ({ charge: away }), ask), 'gateway_unreachable')
  app.ctx.clock.advance(3 * MINUTE)
  const confirming = async (externalId: string) => ({
    charge: { outcome: 'pending', externalId, confirmationUrl: 'https://bank.example' } as const,
    dispute: null,
  })
  await meanwhile(
    () => ({ retrieveCharge: confirming }),
    async () => {
      assert.equal(await ask(), 'pending')
      for (let asked = 0; asked < 3; asked++) {
        assert.equal(await tried(who), 'already_purchased')
        app.ctx.clock.advance(20 * SECOND)
        assert.equal(await ask(), 'pending')
      }
      assert.equal(await tried(who), 'paid')
      assert.equal(await ask(), 'already_purchased')
    },
  )
})

test('what was confirmed before another checkout of the same ends it is paid, and not a second time', async () => {
  const who = shop.someone()
  const first = await opened(who)
  const paying = () => shop.pay(first, 'test_needs_confirmation')
  assert.equal(await stateOf(paying()), 'pending')
  app.ctx.clock.advance(3 * MINUTE)
  const before = await charges()
  await meanwhile(
    (inner) => ({ cancel: async (id) => (await inner.retrieveCharge(id))?.charge ?? null }),
    async () => assert.equal(await tried(who), 'already_purchased'),
  )
  assert.equal(await stateOf(paying()), 'paid')
  assert.equal(await charges(), before)
})

test('a confirmation that is paid as another checkout of the same ends it is bought at once', async () => {
  const who = shop.someone()
  const first = await opened(who)
  assert.equal(await stateOf(shop.pay(first, 'test_needs_confirmation')), 'pending')
  app.ctx.clock.advance(2 * MINUTE)
  const paid = { outcome: 'paid', fee: 30, method: null } as const
  await meanwhile(
    () => ({ cancel: async (externalId) => ({ ...paid, externalId }) }),
    async () => assert.equal(await tried(who), 'already_purchased'),
  )
  const { json } = await app.call('GET', `/checkout/sessions/${first}.json`, { token: null })
  assert.equal(json.state, 'paid')
})
