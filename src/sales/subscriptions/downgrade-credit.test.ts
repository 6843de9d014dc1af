import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk, holding } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('downgrade_credit')
  shop = await changeShop(app)
})
after(() => app.close())

type Site = ReturnType<typeof holding>

/** Each way in which the keys that a site was handed for a license key end what renews the license. */
const ENDS: Readonly<Record<string, (site: Site, of: { license: string; subscription: string }) => unknown>> =
  {
    'downgrades and keeps the license': ({ install }) =>
      install('PUT', '/downgrade.json', { deactivate_license: false }).then(expectOk),
    'downgrades and lets the license go': ({ install }) =>
      install('PUT', '/downgrade.json', { deactivate_license: true }).then(expectOk),
    'cancels the subscription': ({ user }, { subscription }) =>
      user('DELETE', `/subscriptions/${subscription}.json`).then(expectOk),
    'cancels what renews the license': ({ user }, { license }) =>
      user('DELETE', `/licenses/${license}/subscription.json`).then(expectOk),
  }

for (const [name, end] of Object.entries(ENDS)) {
  test(`what the owner has paid still counts towards an upgrade where who holds the license key ${name}`, async () => {
    const bought = await shop.buy()
    const upgrade = async () => (await shop.openFor(bought.id, { plan_id: shop.plans.pro })).json
    const { quote: before } = await upgrade()
    assert.equal(before.total, 100)
    const { json } = await clientsOf(app).active({ secret_key: bought.key } as never)
    const subscription = String(bought.purchase.id)
    await end(holding(app, json), { license: bought.id, subscription })
    assert.notEqual((await shop.get(`/subscriptions/${subscription}.json`)).canceled_at, null)
    const session = await upgrade()
    assert.deepEqual(session.quote, before)
    const { json: paid, text } = await shop.pay(session.id)
    assert.deepEqual([paid.state, paid.payment?.gross], ['paid', 100], text)
  })
}
