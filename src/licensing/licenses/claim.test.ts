import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, KEY_PREFIXES, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOf, offerFor, licenseOn, userOf } from '../../../test/licenses.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('claim')
  clients = clientsOf(app)
})
after(() => app.close())

const person = () => ({
  user_email: `${newUid()}@example.com`,
  first_name: 'Olga',
  last_name: 'Orphan',
})
const personsOf = (email: string) =>
  app.ctx.db.selectFrom('users').selectAll().where('email_folded', '=', email).execute()
const ownerOf = async (id: string) => {
  const row = await app.ctx.db
    .selectFrom('licenses')
    .select('user_id')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return row.user_id
}
const mailsTo = async (recipient: string) => {
  const mails = await app.ctx.db
    .selectFrom('mails')
    .select('kind')
    .where('recipient', '=', recipient)
    .execute()
  return mails.map(({ kind }) => kind)
}

test('a license of nobody needs its owner: 402 names what is missing', async () => {
  const license = await licenseOf(app, 1)
  const reply = await clients.activate({
    license_key: license.secret_key,
    first_name: 'Olga',
    user_email: '',
  })
  assert.equal(reply.status, 402)
  assert.deepEqual(
    reply.json.error.details.map(({ field }: { field: string }) => field),
    ['user_email', 'last_name'],
  )
})

for (const prefix of KEY_PREFIXES) {
  test(`a person that nobody knew becomes its owner, and is asked to prove the address (${prefix}/activate.json)`, async () => {
    const clients = clientsOf(app, prefix)
    const license = await licenseOf(app, 1)
    const given = person()
    const { json } = await clients.active(license, { ...given, is_marketing_allowed: true })
    assert.equal(await ownerOf(license.id), Number(json['user_id']))
    assert.match(String(json['user_secret_key']), /^sk_/)
    assert.equal(json['is_marketing_allowed'], true)
    const user = await app.call('GET', clients.path(`/users/${json['user_id']}.json`))
    assert.deepEqual(
      [user.json.email, user.json.first, user.json.last, user.json.is_verified],
      [given.user_email, 'Olga', 'Orphan', false],
    )
    assert.deepEqual(await mailsTo(given.user_email), ['confirm_email'])
    assert.deepEqual(await clients.counts(license), [1, 0])
  })
}

test('a person that is known, also in another product, gets neither license nor keys, but a mail', async () => {
  for (const product of [app.seller.product, app.seller.other]) {
    const license = await licenseOf(app, 1)
    const given = person()
    await userOf(app, given.user_email, product)
    const earlier = await mailsTo(given.user_email)
    const reply = await clients.activate({ ...given, license_key: license.secret_key })
    assert.deepEqual([reply.status, reply.json.error.code], [400, 'account_verification_required'])
    assert.doesNotMatch(reply.text, /sk_|pk_|kwi_/)
    assert.equal(await ownerOf(license.id), null)
    assert.deepEqual(await clients.counts(license), [0, 0])
    assert.deepEqual(await mailsTo(given.user_email), [...earlier, 'pending_activation'])
    const [known] = await personsOf(given.user_email)
    const pending = await app.ctx.db
      .selectFrom('pending_activations')
      .selectAll()
      .where('user_id', '=', known?.id ?? 0)
      .execute()
    assert.equal(pending.length, 1)
    assert.ok(!pending[0]?.work.includes(license.secret_key))
    const installs = await app.ctx.db
      .selectFrom('installs')
      .select('id')
      .where('user_id', '=', known?.id ?? 0)
      .execute()
    assert.deepEqual(installs, [])
  }
})

test('who claims an ended license gets nothing, and leaves nobody behind', async () => {
  const license = await licenseOf(app, 1)
  await clients.setLicense(license, { is_cancelled: true })
  const given = person()
  const reply = clients.activate({ ...given, license_key: license.secret_key })
  assert.equal(await clients.refusal(reply), '400 license_cancelled')
  assert.deepEqual(await personsOf(given.user_email), [])
})

test('of many who claim a license at once one becomes its owner, and all activate for that one', async () => {
  const license = await licenseOf(app, 8)
  const people = Array.from({ length: 6 }, person)
  const replies = await Promise.all(
    people.map((given) => clients.activate({ ...given, license_key: license.secret_key })),
  )
  const owner = await ownerOf(license.id)
  assert.notEqual(owner, null)
  for (const { status, json, text } of replies) {
    assert.equal(status, 200, text)
    assert.equal(json.user_id, String(owner))
  }
  const created = await Promise.all(people.map(({ user_email: email }) => personsOf(email)))
  assert.deepEqual(
    created.flat().map(({ id }) => id),
    [owner],
  )
  assert.deepEqual(await clients.counts(license), [6, 0])
})

test('two licenses that are claimed for one new address at once: one is given, the other asks to confirm', async () => {
  const given = person()
  const licenses = [await licenseOf(app, 1), await licenseOf(app, 1)]
  const replies = await Promise.all(
    licenses.map(({ secret_key: key }) => clients.activate({ ...given, license_key: key })),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400])
  assert.equal((await personsOf(given.user_email)).length, 1)
})

/** A bundle that the second product is in, its license, and that product's offer. */
async function bundle(quota = 2, sold: object = {}) {
  const { other, product } = app.seller
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', product.id).execute()
    await db
      .insertInto('bundle_members')
      .values({ bundle_id: product.id, product_id: other.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  const member = await offerFor(app, 1, { product: other })
  const license = await licenseOn(app, await offerFor(app, quota), { body: sold })
  const path = (rest: string) => `/products/${other.id}${rest}`
  const activate = (body: object = {}) =>
    app.call('POST', path('/licenses/activate.json'), {
      token: null,
      body: { uid: newUid(), license_key: license.secret_key, ...body },
    })
  const children = () =>
    app.ctx.db
      .selectFrom('licenses')
      .selectAll()
      .where('parent_license_id', '=', Number(license.id))
      .execute()
  return { license, member, activate, children, path }
}

test("a bundle's key activates, verifies and deactivates on a product that came into it later", async () => {
  const email = `${newUid()}@example.com`
  const userId = await userOf(app, email)
  const { license, activate, children, path } = await bundle(2, { email })
  const uid = newUid()
  const reply = await activate({ uid, url: 'https://shop.com' })
  assert.equal(reply.status, 200, reply.text)
  const [child, ...more] = await children()
  assert.deepEqual(more, [])
  assert.deepEqual(
    [child?.product_id, child?.user_id, child?.quota, child?.activated, reply.json.user_id],
    [app.seller.other.id, Number(userId), 2, 1, userId],
  )
  const install = reply.json.install_id
  const query = new URLSearchParams({ uid, license_key: license.secret_key })
  const verified = await app.call('GET', path(`/installs/${install}/license.json?${query}`), { token: null })
  assert.deepEqual([verified.status, verified.json.id], [200, String(child?.id)])
  const body = { uid, install_id: install, license_key: license.secret_key }
  assert.equal((await app.call('POST', path('/licenses/deactivate.json'), { token: null, body })).status, 200)
  assert.equal((await children())[0]?.activated, 0)
})

test('many activations by the key of a bundle at once open one license and keep its quota', async () => {
  const email = `${newUid()}@example.com`
  await userOf(app, email)
  const { activate, children } = await bundle(3, { email })
  const replies = await Promise.all(Array.from({ length: 8 }, () => activate()))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array<number>(3).fill(200),
    ...Array<number>(5).fill(400),
  ])
  assert.deepEqual(
    (await children()).map(({ activated }) => activated),
    [3],
  )
})

test('a bundle of nobody is claimed whole', async () => {
  const { license, activate, children } = await bundle()
  const given = person()
  const reply = await activate(given)
  assert.equal(reply.status, 200, reply.text)
  const [child] = await children()
  assert.deepEqual(
    [await ownerOf(license.id), child?.user_id],
    [Number(reply.json.user_id), Number(reply.json.user_id)],
  )
})

test('a cancelled bundle opens nothing', async () => {
  const { license, activate, children } = await bundle()
  await clients.setLicense(license, { is_cancelled: true })
  assert.equal(await clients.refusal(activate(person())), '400 license_cancelled')
  assert.deepEqual(await children(), [])
})
