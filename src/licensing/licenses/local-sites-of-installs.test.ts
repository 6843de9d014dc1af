// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'
import type { Install } from '../installs/schema.ts'

const OF_PAIR = 5

let app: TestApp
before(async () => {
  const pairs = { perSecond: 1 / 3_600, burst: OF_PAIR }
  app = await startTestApp('local_sites_of_installs', { config: { rate: { ...GENEROUS, pairs } } })
})
after(() => app.close())

const LOCAL = 'http://localhost/site'
const LIVE = 'https://site.example.org'

/** On how many sites of these addresses an owner puts an unlimited license, with what the calls say of it. */
async function many(
  url: string,
  { told = {}, byId = false, inList = false }: { told?: object; byId?: boolean; inList?: boolean },
) {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const { id, secret_key: license_key } = await licenseOf(app, null, { body: { email: owner.email } })
  const put = asUser(app, owner)
  const sites = await Promise.all(
    Array.from({ length: OF_PAIR + 3 }, () => createInstallOf(app, owner, { url })),
  )
  const path = (site: Install) => `/products/${app.seller.product.id}/installs/${site.id}.json`
  const list = `/products/${app.seller.product.id}/installs.json`
  const calls = sites.map((site) => {
    if (byId) return asInstall(app, keysOf(site))('PUT', `/licenses/${id}.json`, {})
    if (inList) return put('PUT', list, { installs: [{ id: site.id, license_key, ...told }] })
    return put('PUT', path(site), { license_key, ...told })
  })
  return letThrough(await Promise.all(calls))
}

test('a license is put on so many installs at work, by what a call says of its address or else by where they are', async () => {
  assert.equal(await many(LOCAL, {}), OF_PAIR)
  assert.equal(await many(LOCAL, { byId: true }), OF_PAIR)
  assert.equal(await many(LIVE, { told: { url: LOCAL } }), OF_PAIR)
  assert.equal(await many(LOCAL, { inList: true }), OF_PAIR)
  assert.equal(await many(LIVE, { inList: true, told: { url: LOCAL } }), OF_PAIR)
  for (const more of [{ told: { url: LIVE } }, { byId: true }, {}])
    assert.equal(await many('told' in more ? LOCAL : LIVE, more), OF_PAIR + 3)
})
