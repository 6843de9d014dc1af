import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { activateOn, eventsOfLicense, installOf, licenseOf, userOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('licenses_cancel')
})
after(() => app.close())

const pathOf = (id: string, query = '') => `/products/${app.seller.product.id}/licenses/${id}.json${query}`
const typesOf = async (id: string) => (await eventsOfLicense(app, id)).map(({ type }) => type)

test('ten cancellations at once are one event, and all answer the cancelled license', async () => {
  const { id } = await licenseOf(app)
  const replies = await Promise.all(Array.from({ length: 10 }, () => app.call('DELETE', pathOf(id))))
  assert.ok(replies.every(({ status, json }) => status === 200 && json.id === id && json.is_cancelled))
  assert.deepEqual(await typesOf(id), ['license.created', 'license.cancelled'])
})

test('a cancelled license stays on its installs and can not be put on others', async () => {
  const license = await licenseOf(app, 5)
  const userId = await userOf(app, 'cancelled@example.com')
  await activateOn(app, license, await installOf(app, { userId }))
  await app.call('DELETE', pathOf(license.id))
  const { json } = await app.call('GET', pathOf(license.id))
  assert.deepEqual([json.activated, json.is_cancelled], [1, true])
  await assert.rejects(async () => activateOn(app, license, await installOf(app, { userId })), {
    code: 'license_cancelled',
  })
})

test('an erased license is gone with 204, its installs have none, and a second erasure is 404', async () => {
  const license = await licenseOf(app, 5)
  const userId = await userOf(app, 'erased@example.com')
  const installId = await installOf(app, { userId })
  await activateOn(app, license, installId)
  const first = await app.call('DELETE', pathOf(license.id, '?delete=true'))
  assert.deepEqual([first.status, first.text], [204, ''])
  assert.equal((await app.call('GET', pathOf(license.id))).status, 404)
  assert.equal((await app.call('DELETE', pathOf(license.id, '?delete=true'))).status, 404)
  const install = await app.ctx.db
    .selectFrom('installs')
    .select(['license_id', 'counted_as'])
    .where('id', '=', installId)
    .executeTakeFirstOrThrow()
  assert.deepEqual({ ...install }, { license_id: null, counted_as: null })
  const told = ['license.deactivated', 'install.plan.changed', 'license.deleted']
  assert.deepEqual((await typesOf(license.id)).slice(-3), told)
})

test('of erasures at once one erases', async () => {
  const { id } = await licenseOf(app)
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => app.call('DELETE', pathOf(id, '?delete=true'))),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, 404, 404, 404, 404, 404])
})

test("another product's license is not found, whatever is done to it", async () => {
  const { id } = await licenseOf(app, 1, { product: app.seller.other })
  const calls = [
    app.call('GET', pathOf(id)),
    app.call('PUT', pathOf(id), { body: { quota: 3 } }),
    app.call('DELETE', pathOf(id)),
    app.call('DELETE', pathOf(id, '?delete=true&include_bundle=true')),
    app.call('DELETE', pathOf(id).replace('.json', '/installs.json')),
    app.call('POST', pathOf(id).replace('.json', '/renewals.json')),
    app.call('POST', pathOf(id).replace('.json', '/resend.json')),
  ]
  for (const { status } of await Promise.all(calls)) assert.equal(status, 404)
})
