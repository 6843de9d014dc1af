import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { auditOf, joinTeam, logIn, setPassword, type Login } from '../../../test/logins.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'

const EMAIL = 'ada@example.com'
const BROWSER = { accept: 'text/html,application/xhtml+xml' }

let app: TestApp
let userId: string
let owner: Login
before(async () => {
  app = await startTestApp('portal_view')
  userId = String(await userOf(app, EMAIL))
  await userOf(app, EMAIL, app.seller.other)
  await setPassword(app)
})
beforeEach(async () => {
  app.ctx.clock.set(START)
  owner = await logIn(app)
})
after(() => app.close())

const viewPath = (id = userId) => `/products/${app.seller.product.id}/users/${id}/portal/view.json`
const enterBy = (link: string, headers: Record<string, string> = BROWSER) =>
  fetch(link.replace(app.ctx.baseUrl, app.address), { method: 'POST', headers, redirect: 'manual' })

/** What a person of the seller does who looks as the user. */
async function view(by: Login = owner) {
  const asked = await by.call('POST', viewPath())
  assert.equal(asked.status, 201, asked.text)
  const entered = await enterBy(asked.json.link)
  assert.equal(entered.status, 303)
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, csrf = '') =>
    app.call(method, path, {
      token: null,
      headers: { cookie, 'x-keywright-csrf': csrf },
      ...(body && { body }),
    })
  return { cookie, call, session: async () => call('GET', '/portal/session.json') }
}

test('who looks at the portal as a customer sees what the customer sees, for an hour', async () => {
  const license = await licenseOf(app, 1, { body: { email: EMAIL } })
  const { call, session } = await view()
  const { json } = await session()
  assert.deepEqual([json.user.email, json.products.length, json.is_view_only], [EMAIL, 2, true])
  const seen = await call('GET', `/users/${userId}/licenses/${license.id}.json`)
  assert.deepEqual([seen.status, seen.json.secret_key], [200, license.secret_key])
  app.ctx.clock.advance(HOUR)
  assert.equal((await session()).status, 401)
})

test('who looks changes nothing, and is given nothing to change something by', async () => {
  const license = await licenseOf(app, 1, { body: { email: EMAIL } })
  const { call, session } = await view()
  const csrf = (await session()).json.csrf_token
  const own = `/users/${userId}`
  const refused = [
    await call('PUT', `${own}.json`, { first: 'Forged' }, csrf),
    await call('POST', `${own}/licenses/${license.id}/checkout/link.json`, {}, csrf),
    await call('GET', `${own}/licenses/${license.id}/review_url.json`),
    await call('PUT', `${own}/billing.json`, { business_name: 'Forged' }, csrf),
    await call('POST', `${own}/licenses/${license.id}/key.json`, {}, csrf),
    await call('DELETE', `${own}/licenses/${license.id}/installs.json`, undefined, csrf),
    await call('POST', `${own}/subscriptions/1/resume.json`, {}, csrf),
    await call('GET', `${own}/products/${app.seller.product.id}/tags/1.zip`),
  ]
  for (const { status, json } of refused) assert.deepEqual([status, json.error.code], [401, 'view_only'])
  const { first } = (await call('GET', `${own}.json`)).json
  assert.notEqual(first, 'Forged')
})

test('the cookie of who looks is no access token, and its link is for a browser alone', async () => {
  const { cookie } = await view()
  const token = cookie.slice(cookie.indexOf('=') + 1)
  const headers = { authorization: `FSA ${userId}:${token}` }
  assert.equal((await app.call('GET', `/users/${userId}.json`, { token: null, headers })).status, 401)
  const { link } = (await owner.call('POST', viewPath())).json
  const program = await enterBy(link, { accept: 'application/json' })
  assert.equal(program.status, 401)
})

test('who looks and leaves everywhere ends no visit of the customer', async () => {
  const path = `/products/${app.seller.product.id}/portal/login.json`
  const { link } = (await app.call('POST', path, { body: { id: userId } })).json
  const own = await enterBy(link)
  const ownCookie = (own.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const looking = await view()
  const csrf = (await looking.session()).json.csrf_token
  const left = await looking.call('POST', '/portal/logout.json', { everywhere: true }, csrf)
  assert.equal(left.status, 204)
  assert.equal((await looking.session()).status, 401)
  const still = await app.call('GET', '/portal/session.json', { token: null, headers: { cookie: ownCookie } })
  assert.deepEqual([still.status, still.json.is_view_only], [200, false])
})

test('the audit log says who has looked, and as whom', async () => {
  const { call } = await view()
  assert.equal((await call('GET', '/portal/session.json')).status, 200)
  const rows = await auditOf(app, 'portal.viewed')
  const last = rows.at(-1)
  assert.deepEqual(
    [last?.actor_kind, last?.actor_id, last?.product_id, last?.details],
    ['developer', app.seller.developer.id, app.seller.product.id, { user_id: userId }],
  )
  assert.ok((await auditOf(app, 'keywright/view-portal')).length > 0)
})

test('a role that may not write customers looks at nothing, and one that is taken away ends the visit', async () => {
  const roleOf = async (role: string) => {
    const email = `${role}@example.com`
    const added = await owner.call('POST', '/members.json', { body: { email, role, first: role, last: 'M' } })
    assert.equal(added.status, 201, added.text)
    await joinTeam(app, added.json.id)
    return { id: added.json.id as string, login: await logIn(app, { body: { email } }) }
  }
  for (const role of ['developer', 'accountant']) {
    const { login } = await roleOf(role)
    const { status, json } = await login.call('POST', viewPath())
    assert.deepEqual([status, json.error.code], [401, 'role_not_allowed'], role)
  }
  const support = await roleOf('support')
  const { session } = await view(support.login)
  assert.equal((await session()).status, 200)
  await owner.call('PUT', `/members/${support.id}.json`, { body: { role: 'developer' } })
  assert.deepEqual((await session()).json.error.code, 'role_not_allowed')
  await owner.call('PUT', `/members/${support.id}.json`, { body: { role: 'support' } })
  const again = await view(support.login)
  assert.equal((await owner.call('DELETE', `/members/${support.id}.json`)).status, 204)
  assert.equal((await again.session()).status, 401)
})

test('the link of five minutes is for a customer of the product alone', async () => {
  const stranger = String(await userOf(app, 'cleo@example.com', app.seller.other))
  assert.equal((await owner.call('POST', viewPath(stranger))).status, 404)
  const { link } = (await owner.call('POST', viewPath())).json
  app.ctx.clock.advance(5 * MINUTE)
  assert.equal((await enterBy(link)).status, 404)
})
