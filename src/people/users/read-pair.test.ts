import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, holding, keysOf } from '../../../test/installs.ts'
import { optInProven } from '../../../test/opt-in.ts'
import { sell } from '../../../test/sales.ts'
import type { Keys } from '../../catalogue/sellers/create-seller.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('read_pair')
})
after(() => app.close())

/** Ways to make an install of whole reach, which was never handed out a pair. */
const makers = {
  'its person': async (owner: Keys, uid: string) =>
    expectOk(await asUser(app, owner)('POST', '/installs.json', { uid, url: 'https://site.example.org' }))
      .json,
  'the seller': (owner: Keys, uid: string) => createInstallOf(app, owner, { uid }),
}

for (const [maker, make] of Object.entries(makers)) {
  test(`the pair that an install made by ${maker} has read stays of own reach when its person connects it`, async () => {
    const owner = await createOwner(app)
    const { license } = await sell(app, { owner })
    const other = await createOwner(app)
    const uid = newUid()
    const install = await make(owner, uid)
    const byInstall = asInstall(app, keysOf(install))
    const read = expectOk(await byInstall('GET', `/users/${owner.id}.json`)).json
    const pair = asUser(app, keysOf(read))
    const whole = await optInProven(app, owner, { site_uid: uid })
    assert.notEqual(whole['user_public_key'], read.public_key)
    const { user } = holding(app, whole)
    assert.equal((await user('GET', '.json')).json.email, owner.email)
    assert.equal((await user('GET', '/licenses.json')).json.licenses[0].id, license.id)
    assert.equal(
      (await optInProven(app, owner, { site_uid: uid }))['user_public_key'],
      whole['user_public_key'],
    )
    const profile = expectOk(await pair('GET', '.json'))
    assert.deepEqual([profile.json.email, profile.json.secret_key], ['', read.secret_key])
    assert.deepEqual((await pair('GET', '/licenses.json')).json.licenses, [])
    const email = `eve-of-${other.id}@example.com`
    const taking = await pair('PUT', '.json', { email })
    assert.deepEqual([taking.status, taking.json.error.code], [400, 'account_verification_required'])
    const later = expectOk(await byInstall('GET', `/users/${owner.id}.json`)).json
    assert.deepEqual([later.public_key, later.secret_key], [whole['user_public_key'], undefined])
  })
}
