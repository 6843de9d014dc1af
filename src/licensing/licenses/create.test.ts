import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { eventsOfLicense, licenseOf, licenseOn, mailsOf, offerFor, userOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('licenses_create')
})
after(() => app.close())

const post = (offer: { planId: number; pricingId: number }, body: object) =>
  app.call(
    'POST',
    `/products/${app.seller.product.id}/plans/${offer.planId}/pricing/${offer.pricingId}/licenses.json`,
    { body },
  )

test('a license for a year ends on the day of next year, whatever the length of the months', async () => {
  const offer = await offerFor(app, 3)
  const yearly = await licenseOn(app, offer)
  assert.equal(yearly.expiration, '2027-01-31 10:00:00')
  const monthly = await licenseOn(app, offer, { body: { period: 1 } })
  assert.equal(monthly.expiration, '2026-02-28 10:00:00')
  assert.equal((await licenseOn(app, offer, { body: { period: 0 } })).expiration, null)
})

test('a license without period, end or is_block_features is 402', async () => {
  const offer = await offerFor(app, 1)
  const reply = await post(offer, { is_whitelabeled: true })
  assert.equal(reply.status, 402)
  assert.deepEqual(
    reply.json.error.details.map(({ field }: { field: string }) => field),
    ['period'],
  )
})

test('is_block_features false with neither period nor end never ends', async () => {
  const { status, json } = await post(await offerFor(app, 1), { is_block_features: false })
  assert.equal(status, 200)
  assert.equal(json.license.expiration, null)
  assert.equal(json.license.is_block_features, false)
})

test('a license has the quota of its price, and the rules of its plan for its cycle', async () => {
  const plan = { is_free_localhost: false, is_block_features: false, is_block_features_monthly: true }
  const offer = await offerFor(app, 5, { plan })
  const yearly = await licenseOn(app, offer)
  const { quota, activated, activated_local, is_cancelled } = yearly
  assert.deepEqual([quota, activated, activated_local, is_cancelled], [5, 0, 0, false])
  assert.equal(yearly.is_free_localhost, false)
  assert.equal(yearly.is_block_features, false)
  assert.equal((await licenseOn(app, offer, { body: { period: 1 } })).is_block_features, true)
  const told = await licenseOn(app, offer, { body: { is_block_features: true, is_whitelabeled: true } })
  assert.equal(told.is_block_features, true)
  assert.equal(told.is_whitelabeled, true)
  assert.equal((await licenseOf(app, null)).quota, null)
})

test('a license is given to a user of the product, and to nobody else', async () => {
  const offer = await offerFor(app, 1)
  const userId = await userOf(app, 'Buyer@Example.com')
  assert.equal((await licenseOn(app, offer, { body: { email: 'buyer@example.com' } })).user_id, userId)
  assert.equal((await licenseOn(app, offer)).user_id, null)
  await userOf(app, 'elsewhere@example.com', app.seller.other)
  const reply = await post(offer, { period: 1, email: 'elsewhere@example.com' })
  assert.equal(reply.status, 400)
  assert.equal(reply.json.error.details[0].field, 'email')
})

test('a license makes whoever is named its customer, once of any number, and nobody that is known is renamed', async () => {
  const offer = await offerFor(app, 1)
  const body = { period: 12, email: 'newcomer@example.com', name: 'Nell Newcomer' }
  const replies = await Promise.all([post(offer, body), post(offer, body), post(offer, body)])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  const owners = new Set(replies.map(({ json }) => json.license.user_id))
  assert.equal(owners.size, 1)
  const [owner] = owners
  const user = await app.call('GET', `/products/${app.seller.product.id}/users/${owner}.json`)
  assert.deepEqual([user.json.email, user.json.first, user.json.last], [body.email, 'Nell', 'Newcomer'])
  assert.equal(user.json.is_verified, false)
  await licenseOn(app, offer, { body: { ...body, name: 'Somebody Else' } })
  const again = await app.call('GET', `/products/${app.seller.product.id}/users/${owner}.json`)
  assert.equal(again.json.first, 'Nell')
})

test('a name makes no customer where the price is not of the product', async () => {
  const offer = await offerFor(app, 1)
  const reply = await post({ ...offer, pricingId: 999_999 }, { email: 'left@example.com', name: 'Left Out' })
  assert.equal(reply.status, 402)
  const wrong = await post(
    { ...offer, pricingId: 999_999 },
    { period: 12, email: 'left@example.com', name: 'Left Out' },
  )
  assert.equal(wrong.status, 404)
  const found = await app.call('GET', `/products/${app.seller.product.id}/users.json?email=left@example.com`)
  assert.deepEqual(found.json.users, [])
})

test('of two licenses with one imposed key one is created, and it keeps the key as it is', async () => {
  const offer = await offerFor(app, 1)
  const body = { period: 12, license_key: 'Old/Key+With=100% of it', source: 3 }
  const replies = await Promise.all([post(offer, body), post(offer, body), post(offer, body)])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400])
  const [created] = replies.filter(({ status }) => status === 200)
  assert.equal(created?.json.license.secret_key, body.license_key)
  assert.equal(created?.json.license.source, 3)
  const refused = replies.find(({ status }) => status === 400)
  assert.equal(refused?.json.error.code, 'license_key_taken')
  assert.ok(!refused?.text.includes('100%'), 'the key is not repeated')
  const elsewhere = await licenseOf(app, 1, { product: app.seller.other, body })
  assert.equal(elsewhere.secret_key, body.license_key)
})

test('a license given by mail is mailed to its owner, one of nobody to nobody', async () => {
  const offer = await offerFor(app, 1)
  await userOf(app, 'mailed@example.com')
  const body = { email: 'mailed@example.com', send_email: true }
  const { secret_key: key } = await licenseOn(app, offer, { body })
  await licenseOn(app, offer, { body: { send_email: true } })
  const mails = await mailsOf(app, 'license')
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['mailed@example.com'],
  )
  assert.ok(mails[0]?.text.includes(key))
})

test('a created license is an event, with its id and its end', async () => {
  const { id, expiration } = await licenseOf(app, 1)
  const [event] = await eventsOfLicense(app, id)
  assert.equal(event?.type, 'license.created')
  assert.deepEqual(event?.data, { license_id: id, expiration })
})

test('a plan or price of another product, or of another plan, is not found', async () => {
  const own = await offerFor(app, 1)
  const second = await offerFor(app, 1)
  const foreign = await offerFor(app, 1, { product: app.seller.other })
  for (const ids of [foreign, { planId: own.planId, pricingId: second.pricingId }]) {
    assert.equal((await post(ids, { period: 12 })).status, 404)
  }
})

test('a time that is none is refused, and a license may have ended already', async () => {
  const offer = await offerFor(app, 1)
  for (const end of ['tomorrow', '2026-02-30 00:00:00', '']) {
    assert.equal((await post(offer, { expires_at: end })).status, 400, end)
  }
  const old = await licenseOn(app, offer, { body: { expires_at: '2020-01-01 00:00:00' } })
  assert.equal(old.expiration, '2020-01-01 00:00:00')
  assert.equal((await licenseOn(app, offer, { body: { expires_at: null } })).expiration, null)
})

test('a plan and a price that have licenses stay', async () => {
  const { developer, product } = app.seller
  const as = await asDeveloper(app, developer)
  const { planId, pricingId } = await offerFor(app, 1)
  await licenseOn(app, { planId, pricingId })
  const base = `/products/${product.id}/plans/${planId}`
  const second = await offerFor(app, 1)
  const move = await as('PUT', `${base}/pricing/${pricingId}.json`, { plan_id: second.planId })
  assert.equal(move.json.error.code, 'pricing_in_use')
  assert.equal((await as('DELETE', `${base}/pricing/${pricingId}.json`)).json.error.code, 'pricing_in_use')
  assert.equal((await as('DELETE', `${base}.json`)).json.error.code, 'plan_in_use')
})

test('a migration brings a license along with its owner, key, quota and end', async () => {
  const offer = await offerFor(app, 1)
  const userId = await userOf(app, 'moved@example.com')
  const base = `/products/${app.seller.product.id}`
  const path = `${base}/users/${userId}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
  const body = {
    is_migration: true,
    source: 'EDD',
    billing_cycle: 0,
    payment_method: 'stripe',
    license_key: 'edd-0123456789abcdef',
    license_quota: 7,
    license_expires_at: '2026-12-31 00:00:00',
    gross: 49.99,
    processed_at: '2025-12-31 00:00:00',
    payment_external_id: '4711',
  }
  const { status, json } = await app.call('POST', path, { body })
  assert.deepEqual([status, json.user_id], [200, userId])
  const license = (await app.call('GET', `${base}/licenses/${json.license_id}.json`)).json
  assert.deepEqual(
    [license.user_id, license.secret_key, license.quota, license.expiration, license.source],
    [userId, body.license_key, 7, body.license_expires_at, 2],
  )
  assert.equal((await app.call('POST', path, { body })).json.error.code, 'license_key_taken')
  assert.deepEqual(await eventsOfLicense(app, json.license_id), [], 'a migration is silent')
  const loud = await app.call('POST', path, {
    body: { ...body, is_migration: false, license_key: 'edd-9876543210fedcba' },
  })
  const types = (await eventsOfLicense(app, loud.json.license_id)).map(({ type }) => type)
  assert.deepEqual(types, ['license.created', 'payment.created', 'plan.lifetime.purchase'])
})
