import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createOwner, keysOf } from '../../../test/installs.ts'
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
  const keys = (of: 'user' | 'install') =>
    keysOf({
      id: grant[`${of}_id`] ?? '',
      public_key: grant[`${of}_public_key`] ?? '',
      secret_key: grant[`${of}_secret_key`] ?? '',
    })
  return { clients, shared, grant, user: asUser(app, keys('user')), install: asInstall(app, keys('install')) }
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
