import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asPublic } from '../../../test/callers.ts'
import { createOffer, createAddon } from '../../../test/catalogue.ts'
import { createInstallOf, createOwner, eventsOf, expectOk, keysOf, newUid } from '../../../test/installs.ts'
import { mailsOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('installs_parts')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const newInstall = async (body: object = {}) => createInstallOf(app, await createOwner(app), { ...body })

test('an uninstalled install says why; the last reason counts, and one that is recovered has none', async () => {
  const install = await newInstall()
  const url = path(`/installs/${install.id}`)
  const why = () => app.call('GET', `${url}/uninstall.json`)
  assert.equal((await why()).status, 404)
  const call = asInstall(app, keysOf(install))
  const gone = (
    await call('PUT', '.json', { is_uninstalled: true, reason_id: '4', reason_info: 'It is white.' })
  ).json
  assert.equal(gone.is_uninstalled, true)
  const { json } = await why()
  assert.deepEqual(
    [json.install_id, json.plugin_id, json.site_id, json.reason_id, json.reason_info, json.reason],
    [install.id, install.plugin_id, install.site_id, 4, 'It is white.', 'It broke my site'],
  )
  const shortened = await app.call('GET', `${url}/uninstall.json?fields=reason`)
  assert.deepEqual(shortened.json, { reason: 'It broke my site' })
  assert.deepEqual((await eventsOf(app, install.id)).at(-1)?.type, 'install.uninstalled')
  await call('PUT', '.json', { reason_id: 5 })
  assert.deepEqual([(await why()).json.reason_id, (await why()).json.reason_info], [5, ''])
  const back = (await call('PUT', '.json', { recover: true })).json
  assert.deepEqual([back.is_uninstalled, back.is_active], [false, true])
  assert.equal((await why()).status, 404)
})

test('an uninstall without a reason has the reason other', async () => {
  const install = await newInstall()
  await app.call('PUT', path(`/installs/${install.id}.json`), { body: { is_uninstalled: true } })
  const { json } = await app.call('GET', path(`/installs/${install.id}/uninstall.json`))
  assert.deepEqual([json.reason_id, json.reason], [7, 'Other'])
})

test('an anonymous site says why with the public key alone, once a uid however often', async () => {
  const call = asPublic(app)
  const uid = newUid()
  const said = await call('PUT', '/uninstall.json', { uid, reason_id: 1 })
  assert.deepEqual([said.status, said.text], [200, '"200 OK"'])
  await Promise.all(
    [2, 3, 9].map((reason_id) => call('PUT', '/uninstall.json', { uid, reason_id, reason: 'x' })),
  )
  const rows = await app.ctx.db.selectFrom('uninstalls').selectAll().where('uid', '=', uid).execute()
  assert.equal(rows.length, 1)
  assert.notEqual(rows[0]?.reason_id, 1)
  assert.equal((await call('PUT', '/uninstall.json', {})).status, 402)
  assert.equal((await call('PUT', '/uninstall.json', { uid: 'x' })).json.error.code, 'invalid_uid')
  assert.equal((await call('PUT', '/uninstall.json', { uid, reason_id: 0 })).status, 400)
})

test('sites are noted as skipped, one or several, once each', async () => {
  const call = asPublic(app)
  const [one, two] = [newUid(), newUid()]
  assert.equal((await call('PUT', '/skip.json', { uid: one })).status, 204)
  assert.equal((await call('PUT', '/skip.json', { uids: [one, two] })).status, 204)
  const rows = await app.ctx.db
    .selectFrom('skipped_sites')
    .select('uid')
    .where('uid', 'in', [one, two])
    .execute()
  assert.equal(rows.length, 2)
  assert.equal((await call('PUT', '/skip.json', {})).status, 402)
  assert.equal((await call('PUT', '/skip.json', { uids: ['short'] })).status, 400)
})

test('a form says a list of one as its only value, and an empty one as empty text', async () => {
  const uid = newUid()
  const skip = (body: string) =>
    app.call('PUT', path('/skip.json'), {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  assert.equal((await skip(`uids=${uid}`)).status, 204)
  const rows = app.ctx.db.selectFrom('skipped_sites').select('uid').where('uid', '=', uid)
  assert.equal((await rows.execute()).length, 1)
  assert.equal((await skip('uids=')).status, 402)
  assert.equal((await skip(`uids=${uid}&uids=${uid}`)).json.error.code, 'invalid_argument')
  const wrong = await skip('uids=short')
  assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'invalid_uid'])
})

test('permissions are all given at first; each that changes has its event', async () => {
  const install = await newInstall()
  const set = (body: object) => app.call('PUT', path(`/installs/${install.id}/permissions.json`), { body })
  const before = (await eventsOf(app, install.id)).length
  const { json } = await set({ is_enabled: false, permissions: 'user, extensions' })
  assert.deepEqual(
    [json.install_id, json.permissions],
    [install.id, { site: true, user: false, extensions: false }],
  )
  await set({ is_enabled: false, permissions: 'user' })
  assert.deepEqual((await set({ is_enabled: true, permissions: 'user,site' })).json.permissions, {
    site: true,
    user: true,
    extensions: false,
  })
  assert.deepEqual(
    (await eventsOf(app, install.id)).slice(before).map(({ type }) => type),
    ['install.user.opt_out', 'install.extensions.opt_out', 'install.user.opt_in'],
  )
  assert.deepEqual((await set({ is_enabled: true, permissions: 'extensions' })).json.permissions, {
    site: true,
    user: true,
    extensions: true,
  })
  assert.equal((await eventsOf(app, install.id)).at(-1)?.type, 'install.extensions.opt_in')
  assert.equal((await set({ is_enabled: true, permissions: 'user,all' })).status, 400)
  assert.equal((await set({})).status, 402)
})

test('a clone is one while it is open, and is resolved once and for all unless it was temporary', async () => {
  const install = await newInstall({ url: 'https://home.example' })
  const other = await createInstallOf(app, { id: install.user_id }, { url: 'https://copy.example' })
  const foreign = await newInstall()
  const url = path(`/installs/${install.id}/clones`)
  const note = () => app.call('POST', `${url}.json`, { body: { site_url: 'https://copy.example' } })
  const [first, second] = await Promise.all([note(), note()])
  assert.equal(first.json.id, second.json.id)
  assert.deepEqual(
    [first.json.state, first.json.resolution, first.json.install_url, first.json.new_install_id],
    ['pending', null, 'https://home.example', null],
  )
  const resolve = (body: object) => app.call('PUT', `${url}/${first.json.id}.json`, { body })
  assert.equal((await resolve({ resolution: 'other' })).status, 400)
  assert.equal((await resolve({})).status, 402)
  assert.equal((await resolve({ resolution: 'new_home', new_install_id: '999999' })).status, 404)
  const call = asInstall(app, keysOf(install))
  const body = { resolution: 'new_home', new_install_id: foreign.id }
  assert.equal((await call('PUT', `/clones/${first.json.id}.json`, body)).status, 404)
  assert.equal((await resolve({ resolution: 'temporary_duplicate' })).json.state, 'resolved')
  const done = (await resolve({ resolution: 'long_term_duplicate', new_install_id: other.id })).json
  assert.deepEqual(
    [done.state, done.resolution, done.new_install_id],
    ['resolved', 'long_term_duplicate', other.id],
  )
  const again = await resolve({ resolution: 'new_home' })
  assert.deepEqual([again.status, again.json.error.code], [400, 'clone_resolved'])
  assert.notEqual((await note()).json.id, first.json.id)
  const stranger = path(`/installs/${foreign.id}/clones/${first.json.id}.json`)
  assert.equal((await app.call('PUT', stranger, { body: { resolution: 'new_home' } })).status, 404)
})

test('plugins and themes come as a list or as JSON text, are kept once each, and forgotten when uninstalled', async () => {
  const install = await newInstall()
  const call = asInstall(app, keysOf(install))
  const items = async () =>
    expectOk(await call('GET', '/market_items.json')).json.market_items.map(
      (item: Record<string, unknown>) => [item['type'], item['slug'], item['title'], item['newest_version']],
    )
  const shop = { slug: 'shop', title: 'Shop', version: '1.0', is_active: true }
  expectOk(
    await call('PUT', '.json', {
      plugins: [shop],
      themes: JSON.stringify([{ slug: 'shop', title: 'Theme' }]),
    }),
  )
  assert.deepEqual(await items(), [
    ['plugin', 'shop', 'Shop', '1.0'],
    ['theme', 'shop', 'Theme', ''],
  ])
  expectOk(await call('PUT', '.json', { plugins: [{ ...shop, version: '2.0' }] }))
  expectOk(await call('PUT', '.json', { themes: [{ slug: 'shop', is_uninstalled: true }] }))
  assert.deepEqual(await items(), [['plugin', 'shop', 'Shop', '2.0']])
  expectOk(await call('PUT', '/permissions.json', { is_enabled: false, permissions: 'extensions' }))
  expectOk(await call('PUT', '.json', { plugins: [{ slug: 'secret' }] }))
  assert.deepEqual(await items(), [['plugin', 'shop', 'Shop', '2.0']])
})

test('no text is no plugin; a text that is no JSON, or a thousand and one, are refused', async () => {
  const call = asInstall(app, keysOf(await newInstall()))
  const statusOf = async (plugins: unknown) => (await call('PUT', '.json', { plugins })).status
  const some = (count: number) => Array.from({ length: count }, (_, n) => ({ slug: `p${n}` }))
  assert.deepEqual(
    [await statusOf(''), await statusOf('{'), await statusOf(some(1_000)), await statusOf(some(1_001))],
    [200, 400, 200, 400],
  )
})

test('an odd entry among plugins and themes is clipped or left out, and the rest is kept', async () => {
  const install = await newInstall()
  const call = asInstall(app, keysOf(install))
  const long = `${'x'.repeat(254)}🙂`
  const odd = [{ title: 'no slug' }, 7, null, { slug: 'x'.repeat(256) }, { slug: 'a\u202eb' }, { slug: 8 }]
  const told = [{ slug: 'old', version: false, title: null }, ...odd, { slug: 'long', title: long }]
  const reply = expectOk(await call('PUT', '.json', { plugins: told, version: '9.9' }))
  assert.equal(reply.json.version, '9.9', 'the sync itself is heard')
  const { market_items: items } = expectOk(await call('GET', '/market_items.json')).json
  assert.deepEqual(
    items.map((item: Record<string, unknown>) => [item['slug'], item['title'], item['newest_version']]),
    [
      ['old', 'old', ''],
      ['long', 'x'.repeat(254), ''],
    ],
  )
})

test('plans of an install are those of its product, one of them too; features are of an add-on of it', async () => {
  const install = await newInstall()
  const { developer, store, product } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  const offer = await app.write((tx) => createOffer(tx, owner, 'gold'))
  const addonId = await app.write((tx) => createAddon(tx, owner, 'More'))
  const extra = await app.write((tx) => createOffer(tx, { ...owner, productId: addonId }, 'extra'))
  const call = asInstall(app, keysOf(install))
  const release = (is_released: boolean) =>
    app.ctx.database.transaction((db) =>
      db.updateTable('products').set({ is_released }).where('id', '=', product.id).execute(),
    )
  await release(false)
  assert.deepEqual((await call('GET', '/plans.json')).json.plans, [], 'the product is not released')
  const { plans } = (await call('GET', '/plans.json?show_pending=true')).json
  assert.deepEqual(
    plans.map(({ id }: { id: string }) => id),
    [String(offer.planId)],
  )
  await release(true)
  assert.equal((await call('GET', `/plans/${offer.planId}.json`)).json.name, 'gold')
  assert.equal((await call('GET', `/plans/${extra.planId}.json`)).status, 404)
  const { features } = (await call('GET', `/addons/${addonId}/plans/${extra.planId}/features.json`)).json
  assert.deepEqual(
    features.map(({ title }: { title: string }) => title),
    ['Feature of extra'],
  )
  assert.equal((await call('GET', `/addons/${product.id}/plans/${offer.planId}/features.json`)).status, 404)
})

test('an install writes down events of its own, once where it asks so, and none of ours', async () => {
  const install = await newInstall()
  const call = asInstall(app, keysOf(install))
  const send = (body: object) => call('POST', '/events.json', body)
  const sent = async (body: object) => expectOk(await send(body))
  const { json } = await sent({ type: 'clicked_button', properties: { place: 'top' }, process_at: 'now' })
  assert.deepEqual(
    [json.type, json.data, json.event_trigger, json.install_id],
    ['clicked_button', { place: 'top', process_at: 'now' }, 'install', install.id],
  )
  const numbered = await sent({ type: 'tracked', properties: [], process_at: 1_769_853_600 })
  assert.deepEqual(numbered.json.data, { process_at: 1_769_853_600 }, 'as clients in PHP send it')
  for (const wrong of [{ properties: [1] }, { process_at: -1 }, { process_at: 1.5 }]) {
    assert.equal((await send({ type: 'tracked', ...wrong })).status, 400, JSON.stringify(wrong))
  }
  const once = await Promise.all(Array.from({ length: 5 }, () => send({ type: 'first_run', once: true })))
  assert.equal(new Set(once.map((reply) => reply.json.id)).size, 1)
  for (const type of ['license.activated', 'INSTALL.deleted', 'payment', 'a b', '']) {
    assert.equal((await send({ type })).status, 400, type)
  }
  const { events } = (await call('GET', '/events.json?type=first_run')).json
  assert.equal(events.length, 1)
})

test('the owner is mailed a link that proves its address, unless it is proven', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner, { url: 'https://verify.example/blog' })
  const ask = (user: number, url?: string) =>
    asInstall(app, keysOf(install))(
      'PUT',
      `/users/${user}/verify.json`,
      url && { after_email_confirm_url: url },
    )
  const mails = async () =>
    (await mailsOf(app, 'confirm_email')).filter(({ recipient }) => recipient === owner.email)
  const before = (await mails()).length
  const sent = await ask(owner.id, 'https://verify.example/account')
  assert.deepEqual([sent.status, sent.text], [200, ''])
  assert.equal((await mails()).length, before + 1)
  assert.equal((await ask(owner.id, 'https://evil.example')).status, 400)
  assert.equal((await ask((await createOwner(app)).id)).status, 404)
})

test('a site has its owner mailed five times an hour, wherever it calls from', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  for (let times = 0; times < 8; times++) {
    await app.write(({ db }) => db.deleteFrom('mail_counts').where('name', 'like', 'from:%').execute())
    const { status } = await asInstall(app, keysOf(install))('PUT', `/users/${owner.id}/verify.json`)
    assert.equal(status, 200)
  }
  const mails = (await mailsOf(app, 'confirm_email')).filter(({ recipient }) => recipient === owner.email)
  assert.equal(mails.length, 5)
})
