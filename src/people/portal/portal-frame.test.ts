import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { built } from '../../../test/web/built.ts'

const HOSTS = ['shop.example.com', 'members.example.com:8443']
const IN_FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }

let app: TestApp
let userId: string
before(async () => {
  await built()
  app = await startTestApp('portal_frame')
  userId = await userOf(app, 'ada@example.com')
})
after(() => app.close())

const { stringify } = JSON
const say = (hosts: unknown, product = app.seller.product) =>
  app.call('PUT', `/products/${product.id}/settings.json`, {
    token: product.token,
    body: { setting_type: 8, data: stringify({ portal_embed_hosts: hosts }) },
  })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { headers, redirect: 'manual' })

async function pathOfLink(product = app.seller.product): Promise<string> {
  const path = `/products/${product.id}/portal/login.json`
  const { json } = expectOk(await app.call('POST', path, { token: product.token, body: { id: userId } }))
  const { pathname, search } = new URL(json.link)
  return pathname + search
}

/** Who may hold a page in a frame, as its headers say. */
async function framedBy(path: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await get(path, headers)
  const policy = reply.headers.get('content-security-policy') ?? ''
  const [, ancestors = 'anybody'] = /frame-ancestors ([^;]*)/.exec(policy) ?? []
  return [ancestors, reply.headers.get('x-frame-options') ?? 'left out'].join(', ')
}

const NOBODY = "'none', DENY"

/** A browser in the portal: its cookie, and what it was told of it. */
async function enter(path: string, body = ''): Promise<{ readonly set: string; readonly cookie: string }> {
  const reply = await fetch(app.address + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body,
  })
  const set = reply.headers.get('set-cookie') ?? ''
  return { set, cookie: set.split(';')[0] ?? '' }
}

test('nobody holds the portal in a frame but whom the product names, and a page of the store whoever one of its products does', async () => {
  const { product, other, store } = app.seller
  const link = await pathOfLink()
  const pages = [`/portal/?product_id=${product.id}`, `/portal/?store_id=${store.id}`, link]
  for (const page of pages) assert.equal(await framedBy(page), NOBODY, page)
  expectOk(await say(HOSTS))
  for (const page of pages) assert.equal(await framedBy(page), `${HOSTS.join(' ')}, left out`, page)
  assert.equal(await framedBy(`/portal/?product_id=${other.id}`), NOBODY)
  assert.equal(await framedBy('/portal/?product_id=999'), NOBODY)
  assert.equal(await framedBy('/v1/portal/session.json'), NOBODY)
  expectOk(await say([]))
  for (const page of pages) assert.equal(await framedBy(page), NOBODY, page)
})

test('a page of who is in is held by whom the visit is for, whatever the address names', async () => {
  const { product, other } = app.seller
  expectOk(await say(HOSTS))
  expectOk(await say(['other.example.com'], other))
  const { cookie } = await enter(await pathOfLink())
  for (const path of ['/portal/', `/portal/${product.id}`, `/portal/?product_id=${other.id}`])
    assert.equal(await framedBy(path, { cookie }), `${HOSTS.join(' ')}, left out`, path)
  const over = { cookie: cookie.replace(/=.*/, `=${'x'.repeat(43)}`) }
  assert.equal(await framedBy(`/portal/?product_id=${product.id}`, over), NOBODY)
  expectOk(await say([], other))
})

test('in a frame of another site a browser keeps a cookie for that site alone, enters and leaves by it', async () => {
  expectOk(await say(HOSTS))
  const link = await pathOfLink()
  const inFrame = await (await get(link, IN_FRAME)).text()
  assert.match(inFrame, /<input type="hidden" name="framed" value="1">/)
  for (const headers of [
    {},
    { ...IN_FRAME, 'sec-fetch-site': 'same-site' },
    { ...IN_FRAME, 'sec-fetch-dest': 'document' },
  ])
    assert.doesNotMatch(await (await get(link, headers)).text(), /framed/)
  const { set, cookie } = await enter(link, 'framed=1')
  assert.match(
    set,
    /^__Host-keywright_portal_framed=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=None; Partitioned; Secure$/,
  )
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, headers: object = {}, body?: object) =>
    app.call(method, path, { token: null, headers: { cookie, ...headers }, ...(body && { body }) })
  const session = expectOk(await call('GET', '/portal/session.json')).json
  assert.equal(session.user.id, userId)
  const rename = (headers: object) => call('PUT', `/users/${userId}.json`, headers, { first: 'Framed' })
  assert.equal((await rename({})).json.error.code, 'csrf_required')
  const meant = { 'x-keywright-csrf': session.csrf_token }
  assert.equal(
    (await rename({ ...meant, origin: 'https://shop.example.com' })).json.error.code,
    'csrf_required',
  )
  expectOk(await rename(meant))
  const left = await call('POST', '/portal/logout.json', meant, {})
  assert.match(left.headers.get('set-cookie') ?? '', /^__Host-keywright_portal_framed=; Path=\/; Max-Age=0;/)
  assert.equal((await call('GET', '/portal/session.json')).status, 401)
})

test('who has come on a page of its own is not taken for who is in a frame', async () => {
  const [own, framed] = [await enter(await pathOfLink()), await enter(await pathOfLink(), 'framed=1')]
  const both = { cookie: `${framed.cookie}; ${own.cookie}` }
  const { json } = expectOk(await app.call('GET', '/portal/session.json', { token: null, headers: both }))
  const meant = { ...both, 'x-keywright-csrf': json.csrf_token as string }
  const left = await app.call('POST', '/portal/logout.json', { token: null, headers: meant, body: {} })
  assert.match(left.headers.get('set-cookie') ?? '', /^__Host-keywright_portal=;/)
  expectOk(await app.call('GET', '/portal/session.json', { token: null, headers: { cookie: framed.cookie } }))
})

test('a host is named whole, and nothing that a policy reads as more than a host', async () => {
  for (const host of [
    '*',
    '*.example.com',
    "'self'",
    'a;sandbox',
    'a,b',
    'https://a.example',
    'A.example',
    'a b',
    'a/',
    '',
    'a.example:443x',
    'data:',
  ]) {
    const reply = await say([host])
    assert.equal(reply.status, 400, host)
    assert.equal(reply.json.error.details[0].field, 'data.portal_embed_hosts.0')
  }
  expectOk(await say(['localhost:3000', '127.0.0.1', '[::1]:8080', 'xn--bcher-kva.example', 'a-b.example']))
  assert.equal((await say(Array.from({ length: 51 }, (_, at) => `h${at}.example`))).status, 400)
})
