import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { createAddon, createOffer } from '../../../test/catalogue.ts'

let app: TestApp
let owner: { developerId: number; storeId: number; productId: number }
before(async () => {
  app = await startTestApp('addon-pricing')
  const { developer, store, product } = app.seller
  owner = { developerId: developer.id, storeId: store.id, productId: product.id }
})
after(() => app.close())

test('plans of every add-on are listed with prices and features, unreleased ones on request', async () => {
  const scope = { ...owner, productId: app.seller.other.id }
  const [released, pending] = await app.write(async (tx) => {
    const ids = [await createAddon(tx, scope, 'Released'), await createAddon(tx, scope, 'Pending')] as const
    for (const id of ids) await createOffer(tx, { ...owner, productId: id }, 'addon-plan')
    return ids
  })
  await app.write(({ db }) =>
    db.updateTable('products').set({ is_released: false }).where('id', '=', pending).execute(),
  )
  const read = async (path: string) =>
    (
      await app.call('GET', `/products/${app.seller.other.id}/addons/${path}`, {
        token: app.seller.other.token,
      })
    ).json
  const { addons } = await read('pricing.json?type=visible')
  assert.deepEqual(
    addons.map(({ id }: { id: string }) => id),
    [String(released)],
  )
  const [plan] = addons[0].plans
  assert.deepEqual([plan.name, plan.pricing.length, plan.features.length], ['addon-plan', 1, 1])
  const { plans, plugin } = await read(`${released}/pricing.json?type=visible`)
  assert.deepEqual(plans, addons[0].plans)
  assert.equal(plugin.parent_plugin_id, String(app.seller.other.id))
  assert.equal((await read('pricing.json?show_pending=true')).addons.length, 2)
  assert.deepEqual((await read(`${pending}/pricing.json`)).plans, [])
  assert.equal((await read(`${pending}/pricing.json?show_pending=true`)).plans.length, 1)
  assert.deepEqual((await app.call('GET', `/products/${owner.productId}/addons/pricing.json`)).json, {
    addons: [],
  })
  const foreign = `/products/${owner.productId}/addons/${released}/pricing.json`
  assert.equal((await app.call('GET', foreign)).status, 404)
  const anyone = asPublic(app, app.seller.other)
  assert.equal((await anyone('GET', '/addons/pricing.json')).status, 200)
  assert.equal((await anyone('GET', `/addons/${released}/pricing.json`)).status, 200)
})
