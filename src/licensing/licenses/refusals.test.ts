import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, KEY_PREFIXES, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('refusals')
  clients = clientsOf(app)
})
after(() => app.close())

const message = async (reply: ReturnType<Clients['activate']>): Promise<string> =>
  (await reply).json.error.message

test('an unknown key is 404 invalid_license_key, also one of another product and of a product that does not exist', async () => {
  const license = await clients.ownLicense()
  const expected = '404 invalid_license_key'
  assert.equal(await clients.refusal(clients.activate({ license_key: 'sk_no such key' })), expected)
  assert.equal(await message(clients.activate({ license_key: 'sk_no such key' })), 'Invalid license key.')
  for (const product of [app.seller.other.id, 999_999]) {
    const body = { uid: newUid(), license_key: license.secret_key }
    const reply = app.call('POST', `/products/${product}/licenses/activate.json`, { token: null, body })
    assert.equal(await clients.refusal(reply), expected)
  }
})

test('an expired license is license_expired, naming when and which; at the second itself and not before', async () => {
  const license = await clients.ownLicense()
  await clients.setLicense(license, { expiration: '2026-01-31 10:00:01' })
  await clients.active(license)
  await clients.setLicense(license, { expiration: '2026-01-31 10:00:00' })
  const body = { license_key: license.secret_key }
  assert.equal(await clients.refusal(clients.activate(body)), '400 license_expired')
  assert.equal(
    await message(clients.activate(body)),
    `Your license has expired on 2026-01-31 10:00:00 UTC (id = ${license.id}).`,
  )
})

test('a used up license is license_utilized, naming the quota', async () => {
  const license = await clients.ownLicense(2)
  await clients.active(license)
  await clients.active(license)
  const body = { license_key: license.secret_key }
  assert.equal(await clients.refusal(clients.activate(body)), '400 license_utilized')
  assert.match(await message(clients.activate(body)), /\b2 production site\(s\).*has been reached/)
  assert.deepEqual(await clients.counts(license), [2, 0])
})

const countIn = (unit: string, id: number) =>
  app.write((tx) =>
    tx.db.updateTable('products').set({ selling_unit_singular: unit }).where('id', '=', id).execute(),
  )

test('a used up license is told in the unit that its product counts in', async () => {
  const license = await clients.ownLicense(1)
  await clients.active(license)
  const body = { license_key: license.secret_key }
  for (const [unit, said] of [
    ['Device', '1 device(s)'],
    ['Site', '1 production site(s)'],
  ] as const) {
    await countIn(unit, app.seller.product.id)
    await countIn('Seat', app.seller.other.id)
    assert.ok((await message(clients.activate(body))).includes(`maximum of ${said}:`), unit)
  }
})

test('a cancelled license is license_cancelled', async () => {
  const license = await clients.ownLicense()
  await clients.setLicense(license, { is_cancelled: true })
  const body = { license_key: license.secret_key }
  assert.equal(await clients.refusal(clients.activate(body)), '400 license_cancelled')
  assert.match(await message(clients.activate(body)), /license was cancelled/)
})

test('an install that has another good license is license_activated unless it is named, and its id stands at the end', async () => {
  const one = await clients.ownLicense()
  const { uid, installId } = await clients.active(one)
  const two = await sameOwner(one)
  const body = { uid, license_key: two.secret_key }
  assert.equal(await clients.refusal(clients.activate(body)), '400 license_activated')
  assert.match(
    await message(clients.activate(body)),
    new RegExp(`already activated on install ${installId}$`),
  )
  assert.deepEqual(
    [await clients.counts(one), await clients.counts(two)],
    [
      [1, 0],
      [0, 0],
    ],
  )
  const wrong = clients.activate({ ...body, install_id: Number(installId) + 1_000 })
  assert.equal(await clients.refusal(wrong), '400 license_activated')
  const moved = await clients.active(two, { uid, install_id: installId })
  assert.equal(moved.installId, installId)
  assert.deepEqual(
    [await clients.counts(one), await clients.counts(two)],
    [
      [0, 0],
      [1, 0],
    ],
  )
})

test('an install whose license has ended takes the next one without being named', async () => {
  const one = await clients.ownLicense()
  const { uid, installId } = await clients.active(one)
  await clients.setLicense(one, { expiration: '2026-01-30 00:00:00' })
  assert.equal((await clients.active(await sameOwner(one), { uid })).installId, installId)
  assert.deepEqual(await clients.counts(one), [0, 0])
})

test("a named install is the license owner's, by the same uid, or not found", async () => {
  const license = await clients.ownLicense(3)
  const stranger = await clients.active(await clients.ownLicense())
  const body = { license_key: license.secret_key, install_id: stranger.installId }
  assert.equal(await clients.refusal(clients.activate({ ...body, uid: stranger.uid })), '404 not_found')
  const own = await clients.active(license)
  const others = { license_key: license.secret_key, install_id: own.installId, uid: newUid() }
  assert.equal(await clients.refusal(clients.activate(others)), '404 not_found')
  assert.deepEqual(await clients.counts(license), [1, 0])
})

test('a site on the deny list, or beside the allow list, is license_error', async () => {
  const license = await clients.ownLicense(9)
  await clients.addSite(license, 'deny', 'bad.example.com')
  const at = (url: string) => clients.activate({ license_key: license.secret_key, url })
  assert.equal(await clients.refusal(at('https://www.bad.example.com/x')), '400 license_error')
  assert.equal(await clients.refusal(at('https://sub.bad.example.com')), '400 license_error')
  assert.equal((await at('https://good.example.com')).status, 200)
  await clients.addSite(license, 'allow', '*.example.org')
  assert.equal(await clients.refusal(at('https://good.example.net')), '400 license_error')
  assert.equal((await at('https://a.example.org')).status, 200)
})

for (const prefix of KEY_PREFIXES) {
  test(`a plan that is not released is license_error unless the client says that it tests (${prefix}/activate.json)`, async () => {
    const clients = clientsOf(app, prefix)
    const license = await clients.ownLicense(2)
    const setReleased = (is_released: boolean) =>
      app.ctx.database.transaction((db) =>
        db.updateTable('products').set({ is_released }).where('id', '=', app.seller.product.id).execute(),
      )
    await setReleased(false)
    const body = { license_key: license.secret_key }
    assert.equal(await clients.refusal(clients.activate(body)), '400 license_error')
    const tried = await clients.activate({ ...body, allow_unreleased_plan_activation: true })
    await setReleased(true)
    assert.equal(tried.status, 200)
  })
}

test('a uid is 32 characters, what is missing is 402, all named at once', async () => {
  const license = await clients.ownLicense()
  const short = await clients.activate({ uid: 'short', license_key: license.secret_key })
  assert.deepEqual([short.status, short.json.error.code], [400, 'invalid_uid'])
  assert.match(short.json.error.message, /must be 32 characters/)
  const empty = await app.call('POST', clients.path('/licenses/activate.json'), { token: null, body: {} })
  assert.equal(empty.status, 402)
  assert.deepEqual(
    empty.json.error.details.map(({ field }: { field: string }) => field),
    ['uid', 'license_key'],
  )
})

/** Another license of the same owner. */
async function sameOwner({ user_id: id }: { readonly user_id: string | null }) {
  const license = await clients.ownLicense()
  await clients.setLicense(license, { user_id: Number(id) })
  return { ...license, user_id: id }
}
