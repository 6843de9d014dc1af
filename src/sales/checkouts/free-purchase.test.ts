import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { runDue } from '../../jobs/worker.ts'
import { settlePurchases } from './settle-purchases-job.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('free_purchase')
  shop = await trialShop(app)
  const body = { code: 'GIFT', discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
})
after(() => app.close())

const BACK = 'https://shop.example/back'

test('a card that is declined counts for nothing against what an address may try for nothing', async () => {
  const who = shop.someone()
  const { json } = await shop.open({ ...who, plan_id: shop.paid.planId, trial: 'paid' })
  for (let n = 0; n < 4; n++)
    assert.deepEqual(codeOf(await shop.pay(json.id, 'test_declined')), [400, 'payment_declined'])
  const paid = await shop.pay(json.id, 'test_succeeds')
  assert.equal(paid.json.state, 'paid', paid.text)
  assert.equal(kindsOf(await mailsTo(app, who.user_email)), 'license')
})

/** Six checkouts of one address, in which a method of payment waits for its buyer. */
async function sixKept(email: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < 6; n++) {
    const body = { user_email: email, country_code: 'US', plan_id: shop.free.planId, coupon: 'GIFT' }
    const { json } = await shop.open({ ...body, visitor: `browser ${n} of ${email}` })
    const waits = { payment_token: 'test_needs_confirmation', return_url: BACK }
    const path = `/checkout/sessions/${json.id}/pay.json`
    const { json: kept, text } = await app.call('POST', path, { token: null, body: waits })
    assert.equal(kept.state, 'pending', text)
    ids.push(json.id)
  }
  return ids
}

test('of gifts that were kept and are settled at once three come through, and the rest can be tried again later', async () => {
  const { user_email: email } = shop.someone()
  const ids = await sixKept(email)
  const replies = await Promise.all(ids.map((id) => shop.pay(id)))
  const codes = replies.map(({ status }) => status)
  assert.deepEqual(codes.toSorted(), [200, 200, 200, 429, 429, 429])
  assert.equal(kindsOf(await mailsTo(app, email)), 'license license license')
  const { id } = (await shop.get('/coupons.json')).coupons[0]
  assert.equal((await redemptionsOf(app, id)).sandbox, 3, 'what did not come through has no redemption')
  app.ctx.clock.advance(61 * MINUTE)
  const again = await shop.pay(ids[codes.indexOf(429)] ?? '')
  assert.equal(again.json.state, 'paid', again.text)
})

test('one gift that is paid by many at once counts once', async () => {
  const { user_email: email } = shop.someone()
  const body = { user_email: email, country_code: 'US', plan_id: shop.free.planId, coupon: 'GIFT' }
  for (let n = 0; n < 3; n++) {
    const { json } = await shop.open({ ...body, visitor: `browser ${n} of ${email}` })
    const replies = await Promise.all(Array.from({ length: 6 }, () => shop.pay(json.id)))
    const refused = replies.filter(({ status }) => status === 429)
    assert.deepEqual([n, refused.length], [n, 0])
  }
  assert.equal(kindsOf(await mailsTo(app, email)), 'license license license')
})

test('who goes away while a gift is kept is counted as who opened it', async () => {
  const { user_email: email } = shop.someone()
  const ids = await sixKept(email)
  app.ctx.clock.advance(10 * MINUTE)
  await runDue(app.ctx, [settlePurchases])
  assert.equal(kindsOf(await mailsTo(app, email)), 'license license license')
  const states = await Promise.all(
    ids.map(
      async (id) => (await app.call('GET', `/checkout/sessions/${id}.json`, { token: null })).json.state,
    ),
  )
  assert.deepEqual(states.toSorted(), ['open', 'open', 'open', 'paid', 'paid', 'paid'])
})
