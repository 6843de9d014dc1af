import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf, newUid } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { contextOf } from '../../../test/site-context.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('connect_site')
  shop = await changeShop(app)
})
after(() => app.close())

let people = 0
const someone = () => `connects${++people}@example.com`

/** A site of WordPress that has no keys. */
const siteOf = (more: object = {}) => ({
  site_uid: newUid(),
  site_url: 'https://wp.example.org:8443',
  site_name: 'A shop',
  language: 'de_DE',
  plugin_version: '2.0.1',
  sdk_version: '2.13.4',
  platform_version: '6.8',
  programming_language_version: '8.3',
  is_premium: true,
  is_active: true,
  is_disconnected: false,
  is_marketing_allowed: true,
  is_extensions_tracking_allowed: false,
  is_diagnostic_tracking_allowed: true,
  ...more,
})

async function bought(email: string, body: object = {}) {
  const who = { user_email: email, user_firstname: 'Ada', country_code: 'us', plan_id: shop.plans.basic }
  const session = await shop.open({ ...shop.sandbox(), ...who, ...body })
  assert.equal(session.status, 201, session.text)
  const paid = await shop.pay(session.json.id)
  assert.equal(paid.json.state, 'paid', paid.text)
  return { token: session.json.id as string, licenseId: paid.json.license_id as string }
}

const connect = (token: string, body: object) => shop.call('POST', `/${token}/site.json`, body)

const installsOf = (uid: string) =>
  app.ctx.db.selectFrom('installs').selectAll().where('uid', '=', uid).execute()

test('a site that was not connected gets keys of buyer and site with the license that was bought for it', async () => {
  const email = someone()
  const { token, licenseId } = await bought(email)
  const site = siteOf({ forward_url: 'https://wp.example.org:8443/wp-admin/?_wpnonce=1' })
  const { status, json, text } = await connect(token, site)
  assert.equal(status, 200, text)
  assert.equal(json.action, 'install')
  const install = await asInstall(app, keysOf(json.install))('GET', '.json')
  assert.equal(install.status, 200, install.text)
  const { uid, url, license_id: ofSite, ...told } = install.json
  assert.deepEqual([uid, url, ofSite], [site.site_uid, 'https://wp.example.org:8443', licenseId])
  const { version, title, language, sdk_version: sdk, platform_version: platform } = told
  assert.deepEqual([version, title, language, sdk, platform], ['2.0.1', 'A shop', 'de_DE', '2.13.4', '6.8'])
  const { programming_language_version: php, is_premium: premium, is_active: active } = told
  assert.deepEqual([php, premium, active, told.is_disconnected], ['8.3', true, true, false])
  const user = await asUser(app, keysOf(json.user))('GET', '.json')
  assert.deepEqual([user.status, user.json.first], [200, 'Ada'])
  assert.equal((await shop.licenseOf(licenseId)).activated, 1)
})

test('a site that asks again, also twice at once, stays one install that takes one place of its license', async () => {
  const { token, licenseId } = await bought(someone())
  const site = siteOf()
  const replies = await Promise.all([connect(token, site), connect(token, site)])
  replies.push(await connect(token, site))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(new Set(replies.map(({ json }) => json.install.id)).size, 1)
  assert.equal((await installsOf(site.site_uid)).length, 1)
  assert.equal((await shop.licenseOf(licenseId)).activated, 1)
})

test('no more sites than the license has room for are connected, however many ask at once', async () => {
  const { token, licenseId } = await bought(someone())
  const sites = Array.from({ length: 4 }, (_, at) => siteOf({ site_url: `https://many${at}.example.org` }))
  const replies = await Promise.all(sites.map((site) => connect(token, site)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  const codes = replies.filter(({ status }) => status === 400).map(({ json }) => json.error.code)
  assert.deepEqual([...new Set(codes)], ['license_utilized'])
  assert.equal((await shop.licenseOf(licenseId)).activated, 1)
})

test('what anybody could have had for the address of a known person is connected by the link that is mailed to it', async () => {
  const email = someone()
  await userOf(app, email)
  const { token } = await bought(email)
  const site = siteOf({ return_url: 'https://wp.example.org:8443/wp-admin/?fs_action=activate' })
  const { status, json, text } = await connect(token, site)
  assert.equal(status, 200, text)
  assert.deepEqual(json, {
    action: 'pending_activation',
    user: null,
    install: null,
    user_email: email,
    support_email_address: null,
  })
  assert.deepEqual(await installsOf(site.site_uid), [])
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind === 'pending_activation')
  const [, path = ''] = /http:\/\/keywright\.test(\/confirm-activation\/\S+)/.exec(mail?.text ?? '') ?? []
  const followed = await fetch(app.address + path, { method: 'POST', redirect: 'manual' })
  assert.equal(followed.status, 303, await followed.text())
  assert.match(followed.headers.get('location') ?? '', /^https:\/\/wp\.example\.org:8443\/.*&user_id=/)
  const [install] = await installsOf(site.site_uid)
  assert.ok(install?.license_id, 'with the license that was bought')
})

test('a site that is connected learns so, and is told no keys', async () => {
  const owner = await createOwner(app, someone())
  const site = await createInstallOf(app, owner, { url: 'https://connected.example.org' })
  const { token } = await bought(owner.email, contextOf(app, site))
  const { json } = await connect(token, { forward_url: 'https://connected.example.org/wp-admin/' })
  assert.deepEqual([json.action, json.user, json.install], ['sync', null, null])
  const elsewhere = await connect(token, { forward_url: 'https://connected.example.org.evil.example/' })
  assert.deepEqual(
    [elsewhere.status, elsewhere.json.error.details[0].field, elsewhere.json.error.details[0].message],
    [400, 'forward_url', 'must lead to the host of the install'],
  )
})

test('nobody is led to another host than that of the site, and then nothing is connected', async () => {
  const { token, licenseId } = await bought(someone())
  for (const name of ['forward_url', 'return_url']) {
    for (const to of [
      'https://evil.example/',
      'https://wp.example.org/',
      'https://wp.example.org:8443@evil.example/',
    ]) {
      const site = siteOf({ [name]: to })
      const { status, json } = await connect(token, site)
      assert.deepEqual([status, json.error.details[0].field], [400, name], to)
      assert.deepEqual(await installsOf(site.site_uid), [])
    }
  }
  assert.equal((await shop.licenseOf(licenseId)).activated, 0)
})

test('a checkout that is not paid, or is none, connects nothing', async () => {
  const { json: session } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic })
  const site = siteOf()
  const unpaid = await connect(session.id, site)
  assert.deepEqual([unpaid.status, unpaid.json.error.code], [400, 'checkout_not_paid'])
  assert.equal((await connect('nobody', site)).status, 404)
  assert.deepEqual(await installsOf(site.site_uid), [])
})

test('a site without a uid is refused by name', async () => {
  const { token } = await bought(someone())
  const { status, json } = await connect(token, siteOf({ site_uid: undefined }))
  assert.deepEqual([status, json.error.details[0].field], [402, 'site_uid'])
})

test('the uid of a site that another person has takes nothing from it', async () => {
  const [first, second] = [await bought(someone()), await bought(someone())]
  const site = siteOf()
  const { json: before } = await connect(first.token, site)
  const { json: other } = await connect(second.token, site)
  assert.notEqual(other.install.id, before.install.id)
  const install = await asInstall(app, keysOf(before.install))('GET', '.json')
  assert.deepEqual([install.status, install.json.license_id], [200, first.licenseId])
})

test('what is paid for a license that there is connects nobody: the way back leads to the site', async () => {
  const { licenseId } = await bought(someone())
  const { json: session, text } = await shop.openFor(licenseId, {}, { quota: 5, plan_id: shop.plans.pro })
  assert.ok(session.id, text)
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  const site = siteOf()
  const { status, json } = await connect(session.id, site)
  assert.deepEqual([status, json.action, json.install], [200, 'return_without_sync', null])
  assert.deepEqual(await installsOf(site.site_uid), [])
})
