import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'

let app: TestApp
let call: CallAs
let offer: Awaited<ReturnType<typeof offerFor>>

const pathOf = ({ planId, pricingId }: typeof offer, query = '') =>
  `/products/${app.seller.product.id}/plans/${planId}/pricing/${pricingId}/use.json${query}`
const useOf = async (query = '', as: CallAs = call) => {
  const { subscriptions_keeping, licenses_renewed_at_price } = expectOk(
    await as('GET', pathOf(offer, query)),
  ).json
  return [subscriptions_keeping, licenses_renewed_at_price]
}

before(async () => {
  app = await startTestApp('price_use')
  call = await asDeveloper(app)
  offer = await offerFor(app, 5)
})
after(() => app.close())

test('a change of a price leaves subscriptions as they are, and concerns licenses that none was for', async () => {
  assert.deepEqual(await useOf(), [0, 0])
  const first = await sell(app, { offer })
  await sell(app, { offer })
  await sell(app)
  assert.deepEqual(await useOf(), [2, 0])
  const end = { body: { expires_at: '2099-01-01 00:00:00' } }
  await licenseOn(app, offer, end)
  await licenseOn(app, offer, { body: { expires_at: null } })
  assert.deepEqual(await useOf(), [2, 1])
  const cancelled = { canceled_at: app.ctx.clock.now(), next_payment: null }
  await app.write(({ db }) =>
    db.updateTable('subscriptions').set(cancelled).where('id', '=', first.subscription.id).execute(),
  )
  assert.deepEqual(await useOf(), [1, 1])
  const price = `/products/${app.seller.product.id}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
  const amountOf = async () => {
    const rows = await app.ctx.db
      .selectFrom('subscriptions')
      .select(['amount_per_cycle', 'renewal_amount'])
      .where('pricing_id', '=', offer.pricingId)
      .orderBy('id')
      .execute()
    return JSON.stringify(rows)
  }
  const amounts = await amountOf()
  expectOk(await call('PUT', price, { annual_price: 77.77 }))
  assert.equal(await amountOf(), amounts)
})

test('what is of the sandbox is counted by itself', async () => {
  await sell(app, { offer, subscription: { environment: 1 } })
  const [live] = await useOf()
  assert.deepEqual(await useOf('?environment=1'), [1, 0])
  assert.equal((await useOf())[0], live)
})

test('a role that may not read sales is told of no subscription; a price of another plan is not found', async () => {
  const member = await asMember(app, 'developer')
  const [subscriptions, licenses] = await useOf('', member)
  assert.equal(subscriptions, null)
  assert.equal(typeof licenses, 'number')
  const other = await offerFor(app, 5)
  assert.equal((await call('GET', pathOf({ ...other, planId: offer.planId }))).status, 404)
})
