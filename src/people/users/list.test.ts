import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
const ids: number[] = []

before(async () => {
  app = await startTestApp('users_list')
  for (let n = 1; n <= 60; n++) {
    const body = { email: `u${n}@example.com`, name: `Person ${n}`, send_verification_email: false }
    ids.push(
      Number((await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })).json.id),
    )
  }
  const extra = [
    { email: 'percent@example.com', name: '100% Wool' },
    { email: 'under_score@example.com', name: 'Éva Straße' },
  ]
  for (const body of extra) await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
  await app.write(async ({ db }) => {
    const [first, second, third] = ids
    await db
      .updateTable('product_users')
      .set({ gross: 4999 })
      .where('user_id', '=', first ?? 0)
      .execute()
    await db
      .updateTable('product_users')
      .set({ is_paying: true, gross: 1 })
      .where('user_id', '=', second ?? 0)
      .execute()
    await db
      .updateTable('product_users')
      .set({ is_beta: true })
      .where('user_id', '=', third ?? 0)
      .execute()
  })
})
after(() => app.close())

async function list(query: string): Promise<{ id: string; email: string; gross: number }[]> {
  const { status, json, text } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/users.json${query}`,
  )
  assert.equal(status, 200, text)
  return json.users
}
const emails = async (query: string) => (await list(query)).map(({ email }) => email)

test('a page holds 25 users unless count says otherwise, newest first', async () => {
  const first = await list('')
  assert.equal(first.length, 25)
  const all = [...(await list('?count=50')), ...(await list('?count=50&offset=50'))]
  assert.equal(all.length, 62)
  const order = all.map(({ id }) => Number(id))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => b - a),
  )
  assert.deepEqual(await list('?offset=1000000'), [])
})

test('email is exact, whatever its case', async () => {
  assert.deepEqual(await emails('?email=U7%40Example.com'), ['u7@example.com'])
  assert.deepEqual(await emails('?email=u7'), [])
})

test('filter keeps a payment standing, and gross is a decimal', async () => {
  const paid = await list('?filter=paid')
  assert.deepEqual(
    paid.map(({ email, gross }) => [email, gross]),
    [
      ['u2@example.com', 0.01],
      ['u1@example.com', 49.99],
    ],
  )
  assert.deepEqual(await emails('?filter=paying'), ['u2@example.com'])
  assert.deepEqual(await emails('?filter=beta'), ['u3@example.com'])
  assert.equal((await list('?filter=never_paid&count=50&offset=50')).length, 10)
  assert.deepEqual(await emails('?filter=beta&search=u3'), ['u3@example.com'])
})

test('search finds an id, a part of a name, and a part of an address, whatever the case', async () => {
  assert.deepEqual(await emails(`?search=${(ids.at(-1) ?? 0) + 1}`), ['percent@example.com'])
  assert.deepEqual(await emails('?search=PERSON%2060'), ['u60@example.com'])
  assert.deepEqual(await emails('?search=u59%40'), ['u59@example.com'])
  assert.deepEqual(await emails(`?search=${encodeURIComponent('E\u0301VA'.toLowerCase())}`), [
    'under_score@example.com',
  ])
})

test('search takes %, _ and \\ literally', async () => {
  assert.deepEqual(await emails('?search=100%25'), ['percent@example.com'])
  assert.deepEqual(await emails('?search=under_'), ['under_score@example.com'])
  assert.deepEqual(await emails('?search=%25%25'), [])
  assert.deepEqual(await emails('?search=%5C'), [])
})

test('a search is paged like the list', async () => {
  const found = [
    ...(await emails('?search=person&count=50')),
    ...(await emails('?search=person&count=50&offset=50')),
  ]
  assert.equal(found.length, 60)
  assert.equal(new Set(found).size, 60)
})

test('a user of another product is in no list', async () => {
  const { json } = await app.call('GET', `/products/${app.seller.other.id}/users.json?search=person`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(json, { users: [] })
})

test('every list is read through an index, without sorting the whole table', async () => {
  if (app.ctx.database.engine !== 'sqlite') return
  const plan = await app.ctx.db.executeQuery<{ detail: string }>({
    sql: `explain query plan select user_id from product_users where product_id = 1 order by user_id desc limit 25 offset 100000`,
    parameters: [],
    query: { kind: 'RawNode' } as never,
    queryId: { queryId: 'plan' },
  })
  assert.match(plan.rows.map(({ detail }) => detail).join('; '), /SEARCH product_users USING COVERING INDEX/)
})
