import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser, type CallAs } from '../../../test/callers.ts'
import { createAddon, createOffer } from '../../../test/catalogue.ts'
import {
  createInstallOf,
  createOwner,
  expectOk,
  holding,
  keysIn,
  keysOf,
  type Grant,
} from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { optInByLink, optInProven } from '../../../test/opt-in.ts'
import { asEntered } from '../../../test/portal-sessions.ts'
import { sell } from '../../../test/sales.ts'
import type { Keys } from '../../catalogue/sellers/create-seller.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('pair_as_proof')
})
after(() => app.close())

type Person = Awaited<ReturnType<typeof createOwner>>

let count = 0
const wanted = () => `wanted${++count}@example.com`

/** A user of both products. */
async function person(): Promise<Person> {
  const one = await createOwner(app)
  await createOwner(app, one.email, app.seller.other)
  return one
}

/** The pair that the token of the first product reads of a user. */
async function readPair({ id }: Person): Promise<Keys> {
  const { json } = expectOk(await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`))
  return keysOf(json)
}

/** What comes of another address that is asked for with the keys of a grant, and that both its links are followed. */
async function take(grant: Grant): Promise<{ code: string | undefined; email: string }> {
  const email = wanted()
  const path = `/products/${app.seller.other.id}/users/${grant['user_id']}.json`
  const read = async () => expectOk(await app.call('GET', path, { token: app.seller.other.token }))
  const { email: former } = (await read()).json
  const { json } = await holding(app, grant).user('PUT', '.json', { email })
  for (const address of [email, former]) {
    const mail = (await mailsTo(app, address)).at(-1)
    const [, link] = /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(mail?.text ?? '') ?? []
    if (link !== undefined) await fetch(app.address + link, { method: 'POST' })
  }
  const now = await read()
  return { code: json.error?.code, email: now.json.email === email ? 'taken' : now.json.email }
}

const refused = ({ email }: Person) => ({ code: 'account_verification_required', email })
const taken = { code: undefined, email: 'taken' }

test('a pair that was handed out for the pair which a product reads gives no other address to a user of another product', async () => {
  const owner = await person()
  const first = await optInProven(app, await readPair(owner))
  assert.deepEqual(await take(first), refused(owner))
  const second = await optInProven(app, keysIn(first, 'user'))
  assert.deepEqual(await take(second), refused(owner), 'nor one that was handed out for that')
  const { user } = holding(app, second)
  assert.equal((await user('GET', '.json')).json.email, owner.email, 'it opens all of the product')
})

test('a pair that was handed out by a mailed link does, and one that was handed out for that', async () => {
  const owner = await person()
  const linked = await optInByLink(app, owner.email)
  const next = await optInProven(app, keysIn(linked, 'user'))
  assert.deepEqual(await take(next), taken)
  assert.deepEqual(await take(linked), taken)
})

test('who connects a site with the pair that a product reads is handed out none that its person was led to, and the other way round', async () => {
  const owner = await person()
  const at = { site_uid: newUid() }
  const read = await optInProven(app, await readPair(owner), at)
  const linked = await optInByLink(app, owner.email, at)
  assert.notEqual(linked['user_public_key'], read['user_public_key'])
  const again = await optInProven(app, await readPair(owner), at)
  assert.notEqual(again['user_public_key'], linked['user_public_key'])
  for (const grant of [read, again]) assert.deepEqual(await take(grant), refused(owner))
  assert.deepEqual(await take(linked), taken)
})

/** An add-on of the first product that is in the second one, a bundle, and the public keys of the add-on. */
async function addonInBundle() {
  const { developer, store, product, other } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  return app.write(async (tx) => {
    const id = await createAddon(tx, owner, `Add-on ${++count}`)
    await createOffer(tx, { ...owner, productId: id }, `addon-${count}`)
    await tx.db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', other.id).execute()
    await tx.db.insertInto('bundle_members').values({ bundle_id: other.id, product_id: id }).execute()
    const { public_key: publicKey } = await tx.db
      .selectFrom('products')
      .select('public_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { plugin_id: String(id), plugin_public_key: publicKey }
  })
}

test('what a product reads or is answered for its user opens no bundle that only an add-on of the product is in', async () => {
  const { product, other } = app.seller
  const owner = await createOwner(app)
  const ofBundle = await createOwner(app, owner.email, other)
  const { license } = await sell(app, { product: other, owner: { ...ofBundle, email: owner.email } })
  const site = await createInstallOf(app, ofBundle, {}, other)
  const addon = await addonInBundle()
  const read = await readPair(owner)
  const handed = holding(app, await optInProven(app, read, addon)).user
  const linked = holding(app, await optInByLink(app, owner.email, addon)).user
  const inAddon = `/products/${addon.plugin_id}`
  const opens = async (call: CallAs) => {
    const statuses = []
    for (const path of [
      `/licenses/${license.id}.json`,
      `/installs/${site.id}.json`,
      `/products/${other.id}/licenses.json`,
    ])
      statuses.push((await call('GET', path)).status)
    const { licenses } = expectOk(await call('GET', '/licenses.json')).json
    const { licenses: parents } = expectOk(await call('GET', `${inAddon}/parent_licenses.json`)).json
    const { payments } = expectOk(await call('GET', `${inAddon}/payments.json?include_bundles=true`)).json
    return [...statuses, licenses.length, parents.length, payments.length]
  }
  const bound = [handed, asUser(app, read), await asEntered(app, owner)]
  for (const call of bound) assert.deepEqual(await opens(call), [404, 404, 401, 0, 0, 0])
  assert.deepEqual(await opens(linked), [200, 200, 200, 1, 1, 1])
  await app.write((tx) =>
    tx.db.insertInto('bundle_members').values({ bundle_id: other.id, product_id: product.id }).execute(),
  )
  for (const call of bound)
    assert.deepEqual(await opens(call), [200, 200, 200, 1, 1, 1], 'one that its product is in it opens')
})
