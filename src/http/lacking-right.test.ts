// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import { asPublic } from '../../test/callers.ts'
import { joinTeam, logIn, setPassword } from '../../test/logins.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('lacking_right')
})
after(() => app.close())

const said = ({ status, json }: Reply) => [status, json.error.code, json.error.message]

test('who is proven and lacks a right is told which one, with the code of what is wrong', async () => {
  const { product, other, developer } = app.seller
  const license = await clientsOf(app).ownLicense(1)
  const { installId, token } = await clientsOf(app).active(license)
  const inProduct = 'A bearer token has the right to paths below /products/{product_id} of its product only.'
  const ofInstall = 'The token of an install has the right to what an install may do below its own path only.'
  const inDeveloper = `/developers/${developer.id}/products/${product.id}/plans.json`
  const answers: [Promise<Reply>, string, string][] = [
    [app.call('GET', inDeveloper), 'token_wrong_product', inProduct],
    [app.call('GET', `/products/${other.id}/plans.json`), 'token_wrong_product', inProduct],
    [app.call('GET', `/products/${product.id}/users.json`, { token }), 'token_wrong_path', ofInstall],
    [app.call('GET', `/installs/${Number(installId) + 1}.json`, { token }), 'token_wrong_path', ofInstall],
    [
      asPublic(app)('GET', '/users.json'),
      'unauthorized_access',
      'A public key has no right to this; sign with a secret key, or use a token of the product.',
    ],
  ]
  for (const [reply, code, message] of answers) assert.deepEqual(said(await reply), [401, code, message])
  const unknown = await app.call('GET', `/products/${product.id}/plans.json`, {
    token: `kw_${'x'.repeat(40)}`,
  })
  assert.deepEqual(said(unknown), [401, 'token_unknown', 'There is no such token.'])
})

test('a role that lacks a right is told which one', async () => {
  await setPassword(app)
  const owner = await logIn(app)
  const email = 'support-of-rights@example.com'
  const { json } = await owner.call('POST', '/members.json', { body: { email, role: 'support' } })
  await joinTeam(app, json.id)
  const { call } = await logIn(app, { body: { email } })
  const base = `/products/${app.seller.product.id}`
  assert.deepEqual(said(await call('POST', `${base}/plans.json`, { body: {} })), [
    401,
    'role_not_allowed',
    'The role support lacks the right to write catalogue.',
  ])
  assert.deepEqual(said(await call('GET', '/members.json')), [
    401,
    'role_not_allowed',
    'The role support lacks the right to read members.',
  ])
})

test('who is let in and may not do what was asked for is in the audit log as refused, each time', async () => {
  await setPassword(app)
  const owner = await logIn(app)
  const email = 'support-of-passwords@example.com'
  const { json } = await owner.call('POST', '/members.json', { body: { email, role: 'support' } })
  const person = await joinTeam(app, json.id)
  const { call } = await logIn(app, { body: { email } })
  const { id } = app.seller.product
  const body = { email: 'nobody-yet@example.com', name: 'No Body', password: 'the pass phrase of somebody' }
  for (let n = 0; n < 2; n++)
    assert.equal(
      (await call('POST', `/products/${id}/users.json`, { body })).json.error.code,
      'role_not_allowed',
    )
  const asked = { actor_id: person, product_id: id, ip: '127.0.0.1' }
  await app.recorded()
  const rows = await app.ctx.db
    .selectFrom('audit_log')
    .select(['actor_id', 'product_id', 'ip', 'details'])
    .where('action', '=', 'authentication.failure')
    .where('actor_id', '=', person)
    .execute()
  const counts = rows.map(({ details, ...of }) => {
    const { count, reason } = JSON.parse(details ?? '{}') as { count: number; reason: string }
    assert.deepEqual({ ...of, reason }, { ...asked, reason: 'role_not_allowed' })
    return count
  })
  // A busy machine takes longer for both than refusals are counted together.
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2,
  )
})
