import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createOwner, holding, keysOf, type Grant } from '../../../test/installs.ts'
import { mailsOf } from '../../../test/licenses.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { sell } from '../../../test/sales.ts'
import type { License } from '../../licensing/licenses/schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('site_of_another_key')
  clients = clientsOf(app)
})
after(() => app.close())

/** A person with two licenses: the key of one is known to others, the other one is active on a site. */
async function twoLicenses() {
  const owner = await createOwner(app)
  const [known, own] = [(await sell(app, { owner })).license, (await sell(app, { owner })).license]
  const uid = newUid()
  const site = (await clients.active(own, { uid })).json
  return { owner, known, own, uid, site }
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
const licensesOf = async (grant: Grant) =>
  ids((await holding(app, grant).user('GET', '/licenses.json')).json.licenses)

/** Puts the license whose key is known on the site of the other one, as an activation may that names the install. */
const takeSite = async (known: License, uid: string, site: Grant): Promise<Grant> =>
  (await clients.active(known, { uid, install_id: site['install_id'] })).json

/** That what is held opens one license, and neither the site any more nor its token. */
async function hasNoSite(grant: Grant, license: License): Promise<void> {
  assert.deepEqual(await licensesOf(grant), [license.id])
  const { user, install } = holding(app, grant)
  assert.deepEqual((await user('GET', '/installs.json')).json.installs, [])
  assert.equal((await user('GET', `/installs/${grant['install_id']}.json`)).status, 404)
  assert.equal((await install('GET', '.json')).status, 401)
  const token = grant['install_api_token']
  if (token === undefined) return
  assert.equal((await app.call('GET', `/installs/${grant['install_id']}.json`, { token })).status, 401)
}

test('a license key and the uid of a site of another license of its owner give no keys of that site or license', async () => {
  const { known, own, uid, site } = await twoLicenses()
  assert.equal(
    await clients.refusal(clients.activate({ license_key: known.secret_key, uid })),
    '400 license_activated',
  )
  const taken = await takeSite(known, uid, site)
  for (const name of ['user_secret_key', 'user_public_key', 'install_secret_key', 'install_public_key'])
    assert.notEqual(taken[name], site[name], name)
  assert.deepEqual(await licensesOf(taken), [known.id])
  await hasNoSite(site, own)
  const { install } = holding(app, taken)
  assert.equal((await install('PUT', `/licenses/${own.id}.json`)).status, 404)
})

test('a site that comes back with its own key has it again, and who took its place has nothing of it', async () => {
  const { known, own, uid, site } = await twoLicenses()
  const taken = await takeSite(known, uid, site)
  const back = await takeSite(own, uid, site)
  assert.deepEqual(await licensesOf(back), [own.id])
  const { user, install } = holding(app, back)
  const read = await install('GET', '.json')
  assert.deepEqual([read.status, read.json.license_id], [200, own.id])
  assert.deepEqual(ids((await user('GET', '/installs.json')).json.installs), [site['install_id']])
  await hasNoSite(taken, known)
})

test('a site whose license was taken off gives its keys to no other key either', async () => {
  const { known, own, uid, site } = await twoLicenses()
  const off = await holding(app, site).install('DELETE', `/licenses/${own.id}.json`)
  assert.equal(off.status, 200, off.text)
  const taken = (await clients.active(known, { uid })).json
  assert.notEqual(taken['install_secret_key'], site['install_secret_key'])
  assert.deepEqual(await licensesOf(taken), [known.id])
  await hasNoSite(site, own)
})

test('a site that activates with a key it has shown before gets its own keys again', async () => {
  const { own, uid, site } = await twoLicenses()
  await holding(app, site).install('DELETE', `/licenses/${own.id}.json`)
  const again = (await clients.active(own, { uid })).json
  for (const name of ['user_secret_key', 'install_secret_key']) assert.equal(again[name], site[name], name)
})

test('an opt-in by a key is refused for a site with another license, alone and among others, as an activation is', async () => {
  const { known, uid, site } = await twoLicenses()
  const before = await clients.installRow(site['install_id'] ?? '')
  const forms = [
    { site_uid: uid },
    { site_uid: '', 'sites[0][uid]': newUid(), 'sites[1][uid]': uid },
    { site_uid: '', 'sites[0][uid]': uid, 'sites[1][uid]': newUid() },
  ]
  for (const form of forms) {
    const more = { license_key: known.secret_key, site_url: 'https://eve.example.com', ...form }
    const reply = await optInByServer(
      app,
      optInForm(app, '', { ...more, return_url: 'https://eve.example.com' }),
    )
    assert.equal(reply.status, 400, reply.text)
    assert.match(reply.text, new RegExp(`on install ${site['install_id']}"`))
  }
  assert.deepEqual(await clients.installRow(site['install_id'] ?? ''), before)
})

test('an opt-in by a key gets keys of its own for a site without license that other keys made', async () => {
  const { known, own, uid, site } = await twoLicenses()
  await holding(app, site).install('DELETE', `/licenses/${own.id}.json`)
  const form = {
    license_key: known.secret_key,
    site_uid: '',
    'sites[0][uid]': newUid(),
    'sites[1][uid]': uid,
  }
  const { json, text } = await optInByServer(app, optInForm(app, '', form))
  assert.ok(Array.isArray(json.installs), text)
  assert.deepEqual(await licensesOf(json), [known.id])
  await hasNoSite(site, own)
})

test('of activations by two keys at once no keys open both licenses', async () => {
  const { known, own, uid, site } = await twoLicenses()
  const install_id = site['install_id']
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      clients.activate({ uid, install_id, license_key: (n % 2 === 0 ? known : own).secret_key }),
    ),
  )
  for (const [n, { status, json, text }] of replies.entries()) {
    assert.equal(status, 200, text)
    assert.deepEqual(await licensesOf(json), [(n % 2 === 0 ? known : own).id])
  }
  const good = await Promise.all(replies.map(({ json }) => holding(app, json).install('GET', '.json')))
  const last = new Set(
    replies.filter((_, n) => good[n]?.status === 200).map(({ json }) => json.user_secret_key),
  )
  assert.equal(last.size, 1)
})

/** The link that a person was mailed last, followed; where it leads. */
async function follow(email: string): Promise<Grant> {
  const mail = (await mailsOf(app, 'pending_activation')).findLast(({ recipient }) => recipient === email)
  const [, path = ''] = /http:\/\/keywright\.test(\/\S+)/.exec(mail?.text ?? '') ?? []
  const { headers } = await fetch(app.address + path, { method: 'POST', redirect: 'manual' })
  return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
}

test('keys that were handed out for a uid before its person confirms the site are not whole by that', async () => {
  const owner = await createOwner(app)
  const [known, own] = [(await sell(app, { owner })).license, (await sell(app, { owner })).license]
  const uid = newUid()
  const taken = (await clients.active(known, { uid })).json
  const asked = await optInByServer(app, optInForm(app, owner.email, { site_uid: uid }))
  assert.equal(asked.json.pending_activation, true, asked.text)
  const confirmed = await follow(owner.email)
  assert.deepEqual(await licensesOf(confirmed), [known.id, own.id].toSorted())
  assert.equal((await holding(app, confirmed).install('PUT', `/licenses/${own.id}.json`)).status, 200)
  await hasNoSite(taken, known)
})

test('a person that takes a site of its uid by whole keys takes it from who had it by a license key', async () => {
  const owner = await createOwner(app)
  const [known, own] = [(await sell(app, { owner })).license, (await sell(app, { owner })).license]
  const uid = newUid()
  const taken = (await clients.active(known, { uid })).json
  const made: Reply = await asUser(app, owner)('POST', `/plugins/${app.seller.product.id}/installs.json`, {
    uid,
  })
  assert.deepEqual([made.status, made.json.id], [200, taken['install_id']], made.text)
  const put = await asInstall(app, keysOf(made.json))('PUT', `/licenses/${own.id}.json`)
  assert.equal(put.status, 200, put.text)
  await hasNoSite(taken, known)
})
