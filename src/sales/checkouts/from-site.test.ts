import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { contextOf } from '../../../test/site-context.ts'
import { MINUTE } from '../../lib/time.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
let clients: Clients
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_from_site')
  clients = clientsOf(app)
  shop = await changeShop(app)
})
after(() => app.close())

const seconds = () => Math.floor(app.ctx.clock.real() / 1000)

let people = 0
const someone = () => ({
  user_email: `visitor${++people}@example.com`,
  user_firstname: 'Vi',
  country_code: 'us',
  plan_id: shop.plans.basic,
})

/** A site with keys that reach the whole of its owner. */
async function wholeSite(body: object = {}) {
  const owner = await createOwner(app)
  return { owner, site: await createInstallOf(app, owner, { url: 'https://site.example', ...body }) }
}

/** A site that was activated by a license key of its owner, and has it no more. */
async function ownSite() {
  const email = `secretive${++people}@example.com`
  await userOf(app, email)
  const active = await clients.active(await licenseOf(app, 1, { body: { email } }))
  expectOk(await clients.deactivate(active))
  return { email, site: (await shop.get(`/installs/${active.installId}.json`)) as Install }
}

async function openAt(site: Install, body: object = {}) {
  const { status, json, text } = await shop.open({ ...shop.sandbox(), ...contextOf(app, site), ...body })
  assert.equal(status, 201, text)
  return json
}

const cartOf = async (email: string) =>
  (await shop.get(`/carts.json?email=${encodeURIComponent(email)}`)).carts[0]

async function pay(id: string) {
  const { json, text } = await shop.pay(id)
  assert.equal(json.state, 'paid', text)
  return json
}

/** Which install the cart of an address is of, and what was sold there. */
async function installsOf(email: string, licenseId: string) {
  const [cart, { install_id: subscribed }] = [await cartOf(email), await shop.subscriptionOf(licenseId)]
  const payments = await shop.paymentsOf(licenseId)
  return [cart?.install_id ?? null, subscribed, ...payments.map(({ install_id: id }) => id && String(id))]
}

test('what is bought from a site is of its install, before its license is anywhere', async () => {
  const { site: other } = await wholeSite({ url: 'https://other.example' })
  const { site } = await ownSite()
  const url = 'https://bound.example'
  expectOk(await app.call('PUT', `${shop.base}/installs/${site.id}.json`, { body: { url, title: 'Bound' } }))
  const buyer = someone()
  const session = await openAt(site, buyer)
  assert.equal((await cartOf(buyer.user_email)).install_id, site.id)
  const { license_id: licenseId, license_key: key } = await pay(session.id)
  assert.deepEqual(await installsOf(buyer.user_email, licenseId), [site.id, site.id, site.id])
  const { payments } = await shop.get('/payments.json?extended=true')
  assert.equal(payments.find((one: { license_id: string }) => one.license_id === licenseId).url, url)
  const { subscriptions } = await shop.get('/subscriptions.json?extended=true')
  const sold = subscriptions.find((one: { license_id: string }) => one.license_id === licenseId)
  assert.deepEqual([sold.url, sold.title], [url, 'Bound'])
  const elsewhere = someone()
  const { license_id: otherId } = await pay((await openAt(other, elsewhere)).id)
  const ofOther = await shop.paymentsOf(otherId)
  assert.deepEqual(
    ofOther.map(({ install_id: id }) => String(id)),
    [other.id],
  )

  const license = { ...(await shop.licenseOf(licenseId)), secret_key: key }
  const { installId } = await clients.active(license, { url: 'https://moved.example' })
  assert.notEqual(installId, site.id)
  const moved = await installsOf(buyer.user_email, licenseId)
  assert.deepEqual(moved, [site.id, installId, site.id], 'its subscription goes where its license is')
})

test('keys that came by a license key tell a checkout nothing of their owner, and prove nothing', async () => {
  const { email, site } = await ownSite()
  const { status, text, json } = await shop.open({ ...shop.sandbox(), ...contextOf(app, site) })
  assert.equal(status, 201)
  assert.equal(text.includes(email), false)
  assert.deepEqual([json.buyer.email, json.buyer.is_readonly], ['', false])
  const typed = await openAt(site, { ...someone(), user_email: email })
  assert.equal(typed.buyer.is_readonly, false)
  assert.deepEqual(
    [(await cartOf(email)).install_id, (await cartOf(email)).user_id],
    [site.id, null],
    'a typed address is nobody’s proof',
  )
})

test('the owner of a site whose keys are the owner’s is the buyer and stays it; of one proof one is paid', async () => {
  const { owner, site } = await wholeSite()
  const [first, second] = [await openAt(site, someone()), await openAt(site, someone())]
  for (const { buyer } of [first, second]) {
    assert.deepEqual([buyer.email, buyer.first, buyer.is_readonly], [owner.email, 'Some', true])
  }
  const cart = await cartOf(owner.email)
  assert.deepEqual([cart.install_id, cart.user_id], [site.id, String(owner.id)])
  const { license_id: id } = await pay(first.id)
  assert.equal((await shop.licenseOf(id)).user_id, String(owner.id))
  const again = await shop.pay(second.id)
  assert.deepEqual([again.status, again.json.error.code], [400, 'invalid_user_token'])

  const person = await createOwner(app)
  const { buyer } = await openAt(site, { ...someone(), ...(await proofOf(app, person.email)) })
  assert.equal(buyer.email, person.email, 'a token of a user names the buyer')
})

test('a wrong, foreign or old proof and one of another product bind a checkout to nothing, which is opened all the same', async () => {
  const { owner, site } = await wholeSite()
  const { site: foreign } = await wholeSite()
  const elsewhere = await createInstallOf(
    app,
    await createOwner(app, owner.email, app.seller.other),
    {},
    app.seller.other,
  )
  const right = contextOf(app, site)
  const wrong = [
    { s_ctx_type: '0', s_ctx_id: '0', s_ctx_ts: '0', s_ctx_secure: '0' },
    { ...right, s_ctx_type: 'user' },
    { ...right, s_ctx_type: undefined },
    { ...right, s_ctx_id: foreign.id },
    { ...right, s_ctx_id: '999999999' },
    { ...right, s_ctx_secure: right.s_ctx_secure.replace(/^./, (one) => (one === '0' ? '1' : '0')) },
    contextOf(app, site, { word: 'upgrade' }),
    contextOf(app, site, { ts: seconds() - (15 * MINUTE) / 1000 - 1 }),
    contextOf(app, site, { ts: seconds() + (15 * MINUTE) / 1000 + 1 }),
    contextOf(app, elsewhere),
  ]
  for (const context of wrong) {
    const buyer = someone()
    const { status, json, text } = await shop.open({ ...buyer, ...context })
    assert.equal(status, 201, text)
    assert.deepEqual([json.buyer.email, json.buyer.is_readonly], [buyer.user_email, false])
    assert.equal((await cartOf(buyer.user_email)).install_id, null, JSON.stringify(context))
  }
  const { status, json } = await shop.open({ ...someone(), ...right })
  assert.deepEqual([status, json.buyer.email], [201, owner.email])
})

test('a site that is erased before its checkout is paid leaves the purchase as it is, of no install', async () => {
  const { site } = await ownSite()
  const buyer = someone()
  const session = await openAt(site, buyer)
  expectOk(await app.call('DELETE', `${shop.base}/installs/${site.id}.json`))
  const changed = await shop.call('PUT', `/${session.id}.json`, { user_lastname: 'Sitor' })
  assert.equal(changed.status, 200, changed.text)
  const { license_id: id } = await pay(session.id)
  assert.deepEqual(await installsOf(buyer.user_email, id), [null, null, null])
  const { buyer: nobody } = await openAt(site)
  assert.equal(nobody.email, '')
})

const readSite = async ({ id }: Pick<Install, 'id'>): Promise<Install> => shop.get(`/installs/${id}.json`)

/** A site of the sandbox that was activated by the key of what its owner bought there. */
async function sandboxSite() {
  const buyer = someone()
  const { json: session } = await shop.open({ ...shop.sandbox(), ...buyer })
  const { license_id: id, license_key: key } = await pay(session.id)
  const license = { ...(await shop.licenseOf(id)), secret_key: key }
  const { installId, token } = await clients.active(license, { url: 'https://sandbox-site.org' })
  return { email: buyer.user_email, license, token, site: await readSite({ id: installId }) }
}

/** Opens a live checkout from a site that costs nothing. */
async function freeAt(site: Install, body: object) {
  const code = `GIFT${++people}`
  const gift = { code, discount: 100, discount_type: 'percentage' }
  expectOk(await app.call('POST', `${shop.base}/coupons.json`, { body: gift }))
  const { status, json, text } = await shop.open({ ...contextOf(app, site), ...body, coupon: code })
  assert.equal(status, 201, text)
  return json
}

test('what the owner of a site buys from it is on it at once, in the place of what it had', async () => {
  const { email, license, token, site } = await sandboxSite()
  const session = await openAt(site, { ...someone(), user_email: email, plan_id: shop.plans.pro })
  const { license_id: id } = await pay(session.id)
  const bought = await shop.licenseOf(id)
  assert.deepEqual(
    [await clients.counts(bought), await clients.counts(license)],
    [
      [1, 0],
      [0, 0],
    ],
  )
  const { json: told } = await app.call('GET', `/installs/${site.id}.json`, { token })
  assert.deepEqual([told.license_id, told.plan_id], [id, shop.plans.pro])
  assert.equal((await shop.subscriptionOf(id)).install_id, site.id)
  const { json: opened } = await app.call('GET', `/installs/${site.id}/licenses/${id}.json`, { token })
  assert.equal(opened.id, id, 'the keys of the site reach it')
  const again = await shop.pay(session.id)
  assert.equal(again.json.license_id, id)
  assert.deepEqual(await clients.counts(bought), [1, 0])

  const { owner, site: live } = await wholeSite()
  const { license_id: liveId } = await pay((await freeAt(live, someone())).id)
  assert.equal((await readSite(live)).license_id, liveId)
  assert.equal((await shop.licenseOf(liveId)).user_id, String(owner.id))
})

test('a site gets nothing that another person has, of another environment, or that was got for nothing by a typed address', async () => {
  const { license, site } = await sandboxSite()
  await pay((await openAt(site, someone())).id)
  assert.equal((await readSite(site)).license_id, license.id, 'another person')
  const { site: live } = await wholeSite()
  await pay((await openAt(live, someone())).id)
  assert.equal((await readSite(live)).license_id, null, 'another environment')
  const { email, site: own } = await ownSite()
  await pay((await freeAt(own, { ...someone(), user_email: email })).id)
  assert.equal((await readSite(own)).license_id, null, 'a gift')
})

test('what may not be on the site that it was bought from is bought all the same', async () => {
  const { site } = await wholeSite()
  const session = await freeAt(site, { ...someone(), plan_id: shop.plans.pro })
  const setReleased = (is_released: boolean) =>
    app.write(({ db }) =>
      db.updateTable('products').set({ is_released }).where('id', '=', app.seller.product.id).execute(),
    )
  await setReleased(false)
  const { license_id: id } = await pay(session.id)
  await setReleased(true)
  assert.deepEqual([(await readSite(site)).license_id, await clients.counts({ id })], [null, [0, 0]])
})
