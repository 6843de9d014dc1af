import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import { keysOf, type Grant } from '../../../test/installs.ts'
import { opened, SITE, siteBy, WAYS, wordpress, type KeyOnlySite } from '../../../test/key-only-site.ts'
import { offerFor } from '../../../test/licenses.ts'
import { textOfPdf } from '../../../test/pdf.ts'

let app: TestApp
let tried: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('key_only_site')
  const { product, other } = app.seller
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('products')
      .set({ kind: 'addon', parent_plugin_id: product.id })
      .where('id', '=', other.id)
      .execute(),
  )
  await offerFor(app, 1, { plan: { is_free_localhost: true } })
  tried = await offerFor(app, 5, { plan: { trial_period: 14 } })
  await release(app, '1.1.0')
  await release(app, '1.5', { release_mode: 'released' }, other)
})
after(() => app.close())

/** What the add-on on the site does with the keys that it was made with. */
async function extensionSeesNothingElse(
  { texts, extra }: KeyOnlySite,
  made: Grant & { readonly id: string },
) {
  const addon = wordpress(app, keysOf(made as never), { prefix: `/installs/${made.id}`, texts })
  const person = await addon('GET', `/users/${made['user_id']}.json`)
  assert.equal(person.status, 200, person.text)
  const signer = keysOf(person.json)
  const user = wordpress(app, signer, { prefix: `/users/${signer.id}/plugins/${app.seller.other.id}`, texts })
  assert.deepEqual((await user('GET', '/licenses.json?is_enriched=true')).json.licenses, [])
  assert.deepEqual((await user('GET', '/payments.json?include_addons=true')).json.payments, [])
  assert.equal((await addon('PUT', `/licenses/${extra.license.id}.json`)).status, 404)
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
const strings = (row: Readonly<Record<string, unknown>>, names: readonly string[]) => {
  for (const name of names) assert.equal(typeof row[name], 'string', `${name}: ${JSON.stringify(row)}`)
}
const has = (row: object, names: readonly string[]) => {
  for (const name of names) assert.ok(name in row, `${name}: ${JSON.stringify(row)}`)
}

const INSTALL = 'id public_key secret_key site_id plugin_id user_id url version plan_id'.split(' ')
const INSTALL_OR_NULL =
  'title language platform_version sdk_version programming_language_version license_id trial_plan_id trial_ends is_premium is_disconnected is_active is_uninstalled is_beta'.split(
    ' ',
  )
const LICENSE =
  'id plugin_id user_id plan_id pricing_id quota activated activated_local expiration secret_key is_free_localhost is_block_features is_cancelled is_whitelabeled parent_license_id parent_plan_name parent_plan_title'.split(
    ' ',
  )

for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
  test(`a site activated by key alone through ${way} connects, syncs and shows its license`, async () => {
    const site = await siteBy(app, way)
    const { known } = site
    const person = await site.user('GET', '.json')
    has(person, ['email', 'first', 'last', 'is_verified'])
    assert.deepEqual(
      [person.id, person.public_key, person.secret_key],
      [site.grant['user_id'], site.grant['user_public_key'], site.grant['user_secret_key']],
    )
    const own = await site.install('GET', '.json')
    strings(own, INSTALL)
    has(own, INSTALL_OR_NULL)
    assert.deepEqual([own.license_id, own.plan_id], [known.license.id, String(known.offer.planId)])
    const { plans } = await site.plugin('GET', '/plans.json')
    assert.ok(idsOf(plans).includes(own.plan_id))
    for (const plan of plans) for (const value of Object.values(plan)) assert.ok(!Array.isArray(value))
    assert.equal((await site.plugin('GET', `/plans/${own.plan_id}.json`)).id, own.plan_id)
    assert.equal((await site.install('GET', `/plans/${own.plan_id}.json`)).id, own.plan_id)

    const told = {
      title: 'Shop',
      version: '1.0.0',
      is_premium: true,
      is_active: true,
      uid: own.uid,
      url: SITE,
    }
    const lists = ['plugins', 'themes'].map((name) => [
      name,
      [{ slug: 'akismet', version: '1', title: 'A', is_active: true, is_uninstalled: false }],
    ])
    const synced = await site.install('PUT', '.json', { ...told, ...Object.fromEntries(lists) })
    strings(synced, INSTALL)
    assert.deepEqual(
      [synced.title, synced.url, synced.is_premium, synced.license_id],
      ['Shop', SITE, true, known.license.id],
    )
    assert.equal((await site.install('PUT', '.json', { uid: own.uid })).id, own.id)
    const network = [{ id: own.id, uid: own.uid, title: 'Of many' }, { language: 'fr_FR' }]
    const many = await site.plugin('PUT', '/installs.json', network)
    assert.deepEqual(idsOf(many.installs), [own.id])
    assert.deepEqual(idsOf((await site.plugin('GET', `/installs.json?ids=${own.id}`)).installs), [own.id])
    const beta = await site.install('PUT', '.json', { is_beta: true, fields: 'is_beta' })
    assert.deepEqual(beta, { is_beta: true })
    await site.install('PUT', '.json', { is_beta: false, fields: 'is_beta' })

    const { id } = known.license
    const asked = [
      await site.plugin('GET', '/licenses.json?is_enriched=true'),
      await site.plugin('GET', `/licenses.json?is_enriched=true&ids=%2B${site.hidden.license.id}`),
      await site.install('GET', '/licenses.json?is_enriched=true'),
      await site.user('GET', '/licenses.json?type=active&is_enriched=true'),
    ]
    for (const { licenses } of asked) {
      assert.deepEqual(idsOf(licenses), [id])
      has(licenses[0], LICENSE)
      assert.equal(licenses[0].secret_key, known.license.secret_key)
    }
    const key = `license_key=${known.license.secret_key}`
    assert.equal((await site.install('GET', `/licenses/${id}.json?${key}`)).id, id)
    assert.equal((await site.user('GET', `/licenses/${id}.json?${key}`)).id, id)
    const { subscriptions } = await site.install('GET', `/licenses/${id}/subscriptions.json`)
    assert.deepEqual(idsOf(subscriptions), [String(known.subscription.id)])
    assert.deepEqual((await site.plugin('GET', '/parent_licenses.json?filter=activatable')).licenses, [])
    assert.deepEqual((await site.user('GET', `/licenses_owners.json?install_ids=${own.id}`)).owners, [])
    const hidden = `/licenses/${site.hidden.license.id}`
    for (const path of [`${hidden}.json`, `${hidden}/subscriptions.json`])
      assert.equal((await site.calls.install('GET', path)).status, 404)
    site.seesNothingElse()
  })

  test(`its account page has the payments and invoice of its license, through ${way}, and an address of its own`, async () => {
    const site = await siteBy(app, way)
    const { known, userKeys } = site
    const { payments } = await site.plugin('GET', '/payments.json?include_addons=true&include_bundles=true')
    assert.deepEqual(idsOf(payments), [String(known.payment.id)])
    has(payments[0], ['gross', 'vat', 'currency', 'created', 'bound_payment_id'])
    assert.equal((await site.calls.user('GET', '/billing.json')).status, 404)
    const address = {
      business_name: 'Agency Ltd',
      address_city: 'Lyon',
      plugin_id: String(app.seller.product.id),
    }
    assert.equal((await site.user('PUT', '/billing.json', address)).business_name, 'Agency Ltd')
    assert.equal((await site.user('GET', '/billing.json')).address_city, 'Lyon')
    const invoice = (id: number) => `/v1/users/${userKeys.id}/payments/${id}/invoice.pdf?sdk_version=2.13.4`
    const pdf = await opened(app, userKeys, invoice(known.payment.id))
    assert.deepEqual([pdf.status, pdf.type], [200, 'application/pdf'])
    const text = await textOfPdf(pdf.bytes)
    assert.ok(text.includes('INV-') && !text.includes('Agency Ltd'), text)
    site.texts.push(text)
    for (const { payment } of [site.hidden, site.extra, site.stranger])
      assert.equal((await opened(app, userKeys, invoice(payment.id))).status, 404)

    const account = `.json?plugin_id=${app.seller.product.id}&fields=id,first,last`
    const renamed = await site.calls.user('PUT', account, { name: 'Ann Other' })
    assert.equal(renamed.json.error.code, 'account_verification_required')
    const unwanted = await site.user('PUT', `.json?plugin_id=${app.seller.product.id}`, {
      is_marketing_allowed: false,
    })
    assert.equal(unwanted.is_marketing_allowed, false)
    const verify = { after_email_confirm_url: `${SITE}/wp-admin/` }
    await site.install('PUT', `/users/${userKeys.id}/verify.json`, verify)
    site.seesNothingElse()
  })

  test(`it updates, has add-ons, and tells what happens on it, through ${way}`, async () => {
    const site = await siteBy(app, way)
    const { installKeys } = site
    const addon = app.seller.other
    const premium = 'is_premium=true&newer_than=1.0.0'
    const update = await site.install(
      'GET',
      `/updates/latest.json?${premium}&include_upgrade_notice=true&readme=true`,
    )
    assert.equal(update.version, '1.1.0')
    assert.match(update.url, /[?&]is_premium=true/)
    const given = new URL(update.url)
    const zip = await fetch(app.address + given.pathname + given.search)
    assert.equal(zip.status, 200, 'what the updater opens without headers')
    const path = `/v1/installs/${installKeys.id}/updates/latest.zip?is_premium=true`
    assert.equal((await opened(app, installKeys, path)).status, 200)
    const none = await site.calls.install('GET', '/updates/latest.json?is_premium=true&newer_than=1.1.0')
    assert.deepEqual([none.status, none.json.error.http], [404, 404])

    const listed = await site.install('GET', '/addons.json?enriched=true&count=50')
    assert.deepEqual(idsOf(listed.plugins), [String(addon.id)])
    const made = await site.install('POST', `/addons/${addon.id}/installs.json`, { version: '1.0' })
    const [extension] = made.installs
    strings(extension, ['id', 'public_key', 'secret_key'])
    assert.deepEqual(
      [extension.plugin_id, extension.user_id, extension.license_id],
      [String(addon.id), site.grant['user_id'], null],
    )
    await extensionSeesNothingElse(site, extension)
    const offered = await site.calls.install('GET', `/addons/${addon.id}/updates/latest.json?newer_than=1.0`)
    assert.deepEqual([offered.status, offered.json.version], [200, '1.5'])
    const file = `/v1/installs/${installKeys.id}/addons/${addon.id}/updates/latest.zip?is_premium=true`
    const build = await opened(app, installKeys, file)
    assert.notEqual(build.status, 200, 'the premium build of an add-on is for who has its key')

    await site.install('POST', '/events.json', { type: 'clicked', properties: { on: 'x' }, once: true })
    const set = { permissions: 'user,site,extensions', is_enabled: true }
    assert.equal((await site.install('PUT', '/permissions.json', set)).install_id, site.grant['install_id'])
    const all = await site.plugin('PUT', '/installs/permissions.json', {
      ...set,
      install_ids: site.grant['install_id'],
    })
    assert.equal(all.installs_metadata.length, 1)
    site.seesNothingElse()
  })

  test(`it tries a plan, takes its license off and puts it back, through ${way}`, async () => {
    const site = await siteBy(app, way)
    const { known } = site
    const { id } = known.license
    const off = await site.install('DELETE', `/licenses/${id}.json`)
    assert.deepEqual([off.id, off.activated], [id, 0])
    const trial = await site.install('POST', `/plans/${tried.planId}/trials.json`)
    assert.ok(Number(trial.id) > 0)
    const own = await site.install('GET', '.json')
    assert.equal(own.trial_plan_id, String(tried.planId))
    assert.match(own.trial_ends, /^\d{4}-/)
    const ended = await site.install('DELETE', '/trials.json')
    assert.notEqual(ended.trial_ends, own.trial_ends)
    const back = await site.install('PUT', `/licenses/${id}.json?is_enriched=true`, {
      license_key: known.license.secret_key,
    })
    assert.deepEqual([back.id, back.activated], [id, 1])
    await site.install('DELETE', `/licenses/${id}.json`)
    const typed = await site.install('PUT', '.json', { license_key: known.license.secret_key })
    assert.equal(typed.license_id, id)
    const stays = await site.install('PUT', '/downgrade.json', { deactivate_license: false })
    assert.equal(stays.plan_id, String(known.offer.planId))
    const [subscription] = (await site.install('GET', `/licenses/${id}/subscriptions.json`)).subscriptions
    assert.ok(subscription.canceled_at)
    const down = await site.install('PUT', '/downgrade.json', { deactivate_license: true })
    assert.equal(down.license_id, null)
    site.seesNothingElse()
  })

  test(`its copy becomes a site of its own, and it goes, through ${way}`, async () => {
    const site = await siteBy(app, way)
    const { known } = site
    const copy = 'http://localhost:18090'
    const clone = await site.install('POST', '/clones.json', { site_url: copy })
    assert.deepEqual((await site.plugin('GET', '/installs.json?url=localhost%3A18090&all=true')).installs, [])
    const elsewhere = await site.plugin('GET', '/installs.json?all=true')
    assert.deepEqual(idsOf(elsewhere.installs), [site.grant['install_id']])
    const uid = newUid()
    const made = await site.plugin('POST', '/installs.json', {
      uid,
      url: copy,
      license_key: known.license.secret_key,
    })
    strings(made, ['id', 'public_key', 'secret_key', 'plan_id'])
    assert.equal(made.license_id, known.license.id)
    const solved = { resolution: 'long_term_duplicate', new_install_id: made.id }
    assert.equal((await site.install('PUT', `/clones/${clone.id}.json`, solved)).id, clone.id)
    await site.install('PUT', '.json', { url: 'https://moved.example.org', is_new_site: true })
    const uninstalled = { is_uninstalled: true, reason_id: '5', reason_info: '' }
    assert.equal((await site.install('PUT', '.json', { is_active: false })).is_active, false)
    assert.equal((await site.install('PUT', '.json', uninstalled)).is_uninstalled, true)
    assert.equal((await site.calls.plugin('DELETE', `/installs.json?ids=${made.id}`)).status, 204)
    assert.equal((await site.calls.install('DELETE', '.json')).status, 204)
    site.seesNothingElse()
  })
}
