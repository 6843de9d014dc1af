// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { keysIn, type Grant } from '../../../test/installs.ts'
import { wordpress } from '../../../test/key-only-site.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { optInByServer, optInForm, OWNERS, postForm } from '../../../test/opt-in.ts'
import { readConfig } from '../../config.ts'

const SITES = 200
const PLUGINS = 100
const THEMES = 10
/** The rates of a server as it comes. The clock stands still, so nothing is given back. */
const { rate } = readConfig({ PORT: '0' })

let app: TestApp
let addonId: number
before(async () => {
  app = await startTestApp('network', { config: { rate } })
  const { developer, store, product } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  addonId = await app.write((tx) => createAddon(tx, owner, 'More'))
})
after(() => app.close())

interface Site {
  readonly uid: string
  readonly url: string
}

/** A network as the multisite of WordPress is: the sites of one host. */
const network = (host: string): readonly Site[] =>
  Array.from({ length: SITES }, (_, n) => ({ uid: newUid(), url: `https://${host}/site-${n}` }))

function formOf(email: string, sites: readonly Site[], more: Readonly<Record<string, string>>) {
  const { site_uid: _uid, site_url, ...form } = optInForm(app, email, { site_url: sites[0]?.url ?? '' })
  const fields = sites.flatMap(({ uid, url }, n) => [
    [`sites[${n}][uid]`, uid],
    [`sites[${n}][url]`, url],
    [`sites[${n}][title]`, `Site ${n} of the network`],
    [`sites[${n}][language]`, 'en_US'],
    [`sites[${n}][blog_id]`, String(n + 1)],
  ])
  return { ...form, site_url: site_url ?? '', return_url: '', ...more, ...Object.fromEntries(fields) }
}

const extensions = (count: number, of: string) =>
  Array.from({ length: count }, (_, n) => ({
    slug: `${of}-${n}/${of}-${n}.php`,
    version: '1.2.3',
    title: `The ${of} ${n}`,
    is_active: true,
    is_uninstalled: false,
  }))

/** What a network tells of its sites: each its own, and then what holds for all. */
const synced = (sites: readonly Site[], ids: readonly string[], common: object): object[] => [
  ...sites.map(({ uid, url }, n) => ({ id: ids[n], uid, url, title: `Site ${n} of the network` })),
  common,
]
const COMMON = { sdk_version: '2.13.4', platform_version: '6.8', programming_language_version: '8.3' }
const ALL = {
  ...COMMON,
  version: '1.2.3',
  plugins: extensions(PLUGINS, 'plugin'),
  themes: extensions(THEMES, 'theme'),
}

interface Way {
  readonly host: string
  readonly isKeyed: boolean
}
const WAYS: Readonly<Record<string, Way>> = {
  'by a license key': { host: 'network.example.org', isKeyed: true },
  'by a license key, at work': { host: 'network.test', isKeyed: true },
  'by an address': { host: 'other.example.org', isKeyed: false },
}

for (const [way, { host, isKeyed }] of Object.entries(WAYS)) {
  test(`no call of a network of ${SITES} sites with ${PLUGINS} plugins each is told to wait, ${way}`, async () => {
    const sites = network(host)
    const email = `${newUid()}@example.com`
    if (isKeyed) await userOf(app, email)
    const license = isKeyed ? await licenseOf(app, null, { body: { email } }) : null
    const key = license ? { license_key: license.secret_key } : {}
    if (license) {
      const owner = await postForm(app, OWNERS, { ...key, plugin_ids: String(app.seller.product.id) })
      assert.equal(owner.status, 200, owner.text)
    }
    const { status, text, json } = await optInByServer(app, formOf(isKeyed ? '' : email, sites, key))
    assert.equal(status, 200, text)
    assert.equal(json.installs.length, SITES)
    await use(json, { sites, key })
  })
}

interface Connected {
  readonly sites: readonly Site[]
  readonly key: { readonly license_key?: string }
}

/** What the WordPress SDK sends of a network once it is connected (`docs/interface.md` 4.5). */
async function use(grant: Grant & { readonly installs?: unknown }, { sites, key }: Connected) {
  const keys = keysIn(grant, 'user')
  const user = wordpress(app, keys, { prefix: `/users/${keys.id}`, texts: [] })
  const ok = async (...call: Parameters<typeof user>): Promise<Reply['json']> => {
    const reply = await user(...call)
    assert.equal(reply.status, 200, `${call[0]} ${call[1]}: ${reply.text.slice(0, 500)}`)
    return reply.json
  }
  const installs = `/plugins/${app.seller.product.id}/installs.json`
  const idsOf = (reply: { readonly installs: readonly { readonly id: string; readonly uid: string }[] }) => {
    const byUid = new Map(reply.installs.map(({ id, uid }) => [uid, id]))
    return sites.map(({ uid }) => byUid.get(uid) ?? assert.fail())
  }
  const ids = idsOf(grant as unknown as Parameters<typeof idsOf>[0])
  await ok('GET', '.json')
  for (let n = 0; n < SITES; n += 25) await ok('GET', `${installs}?ids=${ids.slice(n, n + 25).join(',')}`)
  assert.equal((await ok('PUT', installs, synced(sites, ids, ALL))).installs.length, SITES)
  const off = { permissions: 'user,site', is_enabled: false, install_ids: ids.join(',') }
  await ok('PUT', `/plugins/${app.seller.product.id}/installs/permissions.json`, off)
  await ok('PUT', installs, synced(sites, ids, COMMON))
  if (key.license_key !== undefined) {
    await ok('PUT', installs, [key, ...sites.map(({ url }, n) => ({ id: ids[n], url }))])
  }
  const ofAddon = `/plugins/${addonId}/installs.json`
  const made = await ok('POST', ofAddon, { ...COMMON, version: '1.0.0', sites })
  await ok('PUT', ofAddon, synced(sites, idsOf(made), ALL))
  const kept = await app.ctx.db
    .selectFrom('market_items')
    .innerJoin('installs', 'installs.id', 'market_items.install_id')
    .select((of) => of.fn.countAll().as('count'))
    .where('installs.user_id', '=', keys.id)
    .executeTakeFirstOrThrow()
  assert.equal(Number(kept.count), 2 * SITES * (PLUGINS + THEMES))
}
