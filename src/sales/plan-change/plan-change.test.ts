import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { activateOn, eventsOfLicense, installOf, licenseOf, offerFor } from '../../../test/licenses.ts'
import { ledgerFaults, sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'

let app: TestApp
let call: CallAs
before(async () => {
  app = await startTestApp('plan_change')
  call = await asDeveloper(app)
})
after(() => app.close())

const pathOf = (id: string, rest = '/plan') => `/products/${app.seller.product.id}/licenses/${id}${rest}.json`
const wanted = ({ planId, pricingId }: { planId: number; pricingId: number }) => ({
  plan_id: planId,
  pricing_id: pricingId,
})
const change = (id: string, offer: Parameters<typeof wanted>[0]) => call('PUT', pathOf(id), wanted(offer))
const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A feature of these plans, with a value in each. */
async function featureIn(title: string, values: Readonly<Record<number, string | null>>): Promise<void> {
  const product = `/products/${app.seller.product.id}`
  const { id } = expectOk(await call('POST', `${product}/features.json`, { title })).json
  for (const [plan, value] of Object.entries(values)) {
    expectOk(await call('PUT', `${product}/plans/${plan}/features/${id}.json`, { value }))
  }
}

test('a license gets plan, sites and features of another price; its end and what is charged stay', async () => {
  const to = await offerFor(app, 1, { plan: { is_block_features: false } })
  const { license, owner, offer, subscription } = await sell(app)
  const installs = [
    await installOf(app, { userId: String(owner.id) }),
    await installOf(app, { userId: String(owner.id) }),
  ]
  for (const install of installs) await activateOn(app, license, install)
  await featureIn('Space', { [offer.planId]: '10 GB', [to.planId]: '1 GB' })
  await featureIn('Support', { [offer.planId]: null })
  await featureIn('Same', { [offer.planId]: '1', [to.planId]: '1' })
  const before = await subscriptionOf(subscription.id)
  const asked = `${pathOf(license.id)}?plan_id=${to.planId}&pricing_id=${to.pricingId}`
  const { json: told } = expectOk(await call('GET', asked))
  assert.deepEqual(
    told.features
      .map(({ id: _, ...feature }: { id: string; title: string }) => feature)
      .filter(({ title }: { title: string }) => !title.startsWith('Feature of')),
    [
      { title: 'Space', from: '10 GB', to: '1 GB' },
      { title: 'Support', from: '', to: null },
    ],
  )
  assert.deepEqual(
    [told.from.quota, told.to.quota, told.over_quota, told.expiration],
    [5, 1, 1, license.expiration],
  )
  const { renewal_amount, next_payment, currency, price } = told.subscription
  assert.deepEqual([renewal_amount, next_payment, currency], [49.99, before.next_payment, 'usd'])
  const { annual_price } = await app.ctx.db
    .selectFrom('pricing')
    .select('annual_price')
    .where('id', '=', to.pricingId)
    .executeTakeFirstOrThrow()
  assert.equal(price * 100, annual_price)
  assert.deepEqual(await subscriptionOf(subscription.id), before, 'a look changes nothing')
  const { json: changed } = expectOk(await change(license.id, to))
  assert.deepEqual(
    [changed.plan_id, changed.pricing_id, changed.quota, changed.expiration, changed.is_block_features],
    [String(to.planId), String(to.pricingId), 1, license.expiration, false],
  )
  const { updated: _, ...renewed } = await subscriptionOf(subscription.id)
  const { updated: __, ...stays } = before
  assert.deepEqual(renewed, { ...stays, plan_id: to.planId, pricing_id: to.pricingId })
  const plans = await app.ctx.db
    .selectFrom('installs')
    .select('plan_id')
    .where('id', 'in', installs)
    .execute()
  assert.deepEqual(
    plans.map(({ plan_id }) => plan_id),
    [to.planId, to.planId],
  )
  const happened = (await eventsOfLicense(app, license.id)).slice(-5)
  assert.deepEqual(
    happened.map(({ type }) => type),
    [
      'license.plan.changed',
      'license.quota.changed',
      'license.updated',
      'install.plan.changed',
      'install.plan.changed',
    ],
  )
  assert.deepEqual(happened[0]?.data, {
    license_id: license.id,
    from_plan_id: String(offer.planId),
    to_plan_id: String(to.planId),
    from_pricing_id: String(offer.pricingId),
    to_pricing_id: String(to.pricingId),
  })
  assert.deepEqual(await ledgerFaults(app), [])
})

test('without a price a license keeps its sites; a price of another plan, and a plan of another product, are refused', async () => {
  const [from, to] = [await offerFor(app, 3), await offerFor(app, 9)]
  const { license } = await sell(app, { offer: from })
  const { json } = expectOk(await call('PUT', pathOf(license.id), { plan_id: to.planId }))
  assert.deepEqual([json.plan_id, json.pricing_id, json.quota], [String(to.planId), null, 3])
  const other = await offerFor(app, 1, { product: app.seller.other })
  for (const [body, field] of [
    [{ plan_id: to.planId, pricing_id: from.pricingId }, 'pricing_id'],
    [{ plan_id: other.planId }, 'plan_id'],
  ] as const) {
    const reply = await call('PUT', pathOf(license.id), body)
    assert.deepEqual([reply.status, reply.json.error.details[0].field], [400, field], reply.text)
  }
})

test('a license that was cancelled, and one of a trial, keep their plan', async () => {
  const to = await offerFor(app, 1)
  for (const [state, code] of [
    [{ is_cancelled: true }, 'license_cancelled'],
    [{ is_trial: true }, 'license_error'],
  ] as const) {
    const { id } = await licenseOf(app)
    await app.write(({ db }) => db.updateTable('licenses').set(state).where('id', '=', Number(id)).execute())
    const query = `?plan_id=${to.planId}`
    for (const reply of [await change(id, to), await call('GET', pathOf(id) + query)])
      assert.deepEqual([reply.status, reply.json.error.code], [400, code])
  }
})

test('a role that may not read sales is told of no subscription', async () => {
  const { license } = await sell(app)
  const to = await offerFor(app, 2)
  const member = await asMember(app, 'developer')
  const { json } = expectOk(await member('GET', `${pathOf(license.id)}?plan_id=${to.planId}`))
  assert.equal(json.subscription, undefined)
  assert.equal(json.to.plan_id, String(to.planId))
})

test('ten that ask at once change it once', async () => {
  const { id } = await licenseOf(app)
  const to = await offerFor(app, 2)
  const replies = await Promise.all(Array.from({ length: 10 }, async () => change(id, to)))
  for (const reply of replies) expectOk(reply)
  const types = (await eventsOfLicense(app, id)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'license.plan.changed').length, 1)
})

test('of activations that race with a plan of fewer sites none comes after it that has no place', async () => {
  const clients = clientsOf(app)
  const license = await clients.ownLicense(null)
  const to = await offerFor(app, 3)
  const activations = Array.from({ length: 8 }, (_, n) =>
    clients.activate({
      license_key: license.secret_key,
      uid: newUid(),
      url: `https://site-${n}.example.com`,
    }),
  )
  const [changed, ...rest] = await Promise.all([change(license.id, to), ...activations])
  expectOk(changed)
  const types = (await eventsOfLicense(app, license.id)).map(({ type }) => type)
  const at = types.indexOf('license.plan.changed')
  const [before, later] = [types.slice(0, at), types.slice(at)].map(
    (part) => part.filter((type) => type === 'license.activated').length,
  ) as [number, number]
  assert.ok(before + later <= Math.max(3, before), `${before} before, ${later} after`)
  assert.equal(rest.filter(({ status }) => status === 200).length, before + later)
})
