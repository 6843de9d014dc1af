import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR, toUtcTime } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, eventsOf, expectOk, keysOf } from '../../../test/installs.ts'
import { licenseOf, mailsOf } from '../../../test/licenses.ts'
import { callElsewhere } from '../../../test/mails.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('ownership')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const get = async (id: string) => expectOk(await app.call('GET', path(`/installs/${id}.json`))).json
const userById = async (id: string) => (await app.call('GET', path(`/users/${id}.json`))).json

/** The paths of the newest links that two addresses got. */
async function linksOf(owner: string, candidate: string) {
  const mails = await mailsOf(app, 'ownership_change')
  const linkOf = (email: string) => {
    const text = mails.findLast(({ recipient }) => recipient === email)?.text ?? ''
    return /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(text)?.[1] ?? ''
  }
  return { owner: linkOf(owner), candidate: linkOf(candidate) }
}

let count = 0

/** An install of a new user, with a change to another address asked for by itself. */
async function asked(more: object = {}, email = `candidate${++count}@example.com`) {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner, { url: 'https://moving.example' })
  const call = asInstall(app, keysOf(install))
  const ask = (body: object = {}) => call('PUT', `/users/${owner.id}.json`, { email, ...more, ...body })
  const reply = await ask()
  return { owner, install, email, reply, ask, call, links: await linksOf(owner.email, email) }
}

const open = (link: string, method = 'GET') => fetch(app.address + link, { method, redirect: 'manual' })

test('an install changes its owner when both sides have agreed, and not before, whichever is first', async () => {
  for (const order of [['owner', 'candidate'] as const, ['candidate', 'owner'] as const]) {
    const { owner, install, email, links } = await asked()
    for (const side of order) {
      assert.equal((await get(install.id)).user_id, String(owner.id))
      assert.equal((await open(links[side])).status, 200)
      assert.equal((await get(install.id)).user_id, String(owner.id), 'opening a page changes nothing')
      assert.equal((await open(links[side], 'POST')).status, 200)
    }
    const next = await userById((await get(install.id)).user_id)
    assert.deepEqual([next.email, next.is_verified], [email, true])
    const types = (await eventsOf(app, install.id)).map(({ type }) => type).slice(-4)
    const [first, second] = order.map((side) => `install.ownership.${side}.confirmed`)
    assert.deepEqual(types, ['install.ownership.initiated', first, second, 'install.ownership.completed'])
    const data = { install_id: install.id, from: String(owner.id), to: next.id }
    assert.deepEqual((await eventsOf(app, install.id)).at(-1)?.data, data)
  }
})

test('a link works once for its side, also when both are used ten times at once', async () => {
  const { install, links, email } = await asked()
  const posts = Array.from({ length: 10 }, () => [
    open(links.owner, 'POST'),
    open(links.candidate, 'POST'),
  ]).flat()
  for (const { status } of await Promise.all(posts)) assert.ok([200, 404].includes(status))
  assert.equal((await userById((await get(install.id)).user_id)).email, email)
  const types = (await eventsOf(app, install.id)).map(({ type }) => type)
  for (const type of ['owner.confirmed', 'candidate.confirmed', 'completed']) {
    assert.equal(types.filter((one) => one === `install.ownership.${type}`).length, 1, type)
  }
  assert.equal((await open(links.owner)).status, 404)
})

test('asking creates no user, and tells neither whether there is one nor anything of it', async () => {
  const known = await createOwner(app)
  const toKnown = await asked({}, known.email)
  const toUnknown = await asked({}, 'nobody-yet@example.com')
  assert.equal(toKnown.reply.json.id, String(toKnown.owner.id))
  assert.ok(!toKnown.reply.text.includes(known.secretKey))
  assert.deepEqual(Object.keys(toKnown.reply.json), Object.keys(toUnknown.reply.json))
  const { users } = (await app.call('GET', path('/users.json?email=nobody-yet@example.com'))).json
  assert.deepEqual(users, [])
})

test('an install or user that names another owner only asks both; nobody gets keys of who has not agreed', async () => {
  const victim = await createOwner(app)
  const owner = await createOwner(app)
  const { secret_key } = await licenseOf(app, 1, { body: { email: victim.email } })
  const install = await createInstallOf(app, owner, { license_key: secret_key })
  const byInstall = asInstall(app, keysOf(install))
  for (const body of [{ user_id: String(victim.id) }, { user_email: victim.email }]) {
    await callElsewhere(app)
    for (const call of [
      () => byInstall('PUT', '.json', body),
      () => asUser(app, owner)('PUT', `/installs/${install.id}.json`, body),
    ]) {
      const reply = await call()
      assert.deepEqual([reply.status, reply.json.user_id], [200, String(owner.id)])
    }
  }
  const { owner: link } = await linksOf(owner.email, victim.email)
  assert.equal((await open(link, 'POST')).status, 200)
  assert.equal((await get(install.id)).user_id, String(owner.id), 'the victim has not agreed')
  const users = await byInstall('GET', `/users/${victim.id}.json`)
  assert.equal(users.status, 404)
  assert.ok(!users.text.includes(victim.secretKey))
})

test('by an id nobody learns an address: it names the owner of the license on the install, or nobody', async () => {
  const stranger = await createOwner(app)
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const byInstall = asInstall(app, keysOf(install))
  for (const call of [
    (body: object) => byInstall('PUT', '.json', body),
    (body: object) => asUser(app, owner)('PUT', `/installs/${install.id}.json`, body),
  ]) {
    const { json: unknown } = await call({ user_id: '987654321' })
    const { status, json, text } = await call({ user_id: String(stranger.id) })
    assert.deepEqual([status, json.error.message], [404, unknown.error.message])
    assert.ok(!text.includes(stranger.email))
  }
  const mails = (await mailsOf(app, 'ownership_change')).map((mail) => Object.values(mail).join(' '))
  assert.ok(!mails.some((mail) => mail.includes(stranger.email) || mail.includes(owner.email)))
  assert.ok(!JSON.stringify(await eventsOf(app, install.id)).includes(stranger.email))
})

test('the event of a change names the next owner as the caller did: by an id or by an address', async () => {
  const next = await createOwner(app)
  const owner = await createOwner(app)
  const { secret_key } = await licenseOf(app, 1, { body: { email: next.email } })
  const install = await createInstallOf(app, owner, { license_key: secret_key })
  const byInstall = asInstall(app, keysOf(install))
  for (const body of [{ user_id: String(next.id) }, { user_email: next.email }]) {
    assert.equal((await byInstall('PUT', '.json', body)).status, 200)
  }
  const asked = (await eventsOf(app, install.id)).filter(({ type }) => type.endsWith('.initiated'))
  assert.deepEqual(
    asked.map(({ data }) => data),
    [
      { install_id: install.id, user_id: String(next.id) },
      { install_id: install.id, email: next.email },
    ],
  )
})

test('the seller changes the owner at once, and who held the install has nothing of its next owner', async () => {
  const owner = await createOwner(app)
  const next = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const old = asInstall(app, keysOf(install))
  assert.equal((await old('GET', '.json')).status, 200)
  const { json } = await app.call('PUT', path(`/installs/${install.id}.json`), { body: { user_id: next.id } })
  assert.equal(json.user_id, String(next.id))
  assert.equal((await old('GET', '.json')).status, 401)
  assert.equal((await old('GET', `/users/${next.id}.json`)).status, 401)
  assert.equal((await asInstall(app, keysOf(json))('GET', '.json')).status, 200)
  assert.equal((await asUser(app, owner)('GET', `/installs/${install.id}.json`)).status, 404)
  assert.equal((await asUser(app, next)('GET', `/installs/${install.id}.json`)).status, 200)
  const body = { user_email: 'sold-to@example.com' }
  const sold = (await app.call('PUT', path(`/installs/${install.id}.json`), { body })).json
  assert.equal((await userById(sold.user_id)).email, 'sold-to@example.com')
  const unknown = await app.call('PUT', path(`/installs/${install.id}.json`), { body: { user_id: '999999' } })
  assert.equal(unknown.status, 404)
})

test('a license goes along when it is active on nothing that stays', async () => {
  const owner = await createOwner(app)
  const next = await createOwner(app)
  const installs = [
    await createInstallOf(app, owner),
    await createInstallOf(app, owner),
    await createInstallOf(app, owner),
  ]
  const [shared, own] = [
    await licenseOf(app, 5, { body: { email: owner.email } }),
    await licenseOf(app, 5, { body: { email: owner.email } }),
  ]
  const [first, second, third] = installs.map(({ id }) => id) as [string, string, string]
  const put = async (id: string, body: object) =>
    expectOk(await app.call('PUT', path(`/installs/${id}.json`), { body }))
  await put(first, { license_key: own.secret_key })
  await put(second, { license_key: shared.secret_key })
  await put(third, { license_key: shared.secret_key })
  await put(first, { user_id: next.id, install_ids: [second] })
  const ownerOf = async (id: string) => (await app.call('GET', path(`/licenses/${id}.json`))).json.user_id
  assert.deepEqual(
    [(await get(second)).user_id, (await get(third)).user_id],
    [String(next.id), String(owner.id)],
  )
  assert.deepEqual([await ownerOf(own.id), await ownerOf(shared.id)], [String(next.id), String(owner.id)])
})

test('installs of somebody else do not go along', async () => {
  const victim = await createInstallOf(app, await createOwner(app))
  const { reply, ask } = await asked()
  assert.equal(reply.status, 200)
  assert.equal((await ask({ install_ids: victim.id })).status, 404)
})

test('an owner cannot get another install of a uid that it has', async () => {
  const owner = await createOwner(app)
  const next = await createOwner(app)
  const install = await createInstallOf(app, owner)
  await createInstallOf(app, next, { uid: install.uid })
  const { status, json } = await app.call('PUT', path(`/installs/${install.id}.json`), {
    body: { user_id: next.id },
  })
  assert.deepEqual([status, json.error.code], [400, 'install_uid_taken'])
})

test('both pages lead back to the site or a listed host, and nowhere else', async () => {
  const url = 'https://moving.example/wp-admin?page=account'
  const { links, email, install } = await asked({ after_confirm_url: url })
  const leadsTo = async (link: string) => {
    const done = await open(link, 'POST')
    assert.equal(done.status, 303)
    return done.headers.get('location') ?? ''
  }
  const query = new URLSearchParams({ state: 'owner_confirmed', candidate_email: email })
  const ends = [await leadsTo(links.owner), await leadsTo(links.candidate)]
  assert.deepEqual(ends, [`${url}&${query}`, `${url}&state=candidate_confirmed`], 'and no keys')
  assert.equal((await userById((await get(install.id)).user_id)).email, email)
  const { ask } = await asked()
  assert.equal((await ask({ after_confirm_url: 'https://shop.example.com/' })).status, 200)
  const refused = await ask({ after_confirm_url: 'https://evil.example' })
  assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'after_confirm_url'])
})

test('a link is good for 24 hours, and until another change is asked for', async () => {
  const first = await asked()
  await first.ask()
  assert.equal((await open(first.links.owner, 'POST')).status, 404)
  const second = await asked()
  app.ctx.clock.advance(24 * HOUR)
  assert.equal((await open(second.links.candidate)).status, 404)
})

test('a fourth change asked for in an hour by one caller is refused and leaves the one before as it was, as is a sixth by anybody', async () => {
  const { ask, owner, email } = await asked()
  for (let times = 2; times <= 3; times++) assert.equal((await ask()).status, 200)
  const before = await mailsOf(app, 'ownership_change')
  assert.equal((await ask()).status, 429)
  assert.deepEqual(await mailsOf(app, 'ownership_change'), before)
  assert.equal((await open((await linksOf(owner.email, email)).owner, 'POST')).status, 200)
  await callElsewhere(app)
  for (let times = 4; times <= 5; times++) assert.equal((await ask()).status, 200)
  await callElsewhere(app)
  assert.equal((await ask()).status, 429)
  app.ctx.clock.advance(HOUR)
  assert.equal((await ask()).status, 200)
  // By a clock that was ahead, and has come back.
  const created = toUtcTime(app.ctx.clock.real() + 400 * DAY)
  await app.write(({ db }) => db.updateTable('ownership_changes').set({ created }).execute())
  assert.equal((await ask()).status, 200)
})

test('a side agrees by salt, token and its address too; each wrong one is the same 404', async () => {
  const { owner, install, email, links, call } = await asked()
  const [salt = '', ownerToken = ''] = (links.owner.split('/').at(-1) ?? '').split('.')
  const [, candidateToken = ''] = (links.candidate.split('/').at(-1) ?? '').split('.')
  const other = await asked()
  const url = `/users/${owner.id}/ownership-change.json`
  const good = { token_salt: salt, email: owner.email, owner_token: ownerToken }
  const wrong = [
    { ...good, token_salt: 'x' },
    { ...good, owner_token: candidateToken },
    { ...good, email },
    { ...good, owner_token: other.links.owner.split('.').at(-1) },
    { token_salt: salt, email: owner.email, candidate_token: candidateToken },
  ]
  const refusals = []
  for (const body of wrong) refusals.push((await call('PUT', url, body)).json.error)
  assert.deepEqual(new Set(refusals.map(({ code, message }) => `${code} ${message}`)).size, 1)
  assert.equal((await call('PUT', url, { token_salt: salt, email })).status, 402)
  assert.equal((await call('PUT', `/users/${other.owner.id}/ownership-change.json`, good)).status, 404)
  const agreed = await call('PUT', url, good)
  assert.deepEqual([agreed.status, agreed.text], [200, ''])
  assert.equal((await get(install.id)).user_id, String(owner.id))
  const body = { token_salt: salt, email, candidate_token: candidateToken }
  const product = path(`/installs/${install.id}${url}`)
  assert.equal((await app.call('PUT', product, { body })).status, 200)
  assert.equal((await userById((await get(install.id)).user_id)).email, email)
})

test('bad requests for a change are named', async () => {
  const { ask, owner } = await asked()
  const details = async (body: object) => {
    const { status, json } = await ask(body)
    return [status, ...(json.error.details ?? []).map(({ field }: { field: string }) => field)]
  }
  assert.deepEqual(await details({ email: 'nobody' }), [400, 'email'])
  assert.deepEqual(await details({ email: owner.email.toUpperCase() }), [400, 'email'])
  assert.deepEqual(await details({ install_ids: '1,1' }), [400, 'install_ids'])
  assert.deepEqual(await details({ after_confirm_url: 'javascript:x' }), [400, 'after_confirm_url'])
})
