import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { paymentRow, scopeOf, sell } from '../../../test/sales.ts'
import * as salesOfInstalls from '../../db/migrations/0025-sales-of-installs.ts'
import { recordPayment } from '../../sales/payments/record-payment.ts'
import { recordRefund } from '../../sales/refunds/record-refund.ts'

let app: TestApp
let clients: Clients
let shop: ChangeShop
before(async () => {
  app = await startTestApp('sale_on_install')
  clients = clientsOf(app)
  shop = await changeShop(app)
})
after(() => app.close())

type Sold = Awaited<ReturnType<typeof sell>>

/** Which installs a sale is of: that of its subscription, and those of its payments. */
async function ofSale({ subscription, license }: Sold) {
  const { install_id: ofSubscription } = await shop.get(`/subscriptions/${subscription.id}.json`)
  const rows = await shop.paymentsOf(license.id)
  return [ofSubscription, ...rows.map(({ install_id: id }) => (id === null ? null : String(id)))]
}
const paidBy = async (installId: string) => {
  const { subscription_id: id, gross } = await shop.get(`/installs/${installId}.json`)
  return [id, gross]
}
const renew = ({ bought, subscription }: Sold) =>
  app.write((tx) => {
    const row = paymentRow(bought, app.ctx.clock.real(), {
      subscription_id: subscription.id,
      is_renewal: true,
    })
    return recordPayment(tx, scopeOf(app), row)
  })

test('a sale is of the install that its license is put on first, and every install of it knows its subscription', async () => {
  const other = await sell(app)
  const theirs = await clients.active(other.license, { url: 'https://other.example' })
  const sale = await sell(app)
  const id = String(sale.subscription.id)
  assert.deepEqual(await ofSale(sale), [null, null])
  const site = { url: 'https://first.example', title: 'The First' }
  const first = await clients.active(sale.license, site)
  assert.deepEqual(await ofSale(sale), [first.installId, first.installId])
  assert.deepEqual(await paidBy(first.installId), [id, 49.99])
  const second = await clients.active(sale.license, { url: 'https://second.example' })
  assert.deepEqual(await paidBy(second.installId), [id, 0])

  const renewal = await renew(sale)
  assert.equal(renewal.install_id, Number(first.installId))
  assert.deepEqual(await paidBy(first.installId), [id, 99.98])
  const some = { gross: 2000, tax: 0, reason: null, cancelLicense: false, cancelSubscription: false }
  await app.write((tx) => recordRefund(tx, scopeOf(app), { paymentId: renewal.id, ...some }, 're_1'))
  assert.deepEqual(await paidBy(first.installId), [id, 79.98])
  for (const [list, key] of [
    [`/users/${sale.owner.id}/subscriptions.json?extended=true`, 'subscriptions'],
    ['/subscriptions.json?extended=true', 'subscriptions'],
  ] as const) {
    const found = (await shop.get(list))[key].find((one: { id: string }) => one.id === id)
    assert.deepEqual([found.url, found.title], [site.url, site.title], list)
  }
  assert.deepEqual(await paidBy(theirs.installId), [String(other.subscription.id), 49.99])
  assert.deepEqual(await ofSale(other), [theirs.installId, theirs.installId])
})

test('a license that moves takes its subscription along, and what was spent stays where it was', async () => {
  const sale = await sell(app)
  const id = String(sale.subscription.id)
  const first = await clients.active(sale.license, { url: 'https://one.example' })
  const second = await clients.active(sale.license, { url: 'https://two.example' })
  assert.equal((await clients.deactivate(first)).status, 200)
  assert.deepEqual(await paidBy(first.installId), [null, 49.99])
  assert.deepEqual(await ofSale(sale), [second.installId, first.installId])
  assert.equal((await clients.deactivate(second)).status, 200)
  assert.deepEqual(await ofSale(sale), [null, first.installId])
  assert.deepEqual(await paidBy(second.installId), [null, 0])
  await renew(sale)
  assert.deepEqual(await ofSale(sale), [null, first.installId, null])
  const third = await clients.active(sale.license, { url: 'https://three.example' })
  assert.deepEqual(await ofSale(sale), [third.installId, first.installId, third.installId])
  assert.deepEqual(await paidBy(third.installId), [id, 49.99])
  const erased = await app.call('DELETE', `${shop.base}/installs/${third.installId}.json`)
  assert.equal(erased.status, 204)
  assert.deepEqual(await ofSale(sale), [null, first.installId, null])
})

test('of two installs on which a sold license is put at once one has what was paid', async () => {
  for (let n = 0; n < 5; n++) {
    const sale = await sell(app)
    const active = await Promise.all([1, 2, 3].map(() => clients.active(sale.license)))
    const [ofSubscription, ofPayment] = await ofSale(sale)
    assert.equal(ofSubscription, ofPayment)
    const spent = await Promise.all(active.map(async ({ installId }) => (await paidBy(installId))[1]))
    assert.deepEqual(spent.toSorted(), [0, 0, 49.99])
    assert.equal(spent[active.findIndex(({ installId }) => installId === ofPayment)], 49.99)
  }
})

test('what is bought, changed and renewed at a checkout is of the install that the license is on', async () => {
  const { id, key } = await shop.buy()
  const { install_id: none } = await shop.subscriptionOf(id)
  assert.equal(none, null)
  const license = { ...(await shop.licenseOf(id)), secret_key: key }
  const { installId } = await clients.active(license, { url: 'https://shop.example' })
  for (const wanted of [{ plan_id: shop.plans.pro }, {}]) {
    const { json: session, text } = await shop.openFor(id, wanted)
    assert.ok(session.id, text)
    assert.equal((await shop.pay(session.id)).json.state, 'paid')
    const { id: subscriptionId, install_id: of } = await shop.subscriptionOf(id)
    assert.equal(of, installId)
    assert.equal((await paidBy(installId))[0], subscriptionId)
  }
  const payments = await shop.paymentsOf(id)
  assert.deepEqual(
    payments.map(({ install_id: of }) => String(of)),
    [installId, installId, installId],
  )
})

test('what was sold before sales knew their install is of the first that has the license', async () => {
  const sale = await sell(app)
  const [first, second] = [await clients.active(sale.license), await clients.active(sale.license)]
  const unused = await sell(app)
  const bare = await createInstallOf(app, sale.owner)
  const told = async () => [
    await ofSale(sale),
    await ofSale(unused),
    await Promise.all([first.installId, second.installId, bare.id].map(paidBy)),
  ]
  const expected = await told()
  await app.ctx.database.transaction(async (db) => {
    const of = Number(sale.license.id)
    await db.updateTable('payments').set({ install_id: null }).where('license_id', '=', of).execute()
    await db.updateTable('subscriptions').set({ install_id: null }).where('license_id', '=', of).execute()
    await db
      .updateTable('installs')
      .set({ subscription_id: null, gross: 0 })
      .where('license_id', '=', of)
      .execute()
  })
  assert.notDeepEqual(await told(), expected)
  for (let n = 0; n < 2; n++) {
    await app.ctx.database.transaction((db) => salesOfInstalls.up(db))
    assert.deepEqual(await told(), expected)
  }
})
