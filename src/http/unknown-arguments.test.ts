// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type CallOptions, type TestApp } from '../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../test/callers.ts'
import { joinTeam, logIn, setPassword } from '../../test/logins.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('unknown_arguments')
  developer = await asDeveloper(app)
})
after(() => app.close())

const STRICT = { 'x-keywright-strict': '1' }
const users = (query = '') => `/products/${app.seller.product.id}/users.json${query}`
const get = (query: string, options: CallOptions = {}) => app.call('GET', users(query), options)

const countUsers = async (): Promise<number> => (await get('')).json.users.length

test('a client of the interface goes on with what is not known, and is told its names', async () => {
  const reply = await get('?emial=a%40example.com&sdk_version=2&count=10')
  assert.deepEqual([reply.status, reply.headers.get('keywright-ignored')], [200, 'emial, sdk_version'])
  const told = await app.call('POST', users(), {
    body: { email: 'told@example.com', name: 'Some Body', naem: 'x' },
  })
  assert.deepEqual([told.status, told.headers.get('keywright-ignored')], [200, 'naem'])
})

test('nothing is said of a request whose arguments are all known', async () => {
  const reply = await get('?email=a%40example.com&fields=id&count=10')
  assert.equal(reply.headers.get('keywright-ignored'), null)
  const inBody = await app.call('POST', users(), {
    body: { email: 'known@example.com', name: 'A B', fields: 'id' },
  })
  assert.deepEqual([inBody.status, inBody.headers.get('keywright-ignored')], [200, null])
})

test('who asks for it is refused, with the nearest name, and nothing is stored', async () => {
  const before = await countUsers()
  const body = { email: 'strict@example.com', naem: 'Some Body', is_verifed: 'perhaps', zzzzz: 1 }
  const { status, json } = await app.call('POST', users(), { body, headers: STRICT })
  assert.deepEqual([status, json.error.code], [400, 'unknown_argument'])
  assert.deepEqual(json.error.details.slice(0, 3), [
    { field: 'naem', message: 'is not known here; did you mean name?' },
    { field: 'is_verifed', message: 'is not known here; did you mean is_verified?' },
    { field: 'zzzzz', message: 'is not known here' },
  ])
  assert.equal(await countUsers(), before)
})

test('what is missing or malformed is named beside what is not known', async () => {
  const { status, json } = await get('?emial=a&count=none', { headers: STRICT })
  assert.deepEqual([status, json.error.code], [400, 'unknown_argument'])
  assert.deepEqual(
    json.error.details.map(({ field }: { field: string }) => field),
    ['emial', 'count'],
  )
})

test('clients that sign, and tokens of a product in operations of the interface, go on with what they always sent', async () => {
  const product = app.seller.product.id
  const replies = [
    await developer('GET', `/products/${product}/users.json?emial=a`),
    await developer('GET', '/products.json?conut=1'),
    await asStore(app)('GET', `/products/${product}/users.json?emial=a`),
    await get('?emial=a'),
  ]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('keywright-ignored')]),
    [
      [200, 'emial'],
      [200, 'conut'],
      [200, 'emial'],
      [200, 'emial'],
    ],
  )
})

const tokenOfAccount = (productIds: readonly number[] | null = null) =>
  app.write((tx) =>
    issueApiToken(tx, {
      developerId: app.seller.developer.id,
      productIds,
      rights: null,
      name: 'strict',
      expiresAt: null,
      madeBy: null,
    }),
  )

test('a token of an account is refused what an operation does not take, also one of the interface, unless it asks not to be', async () => {
  const { token } = await tokenOfAccount()
  const { id: developerId } = app.seller.developer
  const before = await countUsers()
  const path = `/developers/${developerId}${users()}`
  const body = { email: 'token@example.com', name: 'A B', naem: 'x' }
  const refused = await app.call('POST', path, { token, body })
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'unknown_argument'])
  assert.deepEqual(refused.json.error.details, [
    { field: 'naem', message: 'is not known here; did you mean name?' },
  ])
  assert.equal(await countUsers(), before)
  const lenient = await app.call('POST', path, { token, body, headers: { 'x-keywright-strict': '0' } })
  assert.deepEqual([lenient.status, lenient.headers.get('keywright-ignored')], [200, 'naem'])
  const narrowed = await tokenOfAccount([app.seller.product.id])
  const { status } = await app.call('GET', `/developers/${developerId}${users('?emial=a')}`, narrowed)
  assert.equal(status, 400)
  const list = await app.call('GET', `/developers/${developerId}/products.json?conut=1`, { token })
  assert.equal(list.json.error.code, 'unknown_argument')
})

test('who is logged in is refused what an operation does not take, the owner and a member of its team', async () => {
  await setPassword(app)
  const owner = await logIn(app)
  const invited = await owner.call('POST', '/members.json', {
    body: { email: 'member@example.com', role: 'support' },
  })
  await joinTeam(app, invited.json.id)
  const member = await logIn(app, { body: { email: 'member@example.com' } })
  for (const { call } of [owner, member]) {
    const { status, json } = await call('GET', `${users()}?emial=a`)
    assert.deepEqual([status, json.error.code], [400, 'unknown_argument'])
    const lenient = await call('GET', `${users()}?emial=a`, { headers: { 'x-keywright-strict': '0' } })
    assert.deepEqual([lenient.status, lenient.headers.get('keywright-ignored')], [200, 'emial'])
  }
})

test('an operation of ours refuses what it does not take, but for what it answers, so that an entity is sent back', async () => {
  const webhooks = `/products/${app.seller.product.id}/webhooks.json`
  const url = 'https://hooks.example.com/keywright'
  const misspelt = await app.call('POST', webhooks, { body: { url, evnets: 'license.created' } })
  assert.deepEqual([misspelt.status, misspelt.json.error.code], [400, 'unknown_argument'])
  assert.deepEqual((await app.call('GET', webhooks)).json.webhooks, [])
  const listed = await app.call('GET', `${webhooks}?conut=1`)
  assert.equal(listed.json.error.code, 'unknown_argument')
  const { json: made } = await app.call('POST', webhooks, { body: { url, types: 'license.created' } })
  const one = webhooks.replace('.json', `/${made.id}.json`)
  const { json: shown } = await app.call('GET', one)
  const back = await app.call('PUT', one, { body: { ...shown, types: 'license.updated', url: `${url}/2` } })
  assert.deepEqual([back.status, back.json.url], [200, `${url}/2`], back.text)
  assert.match(back.headers.get('keywright-ignored') ?? '', /\bid\b/)
})

test('a misspelt name is found behind all that an entity was answered with', async () => {
  const webhooks = `/products/${app.seller.product.id}/webhooks.json`
  const answered = ['id', 'created', 'updated', 'plugin_id', 'is_active', 'off_reason', 'failures']
  const body = Object.fromEntries(
    [...answered, ...answered.map((name) => `${name}_`)].map((name) => [name, '1']),
  )
  const { json } = await app.call('POST', webhooks, { body: { ...body, url: 'https://a.example' } })
  const fields = json.error.details.map(({ field }: { field: string }) => field)
  assert.deepEqual(
    fields,
    answered.map((name) => `${name}_`),
  )
})

test('a name that an object within the body does not take is named by its path, with the nearest one', async () => {
  const [{ id: userId }] = (await get('')).json.users
  const installs = `/products/${app.seller.product.id}/users/${userId}/installs.json`
  const site = (uid: string, more: object = {}) => ({
    uid,
    url: `https://${uid}.example`,
    title: 'Site',
    ...more,
  })
  const body = { sites: [site('a'.repeat(32)), site('b'.repeat(32), { tilte: 'x', zzzzz: 1 })] }
  const { status, json } = await app.call('POST', installs, { body, headers: STRICT })
  assert.deepEqual([status, json.error?.code], [400, 'unknown_argument'])
  assert.deepEqual(json.error.details, [
    { field: 'sites.1.tilte', message: 'is not known here; did you mean sites.1.title?' },
    { field: 'sites.1.zzzzz', message: 'is not known here' },
  ])
  const told = await app.call('POST', installs, { body })
  assert.deepEqual(
    [told.status, told.headers.get('keywright-ignored')],
    [200, 'sites.1.tilte, sites.1.zzzzz'],
  )
  const coupon = { code: 'NESTED', discount: 5, discount_type: 'dollar', discounts: { usd: 5, euro: 4 } }
  const refused = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, {
    body: coupon,
    headers: STRICT,
  })
  const [first] = refused.json.error.details
  assert.deepEqual(first, {
    field: 'discounts.euro',
    message: 'is not known here; did you mean discounts.eur?',
  })
})

test('objects that take any name, and what is no object, are looked at no further; so many names are told of a list', async () => {
  const [{ id: userId }] = (await get('')).json.users
  const installs = `/products/${app.seller.product.id}/users/${userId}/installs.json`
  const change = { installs: Array.from({ length: 60 }, (_, id) => ({ id: 900_000 + id, verison: '1' })) }
  const many = await app.call('PUT', installs, { body: change })
  assert.equal(many.headers.get('keywright-ignored')?.split(', ').length, 20, many.text)
  const info = { screenshots: { screenshot_0: 'https://a.example/1.png' } }
  const free = await developer('PUT', `/products/${app.seller.product.id}/info.json`, info)
  assert.deepEqual([free.status, free.headers.get('keywright-ignored')], [200, null], free.text)
  const odd = await app.call('POST', installs, { body: { sites: ['text', null, [{ a: 1 }]] } })
  assert.deepEqual([odd.status, odd.headers.get('keywright-ignored')], [400, null])
})

test('what the frame reads of a query is known everywhere: the signature, its date, the public key, the method', async () => {
  const path = users('?auth_date=x&public_key=y&method=PUT&authorization=z')
  assert.equal((await app.call('GET', path, { headers: STRICT })).status, 200)
})

test('the names of a client are told without what it may not show, and so many at most', async () => {
  const key = `sk_${'x'.repeat(32)}`
  const secret = await get(`?${key}=1&caf%C3%A9%0D%0A=1`)
  assert.equal(secret.headers.get('keywright-ignored'), `${encodeURIComponent('…')}, caf%C3%A9%0D%0A`)
  const refused = await get(`?${key}=1`, { headers: STRICT })
  assert.ok(!refused.text.includes(key))
  const many = await get(`?${Array.from({ length: 60 }, (_, index) => `n${index}=1`).join('&')}`)
  assert.equal(many.headers.get('keywright-ignored')?.split(', ').length, 20)
})
