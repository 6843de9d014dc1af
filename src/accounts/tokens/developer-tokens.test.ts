import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY } from '../../lib/time.ts'
import { startTestApp, type CallOptions, type Method, type TestApp } from '../../../test/app.ts'
import { offerFor } from '../../../test/licenses.ts'
import { logIn, type Login, setPassword } from '../../../test/logins.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('developer_tokens')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

const create = async (body: object) => {
  const { status, json, text } = await owner.call('POST', '/tokens.json', { body })
  assert.equal(status, 201, text)
  return json
}
/** A call of the account with a token. */
const by = (token: string, method: Method, path: string, options: CallOptions = {}) =>
  app.call(method, `/developers/${app.seller.developer.id}${path}`, { token, ...options })
const codeOf = async (...call: Parameters<typeof by>) => {
  const { status, json } = await by(...call)
  return json?.error?.code ?? status
}
const idOf = (which: 'product' | 'other') => String(app.seller[which].id)

test('a token of the account opens developer scope, is shown once, and is listed with those of products', async () => {
  const { token, ...shown } = await create({ name: 'backoffice' })
  assert.match(token, /^kw_[\w-]{40}$/)
  assert.deepEqual([shown.plugin_id, shown.product_ids, shown.rights], [null, null, null])
  for (const path of ['/products.json', '/members.json', `/products/${idOf('other')}/users.json`])
    assert.equal(await codeOf(token, 'GET', path), 200, path)
  assert.equal((await app.call('GET', `/products/${idOf('product')}/users.json`, { token })).status, 401)
  const { json: list, text } = await owner.call('GET', '/tokens.json?count=50')
  assert.ok(!text.includes(token))
  assert.deepEqual({ ...list.tokens[0], last_used_at: null }, shown)
  const ofProducts = list.tokens.map((one: { plugin_id: string | null }) => one.plugin_id)
  assert.ok(ofProducts.includes(idOf('product')) && ofProducts.includes(idOf('other')), text)
  const kept = JSON.stringify(await app.ctx.db.selectFrom('api_tokens').selectAll().execute())
  assert.ok(!kept.includes(token))
})

test('a token is told which account or product it opens, and what it may do there; nobody else is', async () => {
  const narrowed = { name: 'some', rights: 'licenses.write', product_ids: idOf('other') }
  const { token } = await create(narrowed)
  const ask = async (credential: string) => (await app.call('GET', '/token.json', { token: credential })).json
  const own = await ask(token)
  assert.deepEqual(
    [own.developer_id, own.plugin_id, own.product_ids, own.rights, own.name, own.token],
    [String(app.seller.developer.id), null, [idOf('other')], ['licenses.write'], 'some', undefined],
  )
  const { plugin_id: product, developer_id: account } = await ask(app.seller.product.token)
  assert.deepEqual([product, account], [idOf('product'), String(app.seller.developer.id)])
  assert.equal((await ask('kw_none')).error.code, 'token_unknown')
  assert.equal((await owner.call('GET', '/../../token.json')).status, 401)
})

test('the last use of a token of the account is written', async () => {
  const { id, token } = await create({ name: 'used' })
  await by(token, 'GET', '/products.json')
  await app.recorded()
  const { json } = await owner.call('GET', '/tokens.json?count=1')
  assert.deepEqual([json.tokens[0].id, json.tokens[0].last_used_at !== null], [id, true])
})

test('a token of the account ends by itself, and at once when it is revoked', async () => {
  const short = await create({ name: 'short', expires_in_days: 1 })
  app.ctx.clock.advance(DAY - 1000)
  assert.equal(await codeOf(short.token, 'GET', '/products.json'), 200)
  app.ctx.clock.advance(1000)
  assert.equal(await codeOf(short.token, 'GET', '/products.json'), 'token_expired')
  owner = await logIn(app)
  const { id, token } = await create({ name: 'leaked' })
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => owner.call('DELETE', `/tokens/${id}.json`)),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, 404, 404, 404, 404])
  assert.equal(await codeOf(token, 'GET', '/products.json'), 'token_expired')
})

test('the account revokes a token of any of its products, and of nobody else', async () => {
  const made = await owner.call('POST', `/products/${idOf('other')}/tokens.json`, { body: { name: 'CI' } })
  const { id, token } = made.json
  const users = `/products/${idOf('other')}/users.json`
  assert.equal((await app.call('GET', users, { token })).status, 200)
  assert.equal((await owner.call('DELETE', `/tokens/${id}.json`)).status, 204)
  assert.equal((await app.call('GET', users, { token })).status, 401)
  assert.equal((await owner.call('DELETE', '/tokens/987654321.json')).status, 404)
})

test('a token that is narrowed to products reaches no other one, and nothing of the account beside them', async () => {
  const [own, other] = [idOf('product'), idOf('other')]
  const { token, product_ids } = await create({ name: 'one product', product_ids: own })
  assert.deepEqual(product_ids, [own])
  assert.equal(await codeOf(token, 'GET', `/products/${own}/users.json`), 200)
  assert.equal(await codeOf(token, 'GET', `/products/${other}/users.json`), 'token_wrong_product')
  const { json } = await by(token, 'GET', '/products.json')
  assert.deepEqual(
    json.plugins.map(({ id }: { id: string }) => id),
    [own],
  )
  for (const product of [own, other])
    await app.call('POST', `/products/${product}/users.json`, {
      token: product === own ? app.seller.product.token : app.seller.other.token,
      body: { email: `of-${product}@example.com`, name: 'Some Body' },
    })
  const productsIn = async (path: string, items: string) => {
    const reply = await by(token, 'GET', path)
    assert.equal(reply.status, 200, reply.text)
    return [...new Set(reply.json[items].map((one: { plugin_id: string }) => one.plugin_id))]
  }
  assert.deepEqual(await productsIn('/users.json', 'users'), [own])
  assert.deepEqual(await productsIn(`/users.json?product_ids=${other}`, 'users'), [])
  assert.deepEqual(await productsIn('/events.json', 'events'), [own])
  for (const path of ['/members.json', '/stores.json', '/tokens.json', '/search.json?q=1', '/overview.json'])
    assert.equal(await codeOf(token, 'GET', path), 'token_not_allowed', path)
  const members = `/products/${own}/bundle/members.json`
  assert.equal(await codeOf(token, 'GET', members), 'token_not_allowed')
  assert.equal(
    await codeOf(token, 'PUT', members, { body: { members: other } }),
    'token_not_allowed',
    'what else is in a bundle is another product',
  )
})

test('a token that is narrowed to rights may do these alone, and sees no more than they let it', async () => {
  const { token, rights } = await create({ name: 'support', rights: 'licenses.read, customers.write' })
  assert.deepEqual(rights, ['customers.write', 'licenses.read'])
  const product = `/products/${idOf('product')}`
  assert.equal(await codeOf(token, 'GET', `${product}/users.json`), 200)
  assert.equal(await codeOf(token, 'GET', `${product}/payments.json`), 'token_not_allowed')
  assert.equal(await codeOf(token, 'GET', '/payments.json'), 'token_not_allowed')
  assert.equal(await codeOf(token, 'PUT', `${product}/licenses/1.json`, { body: {} }), 'token_not_allowed')
  const issuer = await create({ name: 'issuer', rights: 'licenses.write,catalogue.read' })
  const { planId, pricingId } = await offerFor(app, 1)
  const issue = (body: object) =>
    codeOf(issuer.token, 'POST', `${product}/plans/${planId}/pricing/${pricingId}/licenses.json`, {
      body: { period: 12, email: 'none@example.com', ...body },
    })
  assert.equal(await issue({ name: 'No Body' }), 'token_not_allowed')
  const all = await create({ name: 'all of the catalogue', rights: 'catalogue.read,licenses.write' })
  const shown = await by(all.token, 'GET', `${product}.json`)
  assert.deepEqual([shown.status, 'secret_key' in shown.json], [200, false])
  const whole = await by((await create({ name: 'whole' })).token, 'GET', `${product}.json`)
  assert.equal(whole.json.secret_key, app.seller.product.secretKey)
  assert.ok(!('earnings' in shown.json), 'amounts are for who reads sales')
})

test('what is narrowed is named rightly: products of the account, rights on anything but a login', async () => {
  const asked = async (body: object) => {
    const { status, json } = await owner.call('POST', '/tokens.json', { body: { name: 'n', ...body } })
    assert.equal(status, 400)
    return json.error.details.map(({ field }: { field: string }) => field)
  }
  assert.deepEqual(await asked({ product_ids: '987654321' }), ['product_ids'])
  assert.deepEqual(await asked({ product_ids: '' }), ['product_ids'])
  for (const rights of ['', 'own.write', 'licenses', 'licenses.write,nothing.read'])
    assert.deepEqual(await asked({ rights }), ['rights'], rights)
})

test('a token makes none of more rights or a longer life than its own', async () => {
  const limited = await create({ name: 'maker', rights: 'tokens.write,licenses.read,members.write' })
  const make = (token: string, body: object, path = '/tokens.json') =>
    by(token, 'POST', path, { body: { name: 'made', ...body } })
  const code = async (...asked: Parameters<typeof make>) => (await make(...asked)).json?.error?.code ?? 'made'
  assert.equal(await code(limited.token, {}), 'token_not_allowed')
  assert.equal(await code(limited.token, { rights: 'licenses.write' }), 'token_not_allowed')
  assert.equal(await code(limited.token, { rights: 'licenses.read,sales.read' }), 'token_not_allowed')
  assert.equal(await code(limited.token, { rights: 'licenses.read,tokens.read' }), 'made')
  const ofProduct = `/products/${idOf('product')}/tokens.json`
  assert.equal(await code(limited.token, {}, ofProduct), 'token_not_allowed')
  for (const path of ['/keys.json', `/products/${idOf('product')}/keys.json`])
    assert.equal(await codeOf(limited.token, 'POST', path, { body: {} }), 'token_not_allowed', path)
  const admin = { email: 'admin-by-token@example.com', role: 'admin' }
  assert.equal(await codeOf(limited.token, 'POST', '/members.json', { body: admin }), 'token_not_allowed')
  const narrowed = await create({ name: 'of one', product_ids: idOf('product') })
  assert.equal(await code(narrowed.token, {}), 'token_not_allowed')
  const short = await create({ name: 'short', expires_in_days: 7 })
  assert.equal(await code(short.token, { expires_in_days: 8 }), 'token_not_allowed')
  assert.equal((await make(short.token, {})).json.expires_at, short.expires_at)
  assert.equal((await make(short.token, {}, ofProduct)).json.expires_at, short.expires_at)
})

test('what a token has made ends with it, and what that has made', async () => {
  const first = await create({ name: 'first' })
  const made = async (token: string) =>
    (await by(token, 'POST', '/tokens.json', { body: { name: 'n' } })).json
  const second = await made(first.token)
  const third = await made(second.token)
  const ofProduct = await by(second.token, 'POST', `/products/${idOf('product')}/tokens.json`, {
    body: { name: 'n' },
  })
  assert.equal(await codeOf(third.token, 'GET', '/products.json'), 200)
  await owner.call('DELETE', `/tokens/${first.id}.json`)
  for (const { token } of [first, second, third])
    assert.equal(await codeOf(token, 'GET', '/products.json'), 'token_expired')
  const users = `/products/${idOf('product')}/users.json`
  assert.equal((await app.call('GET', users, { token: ofProduct.json.token })).status, 401)
})

test('a token that is revoked while it makes another leaves none behind', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, token } = await create({ name: `racing ${round}` })
    const making = Array.from({ length: 4 }, () =>
      by(token, 'POST', '/tokens.json', { body: { name: `racing ${round}` } }),
    )
    const [revoked, ...made] = await Promise.all([owner.call('DELETE', `/tokens/${id}.json`), ...making])
    assert.equal(revoked.status, 204)
    for (const { json } of made) {
      if (json.token) assert.equal(await codeOf(json.token, 'GET', '/products.json'), 'token_expired')
    }
  }
})

test('what concerns a login is not for a token', async () => {
  const { token } = await create({ name: 'no person' })
  for (const path of ['/session.json', '/token.json'])
    assert.equal(await codeOf(token, 'GET', path), 'unauthorized_access', path)
})
