import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { licenseOf, offerFor } from '../../../test/licenses.ts'
import type { License } from '../licenses/schema.ts'

let app: TestApp
let planId: number
before(async () => {
  app = await startTestApp('trials_by_key')
  planId = (await offerFor(app, 5, { plan: { trial_period: 14 } })).planId
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

/** A license of a person whose key is known to somebody else. */
async function shared() {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  return { owner, license: await licenseOf(app, null, { body: { email: owner.email } }) }
}

/** A site of a new uid that the key has made, and that is on no license. */
async function site(license: License) {
  const active = await clientsOf(app).active(license)
  expectOk(await clientsOf(app).deactivate(active))
  return active
}

const tried = ({ token, installId }: { readonly token: string; readonly installId: string }) =>
  app.call('POST', path(`/installs/${installId}/plans/${planId}/trials.json`), { token })

test('who holds a license key has one trial, whatever uids they name', async () => {
  const { owner, license } = await shared()
  const first = await site(license)
  expectOk(await tried(first))
  expectOk(await app.call('DELETE', path(`/installs/${first.installId}/trials.json`), { token: first.token }))
  for (let n = 0; n < 2; n++) {
    const { status, json } = await tried(await site(license))
    assert.deepEqual([status, json.error?.code], [400, 'trial_utilized'])
  }
  expectOk(await app.call('DELETE', path(`/installs/${first.installId}.json`)))
  assert.equal((await tried(await site(license))).status, 400, 'also when the site is erased')
  const own = await createInstallOf(app, owner)
  const byOwner = app.call('POST', path(`/installs/${own.id}/plans/${planId}/trials.json`))
  assert.equal((await byOwner).status, 200, 'and uses nothing up of the owner')
})

test('of trials that are begun at once by a key on sites of many uids one begins', async () => {
  const { license } = await shared()
  const sites = []
  for (let n = 0; n < 6; n++) sites.push(await site(license))
  const replies = await Promise.all(sites.map(tried))
  const codes = replies.map(({ status, json }) => json.error?.code ?? status)
  assert.deepEqual(codes.toSorted(), [200, ...Array.from({ length: 5 }, () => 'trial_utilized')])
})

test('a site that was tried by a key goes to another user who has had such a trial', async () => {
  const [from, to] = [await shared(), await shared()]
  const sites = [await site(from.license), await site(to.license)]
  for (const one of sites) expectOk(await tried(one))
  const body = { user_id: to.owner.id }
  expectOk(await app.call('PUT', path(`/installs/${sites[0]?.installId}.json`), { body }))
  const { status } = await tried(await site(to.license))
  assert.equal(status, 400)
})

test('who has proven to be the user tries on each of their sites, also where a key has tried', async () => {
  const { owner, license } = await shared()
  expectOk(await tried(await site(license)))
  for (let n = 0; n < 2; n++) {
    const body = { uid: newUid(), trial_plan_id: String(planId) }
    expectOk(await asUser(app, owner)('POST', path('/installs.json'), body))
  }
})
