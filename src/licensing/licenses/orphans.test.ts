import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { countStatements } from '../../../test/count-statements.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { eventsOfLicense, licenseOf, licenseOn, offerFor } from '../../../test/licenses.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { findByKey } from '../activation/by-key-rows.ts'

let app: TestApp
let clients: Clients
let bundle: { id: number; token: string }
before(async () => {
  app = await startTestApp('orphans')
  clients = clientsOf(app)
  const { product, other } = app.seller
  bundle = other
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', other.id).execute()
    await db.insertInto('bundle_members').values({ bundle_id: other.id, product_id: product.id }).execute()
  })
  await offerFor(app, 3)
})
after(() => app.close())

const ownersOf = async (...ids: (string | number)[]) => {
  const rows = await app.ctx.db
    .selectFrom('licenses')
    .select(['id', 'user_id'])
    .where('id', 'in', ids.map(Number))
    .orderBy('id')
    .execute()
  return rows.map(({ user_id: id }) => id)
}
const childOf = (id: string) =>
  app.ctx.db
    .selectFrom('licenses')
    .selectAll()
    .where('parent_license_id', '=', Number(id))
    .executeTakeFirstOrThrow()
const stranger = () => ({ user_email: `${newUid()}@example.com`, first_name: 'Sam', last_name: 'Stranger' })
const given = async (id: string) =>
  (await eventsOfLicense(app, id)).filter(({ type }) => type === 'license.ownership.changed')

/** A bundle's license of nobody. */
const orphanBundle = async (body: object = {}) =>
  licenseOn(app, await offerFor(app, 3, { product: bundle }), { product: bundle, body })

test("nobody's license that an install is given becomes its owner's, and no stranger's with the key later", async () => {
  const owner = await createOwner(app)
  const ways: ((installId: string, key: string, id: string) => Promise<unknown>)[] = [
    async (id, license_key) =>
      expectOk(await app.call('PUT', clients.path(`/installs/${id}.json`), { body: { license_key } })),
    async (id, license_key) =>
      expectOk(await asUser(app, owner)('PUT', `/installs/${id}.json`, { license_key })),
    async (id, license_key, licenseId) =>
      expectOk(
        await app.call('PUT', clients.path(`/installs/${id}/licenses/${licenseId}.json`), {
          body: { license_key },
        }),
      ),
  ]
  for (const put of ways) {
    const license = await licenseOf(app, 3)
    const install = await createInstallOf(app, owner)
    await put(install.id, license.secret_key, license.id)
    assert.deepEqual(await ownersOf(license.id), [owner.id])
    assert.deepEqual(
      (await given(license.id)).map(({ data }) => data),
      [{ license_id: license.id, from: null, to: String(owner.id) }],
    )
    const { json } = await clients.active(license, stranger())
    assert.equal(json['user_id'], String(owner.id))
    assert.deepEqual(await ownersOf(license.id), [owner.id])
  }
})

test('an install puts a license of nobody on itself by its key, and not by its id alone', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const call = asInstall(app, keysOf(install))
  const license = await licenseOf(app, 1)
  assert.equal((await call('PUT', `/licenses/${license.id}.json`)).status, 404)
  assert.deepEqual(await ownersOf(license.id), [null])
  expectOk(await call('PUT', `/licenses/${license.id}.json`, { license_key: license.secret_key }))
  assert.deepEqual(await ownersOf(license.id), [owner.id])
})

test('a license that was taken from its owner is given again by what puts it on the install it is on', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const install = await createInstallOf(app, owner, { license_key: license.secret_key })
  expectOk(
    await app.call('PUT', clients.path(`/licenses/${license.id}.json`), { body: { new_user_id: null } }),
  )
  assert.deepEqual(await ownersOf(license.id), [null])
  const body = { license_key: license.secret_key }
  expectOk(await app.call('PUT', clients.path(`/installs/${install.id}.json`), { body }))
  assert.deepEqual(await ownersOf(license.id), [owner.id])
})

test('ten owners who put one license of nobody on their installs at once: one owns it, and all use it', async () => {
  const license = await licenseOf(app, 10)
  const owners = await Promise.all(Array.from({ length: 10 }, () => createOwner(app)))
  const installs = await Promise.all(owners.map((owner) => createInstallOf(app, owner)))
  const body = { license_key: license.secret_key }
  const replies = await Promise.all(
    installs.map(({ id }) => app.call('PUT', clients.path(`/installs/${id}.json`), { body })),
  )
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  assert.equal((await given(license.id)).length, 1)
  assert.deepEqual(await clients.counts(license), [10, 0])
})

test("a bundle's license of nobody that is issued on an install is the owner's of it, with what it opens", async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const license = await orphanBundle({ existing_install_id: install.id })
  const child = await childOf(license.id)
  assert.equal(license.user_id, String(owner.id))
  assert.deepEqual(await ownersOf(license.id, child.id), [owner.id, owner.id])
  const member = await app.ctx.db
    .selectFrom('product_users')
    .select('user_id')
    .where('product_id', '=', bundle.id)
    .where('user_id', '=', owner.id)
    .execute()
  assert.equal(member.length, 1)
})

test("the key of a bundle's license of nobody gives all of it, and so does the key of what it opened", async () => {
  const owner = await createOwner(app)
  const put = async (license_key: string) => {
    const { id } = await createInstallOf(app, owner)
    return expectOk(await app.call('PUT', clients.path(`/installs/${id}.json`), { body: { license_key } }))
  }
  const first = await orphanBundle()
  await put(first.secret_key)
  assert.deepEqual(await ownersOf(first.id, (await childOf(first.id)).id), [owner.id, owner.id])
  const second = await opened()
  await put(second.childKey)
  assert.deepEqual(await ownersOf(second.license.id, second.childId), [owner.id, owner.id])
})

/** A bundle's license of nobody with what it opened, which is nobody's either. */
async function opened() {
  const license = await orphanBundle()
  const email = `${newUid()}@example.com`
  const { id: firstId } = await createOwner(app, email)
  const first = await createInstallOf(app, { id: firstId }, { license_key: license.secret_key })
  const token = bundle.token
  const path = `/products/${bundle.id}/licenses/${license.id}.json`
  expectOk(await app.call('PUT', path, { token, body: { new_user_id: null } }))
  const child = await childOf(license.id)
  assert.deepEqual(await ownersOf(license.id, child.id), [null, null])
  return {
    license,
    installId: first.id,
    childId: child.id,
    childKey: app.ctx.keys.open(child.secret_key, 'licenses.secret_key'),
  }
}

test("assigning what a bundle's license of nobody opened gives the whole bundle away", async () => {
  const { license, childId, childKey } = await opened()
  const email = `${newUid()}@example.com`
  const body = { license_key: childKey, email, name: 'Nora New' }
  const reply = await app.call('PUT', clients.path('/licenses.json'), { body })
  assert.equal(reply.status, 200, reply.text)
  const [root, child] = await ownersOf(license.id, childId)
  assert.ok(root !== null)
  assert.deepEqual([child, reply.json.id, reply.json.user_id], [root, String(childId), String(root)])
  const again = await app.call('PUT', clients.path('/licenses.json'), {
    body: { ...body, email: `${newUid()}@example.com` },
  })
  assert.equal(again.json.error.code, 'license_owned')
})

test('a product that leaves a bundle stays open to who has opened it, and to nobody else', async () => {
  const owner = await createOwner(app)
  await createOwner(app, owner.email, bundle)
  const sold = await orphanBundle({ email: owner.email })
  const unopened = await orphanBundle({ email: owner.email })
  const body = { uid: newUid(), license_key: sold.secret_key }
  const active = expectOk(await clients.activate(body)).json
  const listed = async () => {
    const { json } = await asUser(app, owner)(
      'GET',
      `/products/${app.seller.product.id}/parent_licenses.json`,
    )
    return json.licenses.map((license: { id: string }) => license.id)
  }
  assert.deepEqual(await listed(), [unopened.id, sold.id])
  const leave = () => app.ctx.database.transaction((db) => db.deleteFrom('bundle_members').execute())
  await leave()
  try {
    assert.equal((await clients.activate(body)).status, 200, 'the same site')
    assert.equal((await clients.activate({ ...body, uid: newUid() })).status, 200, 'another site')
    const query = new URLSearchParams({ uid: body.uid, license_key: sold.secret_key })
    const path = clients.path(`/installs/${active.install_id}/license.json?${query}`)
    assert.equal((await app.call('GET', path, { token: null })).status, 200)
    const refused = clients.activate({ uid: newUid(), license_key: unopened.secret_key })
    assert.equal(await clients.refusal(refused), '404 invalid_license_key')
    assert.deepEqual(await listed(), [sold.id])
  } finally {
    const member = { bundle_id: bundle.id, product_id: app.seller.product.id }
    await app.ctx.database.transaction((db) => db.insertInto('bundle_members').values(member).execute())
  }
})

test('a key is looked for through indexes alone, also among bundles', async () => {
  const { engine } = app.ctx.database
  const counted = countStatements(app.ctx.db, engine)
  await findByKey(counted.db, app.seller.product.id, ['no such hash'])
  const statements = counted.taken()
  assert.equal(statements.length, 2)
  if (engine !== 'sqlite') return
  for (const sql of statements) {
    const all = await stepsOf(app.ctx.db, { sql })
    const steps = all.filter((step) => !step.startsWith('CORRELATED'))
    assert.match(steps[0] ?? '', /^SEARCH licenses USING INDEX licenses_by_key/)
    for (const step of steps) assert.match(step, /^SEARCH /)
  }
})
