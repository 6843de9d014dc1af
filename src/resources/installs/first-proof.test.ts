import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf, mailsOf } from '../../../test/licenses.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'

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

type Grant = Readonly<Record<string, string>>

/** Calls with the keys that an opt-in or activation handed out. */
function holding(grant: Grant) {
  const keys = (of: 'user' | 'install') =>
    keysOf({
      id: grant[`${of}_id`] ?? '',
      public_key: grant[`${of}_public_key`] ?? '',
      secret_key: grant[`${of}_secret_key`] ?? '',
    })
  return { user: asUser(app, keys('user')), install: asInstall(app, keys('install')) }
}

/** What the keys of a grant open: the statuses of the user, of the install, and of the install's token. */
async function opens(grant: Grant): Promise<number[]> {
  const { user, install } = holding(grant)
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

test('who opted in first with the address of somebody else has nothing of what that one gets later', async () => {
  const email = newAddress()
  const stranger = await firstOptIn(email)
  const more = await holding(stranger).user('POST', `/products/${app.seller.product.id}/installs.json`, {
    uid: newUid(),
  })
  assert.equal(more.status, 200, more.text)
  const { id: install_id, public_key: install_public_key, secret_key: install_secret_key } = more.json
  const second: Grant = { ...stranger, install_id, install_public_key, install_secret_key }
  assert.deepEqual(await opens(stranger), [200, 200])
  const owner = await confirmedOptIn(email)
  assert.equal(owner['user_id'], stranger['user_id'])
  const { id, secret_key: key } = await licenseOf(app, 1, { body: { email } })
  for (const grant of [stranger, second]) {
    assert.deepEqual(await opens(grant), [401, 401])
    const { user, install } = holding(grant)
    for (const reply of [
      await user('GET', `/products/${app.seller.product.id}/licenses.json`),
      await install('GET', `/users/${grant['user_id']}.json`),
    ]) {
      assert.equal(reply.status, 401)
      assert.ok(!reply.text.includes(key))
    }
  }
  assert.deepEqual(await opens(owner), [200, 200])
  const { json } = await holding(owner).user('GET', `/products/${app.seller.product.id}/licenses.json`)
  assert.deepEqual(
    json.licenses.map((license: { id: string }) => license.id),
    [id],
  )
})

test('the page of such a link says that other sites must connect anew; of a person whom a seller made it does not', async () => {
  const shown = async (email: string) => {
    await firstOptIn(email)
    const page = await fetch(app.address + (await linkTo(email, 'pending_activation')).path)
    return (await page.text()).includes('must connect anew')
  }
  const email = newAddress()
  await firstOptIn(email)
  assert.equal(await shown(email), true)
  assert.equal(await shown((await createOwner(app)).email), false)
})

test('a token that a license of nobody was claimed with for an address ends when its owner proves it', async () => {
  const email = newAddress()
  const stranger = await claimed(email)
  assert.deepEqual(await opens(stranger), [200, 200, 200])
  await confirmedOptIn(email)
  assert.deepEqual(await opens(stranger), [401, 401, 401])
})

/** A license of nobody, activated for a person that nobody knew. */
async function claimed(email: string, url = 'https://claims.example/a'): Promise<Grant> {
  const { secret_key: license_key } = await licenseOf(app, 2)
  const person = { user_email: email, first_name: 'Vera', last_name: 'Vague' }
  const reply = await clientsOf(app).activate({ uid: newUid(), license_key, url, ...person })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

test('who proves an address by the link of its own activation keeps what it got by it; the mail names its site', async () => {
  const email = newAddress()
  const owner = await claimed(email)
  const { path, text, html } = await linkTo(email, 'confirm_email')
  const page = await (await fetch(app.address + path)).text()
  for (const shown of [text, html, page]) assert.match(shown, /claims\.example.*only if this is your site/)
  assert.equal((await post(path)).status, 200)
  assert.deepEqual(await opens(owner), [200, 200, 200])
  const { json } = await holding(owner).user('GET', '.json')
  assert.equal(json.is_verified, true)
})

test('a link that the site of the first opt-in asks for leaves everything as it is', async () => {
  const email = newAddress()
  const uids = [newUid(), newUid()]
  const sites = Object.fromEntries(uids.map((uid, index) => [`sites[${index}][uid]`, uid]))
  const network = await firstOptIn(email, { site_uid: '', ...sites })
  const grants = (
    network['installs'] as unknown as { id: string; public_key: string; secret_key: string }[]
  ).map((one): Grant => ({
    ...network,
    install_id: one.id,
    install_public_key: one.public_key,
    install_secret_key: one.secret_key,
  }))
  const [first, second] = grants as [Grant, Grant]
  const asked = await holding(second).install('PUT', `/users/${first['user_id']}/verify.json`)
  assert.equal(asked.status, 200, asked.text)
  assert.equal((await post((await linkTo(email, 'confirm_email')).path)).status, 200)
  for (const grant of grants) assert.deepEqual(await opens(grant), [200, 200])
})

test('another site that asks for a link keeps its own keys by it, and all others get new ones', async () => {
  const email = newAddress()
  const first = await firstOptIn(email)
  const made = await holding(first).user('POST', `/products/${app.seller.product.id}/installs.json`, {
    uid: newUid(),
  })
  const other = asInstall(app, keysOf(made.json))
  assert.equal((await other('PUT', `/users/${first['user_id']}/verify.json`)).status, 200)
  assert.equal((await post((await linkTo(email, 'confirm_email')).path)).status, 200)
  assert.deepEqual(await opens(first), [401, 401])
  assert.equal((await other('GET', '.json')).status, 200)
  const { json } = await other('GET', `/users/${first['user_id']}.json`)
  assert.notEqual(json.secret_key, first['user_secret_key'])
  assert.equal((await asUser(app, keysOf(json))('GET', '.json')).status, 200)
})

test('a person whom the seller made keeps its keys at the first proof: nobody got them by the address', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const after = await confirmedOptIn(owner.email)
  assert.equal(after['user_secret_key'], owner.secretKey)
  assert.equal((await asInstall(app, keysOf(install))('GET', '.json')).status, 200)
})

test('who takes an install over by a mailed link proves the address by it', async () => {
  const email = newAddress()
  const stranger = await firstOptIn(email)
  const owner = await createOwner(app)
  const { secret_key: license_key } = await licenseOf(app, 1, { body: { email: owner.email } })
  const install = await createInstallOf(app, owner, { license_key })
  const call = asInstall(app, keysOf(install))
  assert.equal((await call('PUT', `/users/${owner.id}.json`, { email })).status, 200)
  for (const side of [owner.email, email]) {
    assert.equal((await post((await linkTo(side, 'ownership_change')).path)).status, 200)
  }
  const moved = await call('GET', '.json')
  assert.deepEqual([moved.status, moved.json.user_id], [200, stranger['user_id']])
  assert.deepEqual(await opens(stranger), [401, 401])
})

test('two links of one person that are followed at once renew its keys once, and both lead to good ones', async () => {
  const email = newAddress()
  const stranger = await firstOptIn(email)
  const links: string[] = []
  for (let n = 0; n < 2; n++) {
    await firstOptIn(email)
    links.push((await linkTo(email, 'pending_activation')).path)
  }
  const done = await Promise.all(links.map((path) => post(path)))
  for (const { headers } of done) {
    const grant = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
    assert.deepEqual(await opens(grant), [200, 200])
  }
  assert.deepEqual(await opens(stranger), [401, 401])
  const renewed = await app.ctx.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'keywright/renew-keys')
    .execute()
  const ofPerson = renewed.filter(({ details }) => String(JSON.parse(details).user) === stranger['user_id'])
  assert.equal(ofPerson.length, 1)
})
