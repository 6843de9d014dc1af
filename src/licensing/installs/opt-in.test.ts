import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { newUid } from '../../../test/installs.ts'
import { licenseOf, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { OPT_IN, optInByServer, optInForm, OWNERS, postForm } from '../../../test/opt-in.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('opt_in')
})
after(() => app.close())

let people = 0
const newAddress = () => `olive${++people}@example.com`
const installRow = (id: string) =>
  app.ctx.db.selectFrom('installs').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

test("a new person's browser is led back to the site with the keys of user and install", async () => {
  const email = newAddress()
  const form = optInForm(app, email)
  const { status, location, headers } = await postForm(app, OPT_IN, form)
  assert.equal(status, 302)
  assert.ok(headers.get('x-api-server'))
  const url = new URL(location ?? '')
  assert.equal(url.origin + url.pathname, 'https://site.example.org/wp-admin/admin.php')
  const given = Object.fromEntries(url.searchParams)
  assert.deepEqual(Object.keys(given), [
    'page',
    'fs_action',
    'user_id',
    'user_public_key',
    'user_secret_key',
    'install_id',
    'install_public_key',
    'install_secret_key',
    'is_extensions_tracking_allowed',
    'is_diagnostic_tracking_allowed',
  ])
  assert.deepEqual(
    [given['is_extensions_tracking_allowed'], given['is_diagnostic_tracking_allowed']],
    ['1', '0'],
  )
  const install = await installRow(given['install_id'] ?? '')
  assert.deepEqual(
    [install.uid, install.url, install.title, install.version, install.language, install.is_active],
    [form['site_uid'], 'https://site.example.org', 'Olive’s site', '1.2.3', 'en_US', true],
  )
  assert.equal(app.ctx.keys.open(install.secret_key, 'installs.secret_key'), given['install_secret_key'])
  const permits = await app.ctx.db
    .selectFrom('install_metadata')
    .select(['permits_site', 'permits_extensions'])
    .where('install_id', '=', install.id)
    .executeTakeFirst()
  assert.deepEqual({ ...permits }, { permits_site: false, permits_extensions: true })
  assert.deepEqual(await mailsTo(app, email), [], 'a stranger has nobody mailed')
})

test('with format=json the same is answered as JSON, and a network gets a list', async () => {
  const one = await optInByServer(app, optInForm(app, newAddress(), { is_marketing_allowed: '1' }))
  assert.equal(one.status, 200)
  assert.equal(one.json.is_marketing_allowed, true)
  assert.match(one.json.user_secret_key, /^sk_/)
  const uids = [newUid(), newUid()]
  const network = await optInByServer(
    app,
    optInForm(app, newAddress(), {
      site_uid: '',
      'sites[0][uid]': uids[0] ?? '',
      'sites[0][url]': 'https://site.example.org/a',
      'sites[1][uid]': uids[1] ?? '',
      'sites[1][url]': 'https://site.example.org/b',
      'sites[1][language]': 'de_DE',
    }),
  )
  assert.equal(network.status, 200, network.text)
  assert.equal(network.json.install_id, undefined)
  assert.deepEqual(
    network.json.installs.map((install: Record<string, string>) => [
      install['uid'],
      install['language'],
      install['secret_key']?.slice(0, 3),
    ]),
    [
      [uids[0], 'en_US', 'sk_'],
      [uids[1], 'de_DE', 'sk_'],
    ],
  )
})

test('a return_url to another host than that of the site is refused, and nothing is stored', async () => {
  const email = newAddress()
  for (const return_url of [
    'https://evil.example.com/',
    'https://site.example.org.evil.com/',
    'https://site.example.org:8443/',
    'https://site.example.org@evil.com/',
    'https://evil.com\\@site.example.org/',
    'javascript:alert(1)',
    '//site.example.org/',
    '',
  ]) {
    const { status, json, headers } = await postForm(app, OPT_IN, optInForm(app, email, { return_url }))
    assert.ok(status === 400 || status === 402, return_url)
    assert.equal(typeof json.error, 'string')
    assert.ok(headers.get('x-api-server'))
  }
  const found = await app.ctx.db.selectFrom('users').select('id').where('email', '=', email).execute()
  assert.deepEqual(found, [])
})

test('another public key than that of the product is refused as a product that does not exist', async () => {
  const wrong = optInForm(app, newAddress(), { plugin_public_key: app.seller.other.publicKey })
  const none = optInForm(app, newAddress(), { plugin_id: '987654321' })
  const replies = [await optInByServer(app, wrong), await optInByServer(app, none)]
  assert.deepEqual(
    replies.map(({ status, text }) => [status, text]),
    [
      [404, '{"error":"There is no such plugin."}'],
      [404, '{"error":"There is no such plugin."}'],
    ],
  )
})

test('a malformed or missing field is named in a sentence', async () => {
  const short = await optInByServer(app, optInForm(app, newAddress(), { site_uid: 'short' }))
  assert.equal(short.status, 400)
  assert.match(short.json.error, /32 characters/)
  const bare = await optInByServer(app, { plugin_id: '1' })
  assert.equal(bare.status, 402)
  assert.match(bare.json.error, /plugin_public_key is required.*site_uid is required/)
  const nobody = await optInByServer(app, optInForm(app, ''))
  assert.deepEqual([nobody.status, nobody.json.error], [402, 'Missing: user_email is required.'])
})

test('ten opt-ins of one new address at once give one of them keys', async () => {
  const email = newAddress()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => optInByServer(app, optInForm(app, email))),
  )
  const connected = replies.filter(({ json }) => json.user_secret_key !== undefined)
  const pending = replies.filter(({ json }) => json.pending_activation === true)
  assert.deepEqual([connected.length, pending.length], [1, 9])
})

test('a license key activates for the owner of the license, whoever the form names', async () => {
  const email = newAddress()
  const userId = await userOf(app, email)
  const license = await licenseOf(app, 1, { body: { email } })
  const form = optInForm(app, 'somebody.else@example.com', { license_key: license.secret_key })
  const { status, json } = await optInByServer(app, form)
  assert.equal(status, 200)
  assert.equal(json.user_id, userId)
  assert.equal((await installRow(json.install_id)).license_id, Number(license.id))
  const second = await optInByServer(app, optInForm(app, '', { license_key: license.secret_key }))
  assert.equal(second.status, 400)
  assert.match(second.json.error, /has been reached/)
  const unknown = await optInByServer(app, optInForm(app, '', { license_key: 'sk_unknown' }))
  assert.deepEqual([unknown.status, unknown.json.error], [404, 'Invalid license key.'])
})

test("nobody's license becomes a new person's by opt-in", async () => {
  const license = await licenseOf(app)
  const email = newAddress()
  const { json } = await optInByServer(app, optInForm(app, email, { license_key: license.secret_key }))
  const row = await app.ctx.db
    .selectFrom('licenses')
    .select('user_id')
    .where('id', '=', Number(license.id))
    .executeTakeFirst()
  assert.equal(String(row?.user_id), json.user_id)
})

test('a plan that is named is tried', async () => {
  const offer = await offerFor(app, 1, { plan: { trial_period: 7 } })
  const form = optInForm(app, newAddress(), { trial_plan_id: String(offer.planId) })
  const { json } = await optInByServer(app, form)
  assert.equal((await installRow(json.install_id)).trial_plan_id, offer.planId)
})

test('an uninstall is noted with its reason, for a known person without its account', async () => {
  const email = newAddress()
  const why = { 'uninstall_params[reason_id]': '5', 'uninstall_params[reason_info]': 'It stopped.' }
  const { json } = await optInByServer(app, optInForm(app, email, why))
  const install = await installRow(json.install_id)
  assert.deepEqual([install.is_uninstalled, install.is_active], [true, false])
  const known = optInForm(app, email, why)
  assert.equal((await optInByServer(app, known)).json.pending_activation, true)
  const notes = await app.ctx.db
    .selectFrom('uninstalls')
    .select(['install_id', 'reason_id', 'reason_info'])
    .where('uid', 'in', [install.uid, known['site_uid'] ?? ''])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    notes.map((note) => ({ ...note })),
    [
      { install_id: install.id, reason_id: 5, reason_info: 'It stopped.' },
      { install_id: null, reason_id: 5, reason_info: 'It stopped.' },
    ],
  )
  const kinds = (await mailsTo(app, email)).map(({ kind }) => kind)
  assert.ok(!kinds.includes('pending_activation'))
})

test('who has a key learns who owns its license; about an address nobody learns anything', async () => {
  const email = newAddress()
  const userId = await userOf(app, email)
  const owned = await licenseOf(app, 1, { body: { email } })
  const orphan = await licenseOf(app)
  const id = String(app.seller.product.id)
  const ask = async (question: Record<string, string>) =>
    (await postForm(app, OWNERS, { ...question, 'plugin_ids[0]': id })).json
  assert.deepEqual(await ask({ license_key: owned.secret_key }), {
    success: true,
    data: [{ plugin_id: id, is_marketing_allowed: null, license_owner_id: userId }],
  })
  assert.equal((await ask({ license_key: orphan.secret_key })).data[0].license_owner_id, false)
  assert.deepEqual(await ask({ license_key: 'sk_unknown' }), { success: true, data: [] })
  const nothing = { success: true, data: [{ plugin_id: id, is_marketing_allowed: null }] }
  assert.deepEqual(await ask({ email }), nothing)
  assert.deepEqual(await ask({ email: 'nobody@example.com' }), nothing)
  assert.deepEqual((await postForm(app, OWNERS, { email, plugin_ids: id })).json, nothing, 'one of them')
  const refused = await postForm(app, OWNERS, { email, 'plugin_ids[0]': 'x' })
  assert.deepEqual([refused.status, typeof refused.json.error], [400, 'string'])
})

test('calls of one address are limited', async () => {
  const limited = await startTestApp('opt_in_limited', {
    config: {
      rate: {
        failed: { perSecond: 1, burst: 3 },
        keyed: { perSecond: 1, burst: 3 },
        authenticated: null,
      },
    },
  })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) {
    const { status, headers } = await postForm(limited, OWNERS, { email: 'a@b.cc', 'plugin_ids[0]': '1' })
    statuses.push(status)
    if (status === 429) assert.ok(headers.get('retry-after'))
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const { status, json } = await optInByServer(limited, optInForm(limited, 'a@example.com'))
  assert.deepEqual([status, typeof json.error], [429, 'string'])
  await limited.close()
})
