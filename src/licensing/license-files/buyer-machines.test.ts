import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { inPortal } from '../../../test/portal-sessions.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('buyer_machines')
  clients = clientsOf(app)
})
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`

async function bought(quota: number) {
  const license = await clients.ownLicense(quota)
  const { call } = await inPortal(app, { id: String(license.user_id) })
  return {
    license,
    call,
    name: (uid: string) =>
      call('POST', own('/installs.json'), { uid, title: 'Cutter', license_id: license.id }),
    file: (uid: string) => call('POST', own(`/licenses/${license.id}/file.json`), { uid }),
  }
}

test('a buyer names a machine that was never online, which takes a place once, and gets its file', async () => {
  const { license, name, file } = await bought(1)
  const uid = newUid()
  assert.equal((await file(uid)).status, 404, 'not before it has a place')
  expectOk(await name(uid))
  assert.equal(expectOk(await file(uid)).json.uid, uid)
  expectOk(await name(uid))
  assert.deepEqual(await clients.counts(license), [1, 0])
  assert.equal(await clients.refusal(name(newUid())), '400 license_utilized')
})

test("a buyer names no machine, makes no file and writes no list for another buyer's license", async () => {
  const { license } = await bought(2)
  const { call } = await inPortal(app, { id: await userOf(app, `${newUid()}@example.com`) })
  const site = await clients.active(license)
  const lists = own(`/licenses/${license.id}/sites.json`)
  for (const refused of [
    call('POST', own('/installs.json'), { uid: newUid(), license_id: license.id }),
    call('POST', own(`/licenses/${license.id}/file.json`), { uid: site.uid }),
    call('GET', lists),
    call('POST', lists, { kind: 'allow', pattern: 'example.com' }),
  ])
    assert.equal((await refused).status, 404)
  assert.deepEqual(await clients.counts(license), [1, 0])
})

test('a buyer keeps a license to an address and lets go of it, by the cookie of the portal', async () => {
  const { license, call } = await bought(2)
  const lists = own(`/licenses/${license.id}/sites`)
  const added = expectOk(await call('POST', `${lists}.json`, { kind: 'allow', pattern: 'shop.example.com' }))
  const refused = clients.activate({ license_key: license.secret_key, url: 'https://other.example.com' })
  assert.equal(await clients.refusal(refused), '400 license_error')
  await clients.active(license, { url: 'https://shop.example.com' })
  assert.equal((await call('DELETE', `${lists}/${added.json.id}.json`)).status, 204)
  await clients.active(license, { url: 'https://other.example.com' })
})
