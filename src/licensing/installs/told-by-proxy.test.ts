// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { newUid } from '../../../test/activations.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('told_by_proxy', {
    config: { trustProxy: ['127.0.0.1', '::1'], countryHeader: 'cf-ipcountry' },
  })
})
after(() => app.close())

test('an install has the country of the client that activates it, not that of a seller who makes it', async () => {
  const { product } = app.seller
  await userOf(app, 'country@example.com')
  const { secret_key: key } = await licenseOf(app, 1, { body: { email: 'country@example.com' } })
  const headers = { 'cf-ipcountry': 'se' }
  const activated = await app.call('POST', `/products/${product.id}/licenses/activate.json`, {
    token: null,
    headers,
    body: { uid: newUid(), license_key: key },
  })
  assert.equal(activated.status, 200, activated.text)
  const countryOf = async (id: string) =>
    (await app.call('GET', `/products/${product.id}/installs/${id}.json`, { headers })).json.country_code
  assert.equal(await countryOf(activated.json.install_id), 'se')

  const install = await createInstallOf(app, await createOwner(app), { version: '1.0' })
  assert.equal(await countryOf(String(install.id)), null)
})

test('fields in a body pick the fields of the answer, as those in a query do', async () => {
  const install = await createInstallOf(app, await createOwner(app), { version: '1.0' })
  const as = asInstall(app, keysOf(install))
  const inBody = await as('PUT', '.json', { is_beta: true, fields: 'is_beta' })
  assert.deepEqual(inBody.json, { is_beta: true })
  const both = await as('PUT', '.json?fields=id', { is_beta: false, fields: 'is_beta' })
  assert.deepEqual(both.json, { id: install.id }, 'the query wins')
})

test('nobody but a trusted proxy says where a caller is', async (t) => {
  const config = { trustProxy: ['203.0.113.0/24'], countryHeader: 'cf-ipcountry' }
  const others = await startTestApp('told_by_others', { config })
  t.after(() => others.close())
  const said = { token: null, headers: { 'cf-ipcountry': 'de' } }
  const codes = [others, app].map(async ({ call }) => (await call('GET', '/checkout/geo.json', said)).json)
  const [told, trusted] = await Promise.all(codes)
  assert.deepEqual([told.country.code, trusted.country.code], [null, 'DE'])
})
