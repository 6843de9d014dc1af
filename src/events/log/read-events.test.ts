import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('read_events')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const newest = async () => (await app.call('GET', path('/events.json?count=1'))).json.events[0]

test('an event shows its license as it is now, with its key, and false once that is erased', async () => {
  const license = await licenseOf(app, 1)
  const change = await app.call('PUT', path(`/licenses/${license.id}.json`), { body: { quota: 7 } })
  const event = await newest()
  assert.equal(event.type, 'license.quota.changed')
  assert.deepEqual(event.objects.license, change.json)
  assert.equal(event.objects.license.secret_key, license.secret_key)
  await app.call('DELETE', path(`/licenses/${license.id}.json?delete=true`))
  const { events } = (await app.call('GET', path('/events.json?count=2'))).json
  assert.deepEqual(
    events.map(({ objects }: typeof event) => objects.license),
    [false, false],
  )
})

test('what an install writes into its own event brings no license, to itself or to the seller', async () => {
  const foreign = await licenseOf(app, 1)
  const install = await createInstallOf(app, await createOwner(app))
  const call = asInstall(app, keysOf(install))
  const told = { type: 'form.sent', properties: { license_id: foreign.id } }
  const { status, json } = await call('POST', '/events.json', told)
  assert.deepEqual([status, json.objects.license], [200, null])
  assert.equal((await newest()).objects.license, null)
})

test('an install that reads its events gets no key of a license that was on it', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const install = await createInstallOf(app, owner)
  const call = asInstall(app, keysOf(install))
  await call('PUT', '.json', { license_key: license.secret_key })
  const { events } = (await call('GET', '/events.json')).json
  const activated = events.find(({ type }: { type: string }) => type === 'license.activated')
  assert.deepEqual([activated.data.license_id, activated.objects.license], [license.id, null])
})
