import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createAddon, createOffer } from '../../../test/catalogue.ts'
import { createInstallOf, createOwner, expectOk, newUid } from '../../../test/installs.ts'
import { licenseOf, offerFor } from '../../../test/licenses.ts'
import { trialShop } from '../../../test/trials.ts'
import type { Install } from '../../licensing/installs/schema.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('tried_site')
})
after(() => app.close())

const seconds = () => Math.floor(app.ctx.clock.real() / 1000)

/** What a pricing page on a site says of its install. */
function contextOf({ id, secret_key: secret, public_key: key }: Install, ts = seconds()) {
  const secure = hash('md5', `${ts}${id}${secret}${key}upgrade`)
  return { s_ctx_type: 'install', s_ctx_id: id, s_ctx_ts: String(ts), s_ctx_secure: secure }
}

const table = (
  context: Readonly<Record<string, string>>,
  { headers = {}, product = app.seller.product } = {},
) =>
  app.call('GET', `/products/${product.id}/pricing.json?${new URLSearchParams(context)}`, {
    headers,
    token: product.token,
  })
const isTried = async (context: Readonly<Record<string, string>>) =>
  expectOk(await table(context)).json.trial_utilized

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

test('a pricing page on an install that has had its trial is told so, and one that had the table is sent it anew', async () => {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const owner = await createOwner(app)
  const uid = newUid()
  const site = await createInstallOf(app, owner, { uid })
  const before = expectOk(await table(contextOf(site)))
  assert.equal(before.json.trial_utilized, false)
  expectOk(await app.call('POST', path(`/installs/${site.id}/plans/${planId}/trials.json`)))
  const known = { 'if-none-match': before.headers.get('etag') ?? '' }
  const again = await table(contextOf(site), { headers: known })
  assert.deepEqual([again.status, again.json.trial_utilized], [200, true])
  assert.equal(await isTried(contextOf(await createInstallOf(app, owner))), false, 'another site')

  expectOk(await app.call('DELETE', path(`/installs/${site.id}.json`)))
  const reborn = await createInstallOf(app, owner, { uid })
  assert.equal(await isTried(contextOf(reborn)), true, 'the same site once more')
})

test('where a license key has had its trial, the page of each site with its keys is told so', async () => {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const owner = await createOwner(app)
  const license = await licenseOf(app, null, { body: { email: owner.email } })
  const site = async () => {
    const active = await clientsOf(app).active(license)
    expectOk(await clientsOf(app).deactivate(active))
    const { json } = expectOk(await app.call('GET', path(`/installs/${active.installId}.json`)))
    return { ...active, context: contextOf(json) }
  }
  const [first, second] = [await site(), await site()]
  assert.equal(await isTried(second.context), false)
  const tries = path(`/installs/${first.installId}/plans/${planId}/trials.json`)
  expectOk(await app.call('POST', tries, { token: first.token }))
  assert.equal(await isTried(second.context), true)
  assert.equal(
    await isTried(contextOf(await createInstallOf(app, owner))),
    false,
    'but not that of the owner',
  )
})

test('of an install that is not proven nothing is told, and the table is shown all the same', async () => {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const site = await createInstallOf(app, await createOwner(app))
  expectOk(await app.call('POST', path(`/installs/${site.id}/plans/${planId}/trials.json`)))
  const right = contextOf(site)
  assert.equal(await isTried(right), true)
  const wrong = [
    {},
    { s_ctx_type: '0', s_ctx_id: '0', s_ctx_ts: '0', s_ctx_secure: '0' },
    { ...right, s_ctx_secure: right.s_ctx_secure.replace(/^./, (one) => (one === '0' ? '1' : '0')) },
    { ...right, s_ctx_type: 'user' },
    { ...right, s_ctx_id: '999999999' },
    contextOf(site, seconds() - (15 * MINUTE) / 1000 - 1),
    contextOf(site, seconds() + (15 * MINUTE) / 1000 + 1),
  ]
  for (const context of wrong) assert.equal(await isTried(context), false, JSON.stringify(context))
  const other = expectOk(await table(right, { product: app.seller.other }))
  assert.equal(other.json.trial_utilized, false, "another product's install")
})

test('the page of an add-on is told of trials of the add-on, and of none where it wants none', async () => {
  const { developer, store, product } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  const { addonId, planId } = await app.write(async (tx) => {
    const id = await createAddon(tx, owner, 'Tried')
    const offer = await createOffer(tx, { ...owner, productId: id }, 'tried')
    await tx.db.updateTable('plans').set({ trial_period: 14 }).where('id', '=', offer.planId).execute()
    return { addonId: id, planId: offer.planId }
  })
  const person = await createOwner(app)
  const site = await createInstallOf(app, person)
  const ofAddon = path(`/installs/${site.id}/addons/${addonId}/installs.json`)
  const [onSite]: Install[] = expectOk(await app.call('POST', ofAddon, { body: { uid: newUid() } })).json
    .installs
  assert.ok(onSite)
  const call = await asDeveloper(app)
  const tries = `/products/${addonId}/installs/${onSite.id}/plans/${planId}/trials.json`
  const told = async (context: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(context)
    const { json } = expectOk(await app.call('GET', path(`/addons/${addonId}/pricing.json?${query}`)))
    return [json.trial_mode, json.trial_utilized]
  }
  const right = contextOf(onSite)
  assert.deepEqual(await told(right), [true, false])
  expectOk(await call('POST', tries))
  assert.deepEqual(await told(right), [true, true])
  assert.deepEqual(await told({ ...right, trial: 'false' }), [false, true])
  for (const name of Object.keys(right)) {
    assert.deepEqual(await told({ ...right, [name]: '0' }), [true, false], name)
  }
})

test('a trial of the checkout is the trial of the site that it is put on, also once it was cancelled there', async () => {
  const shop = await trialShop(app)
  const owner = await createOwner(app)
  const { json: session } = await shop.open({
    user_email: owner.email,
    plan_id: shop.free.planId,
    trial: 'free',
  })
  expectOk(await shop.pay(session.id))
  const [license] = (await shop.get(`/users/${owner.id}/licenses.json?type=all`)).licenses
  const uid = newUid()
  const site = await createInstallOf(app, owner, { uid })
  const begin = (id: string) =>
    app.call('POST', path(`/installs/${id}/plans/${shop.free.planId}/trials.json`))
  assert.equal(await isTried(contextOf(site)), false)
  const active = await clientsOf(app).active(license, { uid, install_id: site.id })
  assert.equal(active.installId, site.id)
  const there = async () => (await shop.get(`/installs/${site.id}.json`)) as Install
  assert.equal(await isTried(contextOf(await there())), true)
  expectOk(await app.call('DELETE', path(`/installs/${site.id}/trials.json`)))
  assert.equal(await isTried(contextOf(await there())), true)
  const second = await begin(site.id)
  assert.deepEqual([second.status, second.json.error?.code], [400, 'trial_utilized'])
  expectOk(await app.call('DELETE', path(`/installs/${site.id}.json`)))
  const reborn = await createInstallOf(app, owner, { uid })
  assert.equal((await begin(reborn.id)).json.error?.code, 'trial_utilized')
  expectOk(await begin((await createInstallOf(app, owner)).id))
})
