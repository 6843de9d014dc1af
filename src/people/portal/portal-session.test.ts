import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOf, mailsOf, userOf } from '../../../test/licenses.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { untilDone } from '../../work/afterwards.ts'

const EMAIL = 'ada@example.com'
const BROWSER = { accept: 'text/html,application/xhtml+xml' }

let app: TestApp
let userId: string
before(async () => {
  app = await startTestApp('portal_session')
  await userOf(app, EMAIL, app.seller.other)
  userId = String(await userOf(app, EMAIL))
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const at = (link: string) => link.replace(app.ctx.baseUrl, app.address)
const follow = (link: string, method: string, headers: Record<string, string> = {}) =>
  fetch(at(link), { method, headers, redirect: 'manual' })

async function linkOfProduct(): Promise<string> {
  const path = `/products/${app.seller.product.id}/portal/login.json`
  return (await app.call('POST', path, { body: { id: userId } })).json.link
}

/** A browser that has followed a link: its cookie, and calls with it. */
async function enter(link: string) {
  const reply = await follow(link, 'POST', BROWSER)
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, './'])
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: object = {},
    body?: object,
  ) => app.call(method, path, { token: null, headers: { cookie, ...headers }, ...(body && { body }) })
  const session = async () => call('GET', '/portal/session.json')
  return { reply, cookie, call, session }
}

async function asked(body: object): Promise<void> {
  const { status, text } = await app.call('POST', '/portal/link.json', { token: null, body })
  assert.deepEqual([status, text], [202, ''])
  await untilDone()
}

const links = async () =>
  (await mailsOf(app, 'portal_link')).map(
    ({ text }) => /http\S+\/portal\/login\?token=\S+/.exec(text)?.[0] ?? '',
  )

test('a browser that follows a link keeps a cookie that no script reads, and goes on to the portal', async () => {
  const { reply, session } = await enter(await linkOfProduct())
  const cookie = reply.headers.get('set-cookie') ?? ''
  assert.match(
    cookie,
    /^__Host-keywright_portal=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
  )
  const { status, json } = await session()
  assert.deepEqual([status, json.user.email, json.expires], [200, EMAIL, 86_400])
  assert.deepEqual(
    json.products.map(({ id }: { id: string }) => id),
    [String(app.seller.product.id)],
    'the link of a product opens that alone',
  )
})

test('a program that follows a link is answered the access token, and no cookie', async () => {
  const reply = await follow(await linkOfProduct(), 'POST')
  assert.deepEqual([reply.status, reply.headers.get('set-cookie')], [200, null])
  assert.ok(((await reply.json()) as { user_token: object }).user_token)
})

test('no page of another site lets a browser in', async () => {
  const link = await linkOfProduct()
  const reply = await follow(link, 'POST', { ...BROWSER, 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([reply.status, reply.headers.get('set-cookie')], [401, null])
  assert.equal((await follow(link, 'POST', { ...BROWSER, 'sec-fetch-site': 'same-origin' })).status, 303)
})

test('a write with the cookie of the portal needs its own value, and none of a seller serves', async () => {
  const { call, session } = await enter(await linkOfProduct())
  const { csrf_token: csrf } = (await session()).json
  const other = (await (await enter(await linkOfProduct())).session()).json.csrf_token
  const path = `/users/${userId}.json`
  for (const value of [undefined, '', 'x', other, csrf.slice(1)]) {
    const headers = value === undefined ? {} : { 'x-keywright-csrf': value }
    const { status, json } = await call('PUT', path, headers, { first: 'Forged' })
    assert.deepEqual([status, json.error.code], [401, 'csrf_required'], value)
  }
  const elsewhere = { 'x-keywright-csrf': csrf, origin: 'https://evil.example' }
  assert.equal((await call('PUT', path, elsewhere, { first: 'Forged' })).json.error.code, 'csrf_required')
  const changed = await call('PUT', path, { 'x-keywright-csrf': csrf }, { first: 'Augusta' })
  assert.deepEqual([changed.status, changed.json.first], [200, 'Augusta'])
})

test('a link that was asked for is mailed for an hour, opens every product of the seller, and offers another when it is over', async () => {
  await asked({ email: EMAIL.toUpperCase(), product_id: app.seller.product.id })
  const [link = ''] = (await links()).slice(-1)
  for (let time = 0; time < 2; time++) {
    const { session } = await enter(link)
    assert.equal((await session()).json.products.length, 2)
    app.ctx.clock.advance(4 * MINUTE)
  }
  app.ctx.clock.set(START + HOUR)
  const gone = await follow(link, 'GET')
  const page = await gone.text()
  assert.equal(gone.status, 404)
  assert.ok(page.includes(`href="./?product_id=${app.seller.product.id}"`), page)
  const wrong = await (await follow(`${link}x`, 'GET')).text()
  assert.ok(!wrong.includes('product_id='), 'what is no link of ours names nothing')
})

test('nobody is told whether an address is known, and a known one is mailed once in ten minutes, however often it is asked', async () => {
  app.ctx.clock.set(START + 2 * HOUR)
  const before = (await links()).length
  const place = { product_id: app.seller.product.id }
  await Promise.all(Array.from({ length: 8 }, () => asked({ email: EMAIL, ...place })))
  await asked({ email: EMAIL, store_id: app.seller.store.id })
  await asked({ email: 'nobody@example.com', ...place })
  assert.equal((await links()).length, before + 1)
  app.ctx.clock.advance(10 * MINUTE - 1)
  await asked({ email: EMAIL, ...place })
  assert.equal((await links()).length, before + 1)
  app.ctx.clock.advance(1)
  await asked({ email: EMAIL, store_id: app.seller.store.id })
  assert.equal((await links()).length, before + 2)
})

test('an address that is a user elsewhere alone is mailed nothing of this product', async () => {
  await userOf(app, 'cleo@example.com', app.seller.other)
  const before = (await links()).length
  await asked({ email: 'cleo@example.com', product_id: app.seller.product.id })
  assert.equal((await links()).length, before)
  const { status, json } = await app.call('POST', '/portal/link.json', {
    token: null,
    body: { email: EMAIL },
  })
  assert.deepEqual([status, json.error.details[0].field], [402, 'product_id'])
})

test('the mail of a link is in the language that is asked for', async () => {
  await userOf(app, 'carla@example.com')
  await asked({ email: 'carla@example.com', product_id: app.seller.product.id, language: 'de' })
  const mail = (await mailsOf(app, 'portal_link')).findLast(
    ({ recipient }) => recipient === 'carla@example.com',
  )
  assert.match(mail?.text ?? '', /Er gilt 60 Minuten/)
})

test('who leaves is out in this browser, and with everywhere in all of them', async () => {
  const [one, other, third] = [
    await enter(await linkOfProduct()),
    await enter(await linkOfProduct()),
    await enter(await linkOfProduct()),
  ]
  const leave = async ({ call, session }: typeof one, body: object) => {
    const headers = { 'x-keywright-csrf': (await session()).json.csrf_token }
    return call('POST', '/portal/logout.json', headers, body)
  }
  const left = await leave(one, {})
  assert.equal(left.status, 204)
  assert.match(left.headers.get('set-cookie') ?? '', /^__Host-keywright_portal=; .*Max-Age=0/)
  assert.deepEqual([(await one.session()).status, (await other.session()).status], [401, 200])
  assert.equal((await leave(other, { everywhere: true })).status, 204)
  assert.deepEqual([(await other.session()).status, (await third.session()).status], [401, 401])
})

test('a visit ends after a day', async () => {
  const { session } = await enter(await linkOfProduct())
  app.ctx.clock.advance(24 * HOUR - 1000)
  assert.equal((await session()).status, 200)
  app.ctx.clock.advance(1000)
  assert.equal((await session()).status, 401)
})

test('a buyer takes a license of their own off a machine, and nobody else does', async () => {
  const license = await licenseOf(app, 1, { body: { email: EMAIL } })
  await userOf(app, 'bea@example.com')
  const bea = await licenseOf(app, 1, { body: { email: 'bea@example.com' } })
  const { call, session } = await enter(await linkOfProduct())
  const headers = { 'x-keywright-csrf': (await session()).json.csrf_token }
  const on = async (key: string, uid: string) => {
    const path = `/products/${app.seller.product.id}/licenses/activate.json`
    const { json, text, status } = await app.call('POST', path, { body: { license_key: key, uid } })
    assert.equal(status, 200, text)
    return json.install_id as string
  }
  const install = await on(license.secret_key ?? '', 'a'.repeat(32))
  const others = await on(bea.secret_key ?? '', 'b'.repeat(32))
  const off = (installId: string, licenseId: string) =>
    call('DELETE', `/users/${userId}/installs/${installId}/licenses/${licenseId}.json`, headers)
  for (const [installId, licenseId] of [
    [others, bea.id],
    [install, bea.id],
    [others, license.id],
  ] as const)
    assert.equal((await off(installId, licenseId)).status, 404)
  const { status, json, text } = await off(install, license.id)
  assert.deepEqual([status, json.activated], [200, 0], text)
  assert.equal((await off(install, license.id)).status, 404)
})
