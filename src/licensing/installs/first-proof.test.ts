import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, holding, keysOf, newUid, type Grant } from '../../../test/installs.ts'
import { licenseOf, mailsOf } from '../../../test/licenses.ts'
import { OPT_IN, optInByServer, optInForm, postForm } from '../../../test/opt-in.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('first_proof')
})
after(() => app.close())

let people = 0
const newAddress = () => `vera${++people}@example.com`
const post = (path: string) => fetch(app.address + path, { method: 'POST', redirect: 'manual' })

/** The path of the newest link of a kind that was mailed to an address. */
async function linkTo(email: string, kind: 'pending_activation' | 'confirm_email' | 'ownership_change') {
  const mail = (await mailsOf(app, kind)).findLast(({ recipient }) => recipient === email)
  const [, path = ''] = /http:\/\/keywright\.test(\/\S+)/.exec(mail?.text ?? '') ?? []
  return { path, text: mail?.text ?? '', html: mail?.html ?? '' }
}

/** What the keys of a grant open: the statuses of the user, of the install, and of the install's token. */
async function opens(grant: Grant): Promise<number[]> {
  const { user, install } = holding(app, grant)
  const own = `/installs/${grant['install_id']}.json`
  const token = grant['install_api_token']
  const replies = [
    await user('GET', '.json'),
    await install('GET', '.json'),
    ...(token === undefined ? [] : [await app.call('GET', own, { token })]),
  ]
  return replies.map(({ status }) => status)
}

/** The first opt-in with an address, by whoever it is. */
const firstOptIn = async (email: string, more: Grant = {}): Promise<Grant> =>
  (await optInByServer(app, optInForm(app, email, more))).json

/** The keys that the link of a later opt-in leads to the site with. */
async function confirmedOptIn(email: string): Promise<Grant> {
  assert.equal((await firstOptIn(email))['pending_activation'], true)
  const done = await post((await linkTo(email, 'pending_activation')).path)
  assert.equal(done.status, 303)
  return Object.fromEntries(new URL(done.headers.get('location') ?? '').searchParams)
}

/** The ids of the licenses that the keys of a grant's user open, and the address that they are told. */
async function reaches(grant: Grant): Promise<{ licenses: string[]; email: string }> {
  const { user } = holding(app, grant)
  const { json } = await user('GET', `/products/${app.seller.product.id}/licenses.json`)
  const profile = await user('GET', '.json')
  return {
    licenses: json.licenses.map((license: { id: string }) => license.id),
    email: profile.json.email,
  }
}

test('who opted in first with the address of somebody else has nothing of what that one gets, before and after its proof', async () => {
  const email = newAddress()
  const stranger = await firstOptIn(email)
  const bought = await licenseOf(app, 1, { body: { email } })
  assert.deepEqual(await reaches(stranger), { licenses: [], email })
  const owner = await confirmedOptIn(email)
  assert.equal(owner['user_id'], stranger['user_id'])
  assert.deepEqual(await reaches(owner), { licenses: [bought.id], email })
  const { user, install } = holding(app, stranger)
  assert.deepEqual(await reaches(stranger), { licenses: [], email })
  const path = `/users/${stranger['user_id']}.json`
  for (const reply of [
    await user('GET', `/licenses/${bought.id}.json`),
    await install('PUT', `/licenses/${bought.id}.json`),
    await user('POST', `/products/${app.seller.product.id}/installs.json`, {
      uid: newUid(),
      license_id: bought.id,
    }),
    await install('GET', path),
    await user('GET', '/installs.json'),
  ]) {
    assert.ok(!reply.text.includes(bought.secret_key), reply.text)
    assert.ok(!reply.text.includes(owner['user_secret_key'] ?? ''), reply.text)
    assert.ok(!reply.text.includes(owner['install_secret_key'] ?? ''), reply.text)
  }
})

test('a token that a license of nobody was claimed with for an address opens that license and no other', async () => {
  const email = newAddress()
  const stranger = await claimed(email)
  const owner = await confirmedOptIn(email)
  const other = await licenseOf(app, 1, { body: { email } })
  assert.deepEqual(await opens(stranger), [200, 200, 200])
  const { licenses } = await reaches(stranger)
  assert.equal(licenses.length, 1)
  assert.ok(!licenses.includes(other.id))
  assert.equal((await reaches(owner)).licenses.length, 2)
})

/** A license of nobody, activated for a person that nobody knew. */
async function claimed(email: string, url = 'https://claims.example/a'): Promise<Grant> {
  const { secret_key: license_key } = await licenseOf(app, 2)
  const person = { user_email: email, first_name: 'Vera', last_name: 'Vague' }
  const reply = await clientsOf(app).activate({ uid: newUid(), license_key, url, ...person })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

test('the link that an activation has mailed proves the address, and opens nothing more to who activated', async () => {
  const email = newAddress()
  const holder = await claimed(email)
  await licenseOf(app, 1, { body: { email } })
  const before = await reaches(holder)
  const { path, text, html } = await linkTo(email, 'confirm_email')
  const page = await (await fetch(app.address + path)).text()
  assert.match(page, /claims\.example asks for this, and can do nothing more by it/)
  for (const mail of [text, html]) assert.doesNotMatch(mail, /claims/)
  assert.equal((await post(path)).status, 200)
  assert.deepEqual(await opens(holder), [200, 200, 200])
  assert.deepEqual(await reaches(holder), before)
  assert.equal(before.licenses.length, 1)
  assert.equal((await personOf(email)).is_verified, true)
})

/** A person as the seller is shown it. */
const personOf = async (email: string) => {
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users.json?email=${email}`)
  return json.users[0]
}

test('who knows a key and names the site of its owner gets nothing of the owner by a link that it has mailed', async () => {
  const owner = await createOwner(app, newAddress())
  const [, hidden] = [
    await licenseOf(app, 1, { body: { email: owner.email } }),
    await licenseOf(app, 1, { body: { email: owner.email } }),
  ]
  const stranger = await keyed(owner.email, 'https://owner.example')
  const before = await reaches(stranger)
  const { install } = holding(app, stranger)
  const asked = await install('PUT', `/users/${owner.id}/verify.json`)
  assert.equal(asked.status, 200, asked.text)
  assert.equal((await post((await linkTo(owner.email, 'confirm_email')).path)).status, 200)
  assert.deepEqual(await reaches(stranger), before)
  assert.equal((await install('PUT', `/licenses/${hidden.id}.json`)).status, 404)
  assert.equal((await holding(app, stranger).user('GET', `/licenses/${hidden.id}.json`)).status, 404)
  assert.equal((await personOf(owner.email)).is_verified, true)
})

test('an address that is proven is mailed no link that a site asks for', async () => {
  const email = newAddress()
  const site = await claimed(email)
  assert.equal((await post((await linkTo(email, 'confirm_email')).path)).status, 200)
  const before = (await linkTo(email, 'confirm_email')).path
  const asked = await holding(app, site).install('PUT', `/users/${site['user_id']}/verify.json`)
  assert.equal(asked.status, 200, asked.text)
  assert.equal((await linkTo(email, 'confirm_email')).path, before)
})

test('a link of an opt-in names the host that the browser is led to with the keys, whatever else was said', async () => {
  const email = newAddress()
  await firstOptIn(email)
  const form = optInForm(app, email, {
    site_url: 'https://led-to.example',
    return_url: 'https://led-to.example/back',
    'sites[0][uid]': newUid(),
    'sites[0][url]': 'https://owner.example',
  })
  assert.equal((await postForm(app, OPT_IN, form)).status, 302)
  const { path } = await linkTo(email, 'pending_activation')
  const page = await (await fetch(app.address + path)).text()
  assert.match(page, /led-to\.example/)
  assert.doesNotMatch(page, /owner\.example/)
  assert.match((await post(path)).headers.get('location') ?? '', /^https:\/\/led-to\.example\/back\?user_id=/)
})

test('the keys that an opt-in’s link leads home with are none that who asked had before', async () => {
  const owner = await createOwner(app, newAddress())
  await licenseOf(app, 1, { body: { email: owner.email } })
  const uid = newUid()
  const stranger = await keyed(owner.email, 'https://site.example.org', uid)
  const before = await reaches(stranger)
  assert.equal((await firstOptIn(owner.email, { site_uid: uid }))['pending_activation'], true)
  const done = await post((await linkTo(owner.email, 'pending_activation')).path)
  const home = Object.fromEntries(new URL(done.headers.get('location') ?? '').searchParams)
  assert.equal(home['install_id'], stranger['install_id'])
  for (const name of ['user_public_key', 'install_public_key']) assert.notEqual(home[name], stranger[name])
  assert.equal((await reaches(home)).licenses.length, 2)
  assert.deepEqual(await reaches(stranger), before)
  assert.deepEqual(await opens(stranger), [200, 401, 401])
})

/** Another license of the person, activated by who knows its key and no more. */
async function keyed(email: string, url: string, uid = newUid()): Promise<Grant> {
  const { secret_key: license_key } = await licenseOf(app, 2, { body: { email } })
  const reply = await clientsOf(app).activate({ uid, license_key, url })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

test('a person whom the seller made keeps its keys at the first proof, and the site that asked has others', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const after = await confirmedOptIn(owner.email)
  assert.notEqual(after['user_secret_key'], owner.secretKey)
  assert.equal((await asUser(app, owner)('GET', '.json')).json.secret_key, owner.secretKey)
  assert.equal((await holding(app, after).user('GET', '.json')).json.secret_key, after['user_secret_key'])
  assert.equal((await asInstall(app, keysOf(install))('GET', '.json')).status, 200)
})

test('who takes an install over by a mailed link proves the address, and the site reads keys of its new owner', async () => {
  const email = newAddress()
  const stranger = await firstOptIn(email)
  const owner = await createOwner(app)
  const { id, secret_key: license_key } = await licenseOf(app, 1, { body: { email: owner.email } })
  const before = (await clientsOf(app).activate({ uid: newUid(), license_key })).json as Grant
  const { install: call } = holding(app, before)
  assert.equal((await call('PUT', `/users/${owner.id}.json`, { email })).status, 200)
  for (const side of [owner.email, email]) {
    assert.equal((await post((await linkTo(side, 'ownership_change')).path)).status, 200)
  }
  const moved = await call('GET', '.json')
  assert.deepEqual([moved.status, moved.json.user_id], [200, stranger['user_id']])
  const { json } = await call('GET', `/users/${stranger['user_id']}.json`)
  const next: Grant = {
    ...before,
    user_id: json.id,
    user_public_key: json.public_key,
    user_secret_key: json.secret_key,
  }
  assert.deepEqual((await reaches(next)).licenses, [id])
  assert.deepEqual((await reaches(stranger)).licenses, [])
  assert.deepEqual((await reaches(before)).licenses, [])
})

test('two links of one person that are followed at once both lead to good keys of their sites', async () => {
  const email = newAddress()
  await firstOptIn(email)
  const links: string[] = []
  for (let n = 0; n < 2; n++) {
    await firstOptIn(email)
    links.push((await linkTo(email, 'pending_activation')).path)
  }
  const bought = await licenseOf(app, 1, { body: { email } })
  const done = await Promise.all(links.map((path) => post(path)))
  for (const { headers } of done) {
    const grant = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
    assert.deepEqual(await opens(grant), [200, 200])
    assert.deepEqual((await reaches(grant)).licenses, [bought.id])
  }
})
