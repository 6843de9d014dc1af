import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, holding } from '../../../test/installs.ts'
import { activateOn } from '../../../test/licenses.ts'
import { sell } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('reach_sites')
})
after(() => app.close())

/** Somebody who knows the key of a license that was bought, and no more. */
async function sharedKey() {
  const clients = clientsOf(app)
  const owner = await createOwner(app)
  const shared = await sell(app, { owner })
  const { json: grant } = await clients.active(shared.license, { uid: newUid() })
  return { clients, shared, grant, ...holding(app, grant) }
}

test('with a license key the address and title of a site is read only where it is the own one', async () => {
  const { clients, shared, grant, user, install } = await sharedKey()
  const sold = async (id: number) => {
    await app.write(async ({ db }) => {
      await db.updateTable('payments').set({ install_id: id }).where('id', '=', shared.payment.id).execute()
      const { id: subscription } = shared.subscription
      await db.updateTable('subscriptions').set({ install_id: id }).where('id', '=', subscription).execute()
    })
  }
  const name = async (id: number) => {
    const named = { url: `https://site-${id}.example.org`, title: `Site ${id}` }
    await app.write(({ db }) => db.updateTable('installs').set(named).where('id', '=', id).execute())
    return named
  }
  const told = async () => {
    const [ofUser, ofInstall, subscriptions] = [
      await user('GET', '/payments.json?extended=true'),
      await install('GET', '/payments.json?extended=true'),
      await user('GET', '/subscriptions.json?extended=true'),
    ]
    const [subscription] = subscriptions.json.subscriptions
    const urls = [ofUser, ofInstall].map(({ json }) => json.payments[0].url)
    return [...urls, subscription.url, subscription.title]
  }
  const another = Number((await clients.active(shared.license)).installId)
  await name(another)
  await sold(another)
  assert.deepEqual(await told(), [null, null, null, null])
  const own = Number(grant['install_id'])
  const { url, title } = await name(own)
  await sold(own)
  assert.deepEqual(await told(), [url, url, url, title])
})

test('the owner of a license reads of the site of another person that has it no more than its id', async () => {
  const { license, owner } = await sell(app)
  const named = { url: 'https://theirs.example.org', title: 'Theirs' }
  const { id } = await createInstallOf(app, await createOwner(app), named)
  await activateOn(app, license, Number(id))
  const user = asUser(app, owner)
  const [payment] = (await user('GET', '/payments.json?extended=true')).json.payments
  const [subscription] = (await user('GET', '/subscriptions.json?extended=true')).json.subscriptions
  assert.deepEqual([payment.install_id, payment.url, payment.email], [id, null, owner.email])
  assert.deepEqual([subscription.install_id, subscription.email], [id, owner.email])
  assert.deepEqual([subscription.url, subscription.title], [null, null])
  const asSeller = await app.call(
    'GET',
    `/products/${app.seller.product.id}/users/${owner.id}/subscriptions.json?extended=true`,
  )
  const [sold] = asSeller.json.subscriptions
  assert.deepEqual([sold.url, sold.title], [named.url, named.title])
})

test('who was given a license reads what it cost and renews, and nothing of the person that bought it', async () => {
  const { license, owner: buyer } = await sell(app)
  const owner = await createOwner(app)
  const product = `/products/${app.seller.product.id}`
  const given = await app.call('PUT', `${product}/licenses/${license.id}.json`, {
    body: { new_user_id: owner.id },
  })
  assert.equal(given.status, 200, given.text)
  const install = await createInstallOf(app, owner)
  await activateOn(app, license, Number(install.id))
  const user = asUser(app, owner)
  const [payment] = (await user('GET', `/installs/${install.id}/payments.json?extended=true`)).json.payments
  const path = `/installs/${install.id}/licenses/${license.id}/subscriptions.json`
  const [subscription] = (await user('GET', path)).json.subscriptions
  assert.equal(payment.email, '')
  for (const { ip, zip_postal_code, country_code, vat_id, user_card_id, external_id, license_id } of [
    payment,
    subscription,
  ]) {
    const ofBuyer = [ip, zip_postal_code, country_code, vat_id, user_card_id, external_id]
    assert.deepEqual([...ofBuyer, String(license_id)], [null, null, null, null, null, '', license.id])
  }
  const ofSeller = await app.call('GET', `${product}/installs/${install.id}/payments.json?extended=true`)
  const [told] = ofSeller.json.payments
  assert.deepEqual([told.email, told.ip, told.zip_postal_code], [buyer.email, '192.0.2.7', '10115'])
})
