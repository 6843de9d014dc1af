// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import type { Keys } from '../catalogue/sellers/create-seller.ts'
import { asDeveloper } from '../../test/callers.ts'
import { logIn, setPassword } from '../../test/logins.ts'
import { signed, type Signing } from '../../test/security/signing.ts'
import { toRfc2822, DAY } from '../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('credential_codes')
})
after(() => app.close())

const account = (path: string) => `/developers/${app.seller.developer.id}${path}`
const path = () => `/products/${app.seller.product.id}/users.json`
const withText = (authorization: string, at = path()) =>
  app.call('GET', at, { token: null, headers: { authorization } })
const codeOf = ({ status, json }: Reply): string => `${status} ${json?.error.code ?? ''}`.trim()

const sign = (signing: Partial<Signing> = {}, keys: Keys = app.seller.product, at = path()) => {
  const call = { method: 'GET', path: `/v1${at}` }
  const date = toRfc2822(app.ctx.clock.real())
  const { headers } = signed(keys, call, { date, signedType: 'application/json', ...signing })
  return app.call('GET', at, { token: null, headers: headers as Record<string, string> })
}

test('no credentials, unreadable ones and a token that is none are told apart', async () => {
  assert.equal(codeOf(await app.call('GET', path(), { token: null })), '401 authorization_missing')
  for (const text of ['', 'Basic YTpi', `bearer ${app.seller.product.token}`, 'FS 1:pk'])
    assert.equal(codeOf(await withText(text)), '401 authorization_malformed', text)
  for (const text of ['Bearer kw_none', 'Bearer none', `FSA ${app.seller.developer.id}:none`])
    assert.equal(codeOf(await withText(text, account('/products.json'))), '401 token_unknown', text)
})

test('a token of another product says so, whether there is that product or not', async () => {
  const other = await app.call('GET', `/products/${app.seller.other.id}/users.json`)
  const nobodys = await app.call('GET', '/products/987654321/users.json')
  const nowhere = await app.call('GET', '/nothing/here.json')
  assert.deepEqual([other, nobodys, nowhere].map(codeOf), Array(3).fill('401 token_wrong_product'))
  assert.equal(other.json.error.message, nobodys.json.error.message)
})

test('a token that is over says so, revoked or expired, of an account, a product and a user', async () => {
  await setPassword(app)
  const owner = await logIn(app)
  const { json: made } = await owner.call('POST', '/tokens.json', { body: { name: 'short' } })
  const own = () => app.call('GET', account('/products.json'), { token: made.token })
  assert.equal((await own()).status, 200)
  await owner.call('DELETE', `/tokens/${made.id}.json`)
  assert.equal(codeOf(await own()), '401 token_expired')
  const developer = await asDeveloper(app)
  assert.equal((await developer('GET', '/products.json')).status, 200)
  app.ctx.clock.advance(2 * DAY)
  assert.equal(codeOf(await developer('GET', '/products.json')), '401 token_expired')
})

test('a login that is over says so, and no login at all', async () => {
  const at = account('/session.json')
  assert.equal(codeOf(await app.call('GET', at, { token: null })), '401 authorization_missing')
  const headers = { 'x-keywright-session': 'over' }
  assert.equal(codeOf(await app.call('GET', at, { token: null, headers })), '401 session_ended')
})

test("the token of an install is for that install's paths", async () => {
  const license = await clientsOf(app).ownLicense(1)
  const { installId, token } = await clientsOf(app).active(license)
  assert.equal((await app.call('GET', `/installs/${installId}.json`, { token })).status, 200)
  assert.equal(codeOf(await app.call('GET', path(), { token })), '401 token_wrong_path')
})

test('a wrong signature shows what was signed, line by line, and no secret', async () => {
  const date = toRfc2822(app.ctx.clock.real())
  const wrong = { ...app.seller.product, secretKey: `sk_${'w'.repeat(32)}` }
  const reply = await sign({ date }, wrong)
  assert.equal(codeOf(reply), '401 signature_invalid')
  const lines = ['GET', '', 'application/json', date, `/v1${path()}`].join('\n')
  assert.ok(reply.json.error.message.includes(JSON.stringify(lines)), reply.json.error.message)
  assert.ok(!reply.text.includes(app.seller.product.secretKey))
  const otherKey = await sign({}, { ...app.seller.product, publicKey: `pk_${'w'.repeat(32)}` })
  assert.equal(codeOf(otherKey), '401 signature_invalid')
})

test('a signature by the keys of another entity than the path begins with', async () => {
  assert.equal(codeOf(await sign({}, app.seller.other)), '401 signature_wrong_path')
  const byDeveloper = await sign({ scheme: 'FSP' }, app.seller.developer, account('/products.json'))
  assert.equal(codeOf(byDeveloper), '401 signature_wrong_path')
})

test('a body that the signature does not cover says so', async () => {
  const at = path()
  const call = { method: 'POST', path: `/v1${at}`, body: '{"a":1}' }
  const date = toRfc2822(app.ctx.clock.real())
  const { headers } = signed(app.seller.product, call, { date, signedType: 'application/json' })
  const reply = await app.call('POST', at, {
    token: null,
    body: '{"a":2}',
    headers: headers as Record<string, string>,
  })
  assert.equal(codeOf(reply), '401 content_md5_mismatch')
})
