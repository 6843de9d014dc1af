import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { subscribed } from '../../../test/subscriptions.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('install_values')
})
after(() => app.close())

const put = (id: string, body: object) =>
  app.call('PUT', `/products/${app.seller.product.id}/installs/${id}.json`, { body })

/** An install of a user in the sandbox of the first product. */
async function installInSandbox(userId: number) {
  const install = await createInstallOf(app, { id: userId })
  await app.write((tx) =>
    tx.db.updateTable('installs').set({ environment: 1 }).where('id', '=', Number(install.id)).execute(),
  )
  return install
}

test('the subscription of an install is one of its product, its user and its license', async () => {
  const [paid, others] = [await subscribed(app), await subscribed(app)]
  const install = await installInSandbox(paid.userId)
  const pay = async (id: number | string) => {
    const { status, json } = await put(install.id, { subscription_id: id })
    return [status, json.error?.code ?? json.subscription_id]
  }
  const refused = [400, 'subscription_not_fitting']
  assert.deepEqual(await pay('987654321'), [404, 'not_found'])
  assert.deepEqual(await pay(others.subscription.id), refused, 'of another user')
  const live = await createInstallOf(app, { id: paid.userId })
  const { json } = await put(live.id, { subscription_id: paid.subscription.id })
  assert.equal(json.error.code, 'subscription_not_fitting', 'of the sandbox, for what is live')
  const move = (productId: number) =>
    app.write((tx) =>
      tx.db
        .updateTable('subscriptions')
        .set({ product_id: productId })
        .where('id', '=', paid.subscription.id)
        .execute(),
    )
  await move(app.seller.other.id)
  assert.deepEqual(await pay(paid.subscription.id), [404, 'not_found'])
  await move(app.seller.product.id)
  const on = (licenseId: number) =>
    app.write((tx) =>
      tx.db
        .updateTable('installs')
        .set({ license_id: licenseId })
        .where('id', '=', Number(install.id))
        .execute(),
    )
  await on(others.licenseId)
  assert.deepEqual(await pay(paid.subscription.id), refused, 'of another license')
  await on(paid.licenseId)
  assert.deepEqual(await pay(paid.subscription.id), [200, String(paid.subscription.id)])
})

test('an install is at an http or https address, and so is what opts in', async () => {
  const install = await createInstallOf(app, await createOwner(app))
  for (const url of ['javascript:1', 'data:1', 'ftp://example.com']) {
    const { status, json } = await put(install.id, { url })
    assert.deepEqual(
      [status, json.error.details],
      [400, [{ field: 'url', message: 'must be an http or https address' }]],
    )
  }
  assert.equal((await put(install.id, { url: 'shop.example:8080/a' })).status, 200)
})
