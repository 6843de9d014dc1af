import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
let clients: Clients
before(async () => {
  app = await startTestApp('archived')
  shop = await changeShop(app)
  clients = clientsOf(app)
  await app.write(({ db }) =>
    db.updateTable('plans').set({ trial_period: 7 }).where('id', '=', Number(shop.plans.pro)).execute(),
  )
})
after(() => app.close())

const archive = (isArchived: boolean) =>
  app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ is_active: !isArchived })
      .where('id', '=', app.seller.product.id)
      .execute(),
  )
const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
const buying = (email: string) => ({
  ...shop.sandbox(),
  user_email: email,
  user_firstname: 'Ada',
  country_code: 'us',
  plan_id: shop.plans.basic,
})

test('an archived product sells nothing: no checkout is opened or paid, no trial begun, no upgrade made', async () => {
  const bought = await shop.buy()
  const { json: open } = await shop.open(buying('late@example.com'))
  const { json: tried } = await shop.open({
    ...buying('tries@example.com'),
    plan_id: shop.plans.pro,
    trial: 'free',
  })
  const { json: upgrade } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  const install = await createInstallOf(app, await createOwner(app))
  await archive(true)
  assert.deepEqual(codeOf(await shop.open(buying('new@example.com'))), [404, 'not_found'])
  for (const session of [open, tried, upgrade])
    assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'product_not_sold'])
  const upgraded = { plan_id: shop.plans.pro }
  assert.deepEqual(codeOf(await shop.openFor(bought.id, upgraded)), [400, 'product_not_sold'])
  const link = clients.path(`/licenses/${bought.id}/checkout/link.json`)
  assert.deepEqual(codeOf(await app.call('POST', link, { body: upgraded })), [400, 'product_not_sold'])
  assert.equal((await app.call('POST', link, { body: {} })).status, 201)
  const trials = clients.path(`/installs/${install.id}/plans/${shop.plans.pro}/trials.json`)
  assert.deepEqual(codeOf(await app.call('POST', trials)), [400, 'product_not_sold'])
  await archive(false)
  for (const session of [open, tried]) assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.equal((await app.call('POST', trials)).status, 200)
})

test('what was sold goes on: a license is activated anew, verified, renewed, and its method of payment replaced', async () => {
  const bought = await shop.buy()
  await archive(true)
  const uid = newUid()
  const body = { license_key: bought.key, uid, url: 'https://shop.example.org' }
  const activated = await app.call('POST', clients.path('/licenses/activate.json'), { token: null, body })
  assert.equal(activated.status, 200, activated.text)
  const { install_id: installId } = activated.json
  const verify = `/installs/${installId}/license.json?uid=${uid}&license_key=${bought.key}`
  assert.equal((await app.call('GET', clients.path(verify), { token: null })).status, 200)
  const { json: other } = await shop.openFor(bought.id, { is_payment_method_update: true })
  assert.equal((await shop.pay(other.id)).json.state, 'paid')
  const { json: renewal } = await shop.openFor(bought.id)
  assert.equal(renewal.change.kind, 'renewal')
  const before = (await shop.licenseOf(bought.id)).expiration
  assert.equal((await shop.pay(renewal.id)).json.state, 'paid')
  assert.ok((await shop.licenseOf(bought.id)).expiration > before)
  await archive(false)
})

test('nobody is mailed about a cart of an archived product, and an archived add-on is listed on request alone', async () => {
  const { json } = await shop.open({ ...buying('left@example.com'), sandbox: undefined, s_ctx_ts: undefined })
  assert.ok(json.id, JSON.stringify(json))
  await archive(true)
  app.ctx.clock.set(START + 30 * HOUR)
  await runDue(app.ctx)
  assert.deepEqual(await mailsTo(app, 'left@example.com'), [])
  const { product, other } = app.seller
  const addons = async (more = '') =>
    (await app.call('GET', `/products/${other.id}/addons.json?fields=id${more}`, { token: other.token })).json
      .addons
  await app.write(({ db }) =>
    db.updateTable('products').set({ parent_plugin_id: other.id }).where('id', '=', product.id).execute(),
  )
  assert.deepEqual([await addons(), await addons('&show_pending=true')], [[], [{ id: String(product.id) }]])
  await archive(false)
  assert.deepEqual(await addons(), [{ id: String(product.id) }])
})
