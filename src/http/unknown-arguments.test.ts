// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type CallOptions, type TestApp } from '../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../test/callers.ts'

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

test('who sends back a whole entity as it was answered goes on, by developer, by store and in operations of ours', async () => {
  const product = app.seller.product.id
  const replies = [
    await developer('GET', `/products/${product}/users.json?emial=a`),
    await developer('GET', '/products.json?conut=1'),
    await asStore(app)('GET', `/products/${product}/users.json?emial=a`),
    await app.call('GET', `/products/${product}/webhooks.json?conut=1`),
  ]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('keywright-ignored')]),
    [
      [200, 'emial'],
      [200, 'conut'],
      [200, 'emial'],
      [200, 'conut'],
    ],
  )
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
