import assert from 'node:assert/strict'
import type { UtcTime } from '../../lib/time.ts'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { activateOn } from '../../../test/licenses.ts'
import { ledgerFaults, sell } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('subscriptions_of_licenses')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', rest: string, body?: object) =>
  app.call(method, path(rest), body === undefined ? {} : { body })
const get = async (rest: string) => expectOk(await call('GET', rest)).json
const codeOf = async (reply: ReturnType<typeof call>) => (await reply).json.error?.code

test('a cancelled license, one that never ends, and an install that is taken back end the renewals', async () => {
  const cancelled = await sell(app)
  expectOk(await call('DELETE', `/licenses/${cancelled.license.id}.json`))
  const lifetime = await sell(app)
  expectOk(await call('PUT', `/licenses/${lifetime.license.id}.json`, { expiration: null }))
  const asked = await sell(app)
  expectOk(await call('PUT', `/licenses/${asked.license.id}.json`, { cancel_subscription: true }))
  const taken = await sell(app)
  const install = await createInstallOf(app, taken.owner)
  await activateOn(app, taken.license, Number(install.id))
  expectOk(await call('PUT', `/installs/${install.id}/downgrade.json`, {}))
  for (const { subscription } of [cancelled, lifetime, asked, taken]) {
    assert.notEqual((await get(`/subscriptions/${subscription.id}.json`)).canceled_at, null)
  }
  const deleted = await sell(app)
  expectOk(await call('DELETE', `/licenses/${deleted.license.id}.json?delete=true`))
  const { license_id, canceled_at } = await get(`/subscriptions/${deleted.subscription.id}.json`)
  assert.deepEqual([license_id, canceled_at !== null], [null, true])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('the renewal moves with the end of a license to a later time, never to an earlier one', async () => {
  const { license, subscription } = await sell(app)
  const move = (expiration: string) =>
    call('PUT', `/licenses/${license.id}.json`, { expiration, update_subscription_renewal_date: true })
  const next = async () => (await get(`/subscriptions/${subscription.id}.json`)).next_payment
  expectOk(await move('2027-03-15 12:00:00'))
  assert.equal(await next(), '2027-03-14 12:00:00')
  expectOk(await move('2026-06-01 12:00:00'))
  assert.equal(await next(), '2027-03-14 12:00:00')
})

test('an enriched license tells of its subscription', async () => {
  const { license, subscription } = await sell(app)
  const { licenses } = await get(`/licenses.json?enriched=true&search=${license.id}`)
  const [one] = licenses
  assert.deepEqual(
    [
      one.subscription_id,
      one.subscription_total_gross,
      one.subscription_initial_amount,
      one.subscription_gateway,
      one.subscription_failed_payments,
      one.next_payment,
      one.trial_ends,
    ],
    [String(subscription.id), 59.99, 49.99, 'stripe', 0, '2027-01-31 10:00:00', null],
  )
})

test('an enriched license tells when the trial of its subscription ends', async () => {
  const trial = { trial_ends: '2026-02-14 10:00:00' as UtcTime }
  const { license } = await sell(app, { subscription: trial })
  const { licenses } = await get(`/licenses.json?enriched=true&search=${license.id}`)
  assert.equal(licenses[0].trial_ends, trial.trial_ends)
})

test('a license that renews itself is not mailed that it can be renewed', async () => {
  const { license } = await sell(app)
  const mail = () => call('POST', `/licenses/${license.id}/renewals.json`)
  assert.deepEqual((await mail()).json, { sent: false })
  expectOk(await call('DELETE', `/licenses/${license.id}/subscription.json`))
  assert.deepEqual((await mail()).json, { sent: true })
})

test('what was sold is not deleted: a plan and a price of which only a payment is left', async () => {
  const { bought, license } = await sell(app)
  await app.ctx.database.transaction(async (db) => {
    await db.deleteFrom('licenses').where('id', '=', Number(license.id)).execute()
  })
  const developer = await asDeveloper(app)
  const rest = path(`/plans/${bought.planId}`)
  assert.equal(await codeOf(developer('DELETE', `${rest}.json`)), 'plan_in_use')
})
