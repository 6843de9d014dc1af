import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, KEY_PREFIXES, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('activate')
  clients = clientsOf(app)
})
after(() => app.close())

test('an activation by key and uid creates the install and hands out its keys, its token and those of its owner', async () => {
  const license = await clients.ownLicense(2)
  const { installId, json, token } = await clients.active(license, {
    url: 'https://shop.example.com/',
    title: 'A shop',
    version: '1.2.3',
    is_marketing_allowed: true,
  })
  assert.deepEqual(Object.keys(json), [
    'user_id',
    'user_secret_key',
    'user_public_key',
    'plugin_id',
    'license_plan_name',
    'is_marketing_allowed',
    'install_id',
    'install_secret_key',
    'install_public_key',
    'install_api_token',
  ])
  assert.deepEqual(
    [json['user_id'], json['plugin_id'], json['is_marketing_allowed']],
    [license.user_id, String(app.seller.product.id), true],
  )
  assert.match(String(json['license_plan_name']), /^plan-\d+$/)
  for (const [name, begin] of [
    ['user_secret_key', 'sk_'],
    ['user_public_key', 'pk_'],
    ['install_secret_key', 'sk_'],
    ['install_public_key', 'pk_'],
    ['install_api_token', 'kwi_'],
  ] as const) {
    assert.ok(String(json[name]).startsWith(begin), name)
  }
  const row = await clients.installRow(installId)
  assert.deepEqual(
    [row.url, row.title, row.version, row.license_id, row.plan_id, row.counted_as],
    [
      'https://shop.example.com/',
      'A shop',
      '1.2.3',
      Number(license.id),
      Number(license.plan_id),
      'production',
    ],
  )
  assert.deepEqual(await clients.counts(license), [1, 0])
  const listed = await app.call('GET', `/installs/${installId}/licenses.json`, { token })
  assert.equal(listed.json.licenses[0].id, license.id)
  const events = await app.ctx.db
    .selectFrom('events')
    .select('type')
    .where('install_id', '=', Number(installId))
    .orderBy('id')
    .execute()
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'install.installed',
      'install.activated',
      'install.connected',
      'license.activated',
      'install.plan.changed',
    ],
  )
})

test('the same uid again keeps install and place, and gets another token; the newest five are good', async () => {
  const license = await clients.ownLicense(1)
  const first = await clients.active(license)
  const tokens = [first.token]
  for (let count = 0; count < 5; count++) {
    const again = await clients.active(license, { uid: first.uid })
    assert.equal(again.installId, first.installId)
    tokens.push(again.token)
  }
  assert.deepEqual(await clients.counts(license), [1, 0])
  const statuses = tokens.map(async (token) => {
    const reply = await app.call('GET', `/installs/${first.installId}/licenses.json`, { token })
    return reply.status
  })
  assert.deepEqual(await Promise.all(statuses), [401, 200, 200, 200, 200, 200])
  const stored = await app.ctx.db
    .selectFrom('install_tokens')
    .select('id')
    .where('install_id', '=', Number(first.installId))
    .execute()
  assert.equal(stored.length, 5)
})

test('the same uid again with a license that has ended is refused', async () => {
  const license = await clients.ownLicense(1)
  const { uid } = await clients.active(license)
  await clients.setLicense(license, { is_cancelled: true })
  const again = clients.activate({ uid, license_key: license.secret_key })
  assert.equal(await clients.refusal(again), '400 license_cancelled')
})

test('arguments stand in the body as JSON or a form, or in the query; the paths of older clients work', async () => {
  const license = await clients.ownLicense(9)
  const values = () => ({ uid: newUid(), license_key: license.secret_key, url: 'https://x.example.com' })
  const query = () => `?${new URLSearchParams(values())}`
  const form = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(values()).toString(),
  }
  const plugin = `/plugins/${app.seller.product.id}`
  const replies = [
    app.call('POST', clients.path('/licenses/activate.json') + query(), { token: null }),
    app.call('POST', clients.path('/licenses/activate.json'), { token: null, ...form }),
    app.call('POST', `${plugin}/licenses/activate.json`, { token: null, body: values() }),
    app.call('POST', `${plugin}/activate.json`, { token: null, body: values() }),
    app.call('POST', clients.path(`/licenses/activate.json${query()}`), {
      token: null,
      body: { uid: newUid(), url: 'http://y.example.com' },
    }),
    app.call('POST', clients.path('/licenses/activate.json'), {
      token: null,
      body: { ...values(), license_key: encodeURIComponent(license.secret_key) },
    }),
  ]
  for (const reply of await Promise.all(replies)) assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(await clients.counts(license), [6, 0])
})

test('without authorization only the path of the product itself is open', async () => {
  const license = await clients.ownLicense(2)
  const { developer, store, product } = app.seller
  const body = { uid: newUid(), license_key: license.secret_key }
  for (const owner of [`/developers/${developer.id}`, `/stores/${store.id}`]) {
    const path = `${owner}/products/${product.id}/licenses/activate.json`
    assert.equal((await app.call('POST', path, { token: null, body })).status, 401)
  }
  const path = clients.path('/licenses/activate.json')
  assert.equal((await app.call('POST', path, { token: app.seller.other.token, body })).status, 401)
  assert.equal((await app.call('POST', path, { body })).status, 200)
})

for (const prefix of KEY_PREFIXES) {
  test(`whether the owner wants mail: what is open is taken over, a no is not turned into a yes (${prefix}/activate.json)`, async () => {
    const clients = clientsOf(app, prefix)
    const license = await clients.ownLicense(9)
    const said = async (allowed: unknown) =>
      (await clients.active(license, { is_marketing_allowed: allowed })).json['is_marketing_allowed']
    assert.deepEqual(
      [await said(null), await said(true), await said(null), await said(false), await said(true)],
      [null, true, true, false, false],
    )
  })
}

test('an activation that is sent again with its Idempotency-Key is answered again; the key belongs to license key and uid', async () => {
  const license = await clients.ownLicense(9)
  const send = (uid: string) =>
    app.call('POST', clients.path('/licenses/activate.json'), {
      token: null,
      headers: { 'idempotency-key': 'the same' },
      body: { uid, license_key: license.secret_key },
    })
  const [one, other] = [newUid(), newUid()]
  const first = await send(one)
  const again = await send(one)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const theirs = await send(other)
  assert.equal(theirs.headers.get('idempotent-replayed'), null)
  assert.notEqual(theirs.json.install_id, first.json.install_id)
  assert.deepEqual(await clients.counts(license), [2, 0])
})
