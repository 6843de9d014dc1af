import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('updates_sandbox')
})
after(() => app.close())

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`
const set = async (id: string, body: object) =>
  expectOk(await app.call('PUT', at(`/tags/${id}.json`), { body })).json
const allow = (data: object) =>
  app.call('PUT', at('/settings.json'), { body: { setting_type: 5, data: JSON.stringify(data) } })

/** An install with a license of this environment. */
async function licensed(environment: 0 | 1): Promise<Install> {
  const owner = await createOwner(app)
  const license = await licenseOn(app, await offerFor(app, 5), { body: { email: owner.email } })
  await app.write((tx) =>
    tx.db.updateTable('licenses').set({ environment }).where('id', '=', Number(license.id)).execute(),
  )
  return createInstallOf(app, owner, { version: '1.0', license_key: license.secret_key })
}

/** The next version of an install and its build; null: there is none. */
async function next({ id }: Install, query = '') {
  const { json } = await app.call('GET', at(`/installs/${id}/updates/latest.json?newer_than=1.0${query}`))
  if (json.error) return json.error.http === 404 ? null : json.error.code
  return [json.version, json.url.includes('is_premium=true') ? 'premium' : 'free', json.url]
}

test('a license of the sandbox gets the premium build of what is released to the sandbox alone', async () => {
  const [sandbox, live] = [await licensed(1), await licensed(0)]
  const released = await release(app, '2.0')
  const { has_free: hasFree } = await set(released, {})
  assert.equal((await next(live))?.[1], 'premium')
  assert.equal(await next(sandbox, '&is_premium=true'), null)
  assert.deepEqual((await next(sandbox))?.slice(0, 2), hasFree ? ['2.0', 'free'] : undefined)
  const archive = await app.call('GET', at(`/installs/${sandbox.id}/updates/latest.zip?is_premium=true`))
  assert.equal(archive.status, 404)

  const tried = await release(app, '3.0', { release_mode: 'pending' })
  assert.equal((await set(tried, { is_sandbox: true })).is_sandbox, true)
  const [version, build, url] = await next(sandbox)
  assert.deepEqual([version, build], ['3.0', 'premium'])
  assert.equal((await fetch(url.replace('http://keywright.test', app.address))).status, 200)
  assert.equal((await next(live))?.[0], '2.0', 'it is released to nobody else')

  await set(tried, { is_sandbox: false })
  assert.equal((await fetch(url.replace('http://keywright.test', app.address))).status, 404)
})

test('a setting of the product gives the sandbox what live licenses get', async () => {
  const sandbox = await licensed(1)
  assert.equal(await next(sandbox, '&is_premium=true'), null)
  expectOk(await allow({ sandbox_gets_released: true }))
  assert.deepEqual((await next(sandbox, '&is_premium=true')).slice(0, 2), ['2.0', 'premium'])
  expectOk(await allow({ sandbox_gets_released: false }))
  assert.equal(await next(sandbox, '&is_premium=true'), null)
})

test('a user with a live license and one of the sandbox is served by the live one', async () => {
  const owner = await createOwner(app)
  const offer = await offerFor(app, 5)
  const [one, two] = [
    await licenseOn(app, offer, { body: { email: owner.email } }),
    await licenseOn(app, offer, { body: { email: owner.email } }),
  ]
  const keys = { id: Number(owner.id), publicKey: owner.publicKey, secretKey: owner.secretKey }
  const latest = () => asUser(app, keys)('GET', '/updates/latest.json?is_premium=true')
  const into = (id: string, environment: 0 | 1) =>
    app.write((tx) =>
      tx.db.updateTable('licenses').set({ environment }).where('id', '=', Number(id)).execute(),
    )
  await into(one.id, 1)
  assert.equal((await latest()).json.version, '2.0')
  await into(two.id, 1)
  assert.equal((await latest()).status, 404)
})
