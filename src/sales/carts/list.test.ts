import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { productScope, visit } from '../../../test/carts.ts'
import { expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { completeCart } from './service.ts'

let app: TestApp
let call: CallAs
before(async () => {
  app = await startTestApp('carts_list')
  call = await asDeveloper(app)
})
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`
const listed = async (query: string): Promise<number[]> =>
  expectOk(await call('GET', own(`/carts.json${query}`))).json.carts.map(({ id }: { id: string }) =>
    Number(id),
  )
const totalOf = async (filter: object): Promise<number> => {
  const narrowed = encodeURIComponent(JSON.stringify(filter))
  return expectOk(await call('GET', own(`/list_total.json?kind=carts&filter=${narrowed}`))).json.total
}

test('carts are narrowed to those of one user, beside other filters, as is how many there are', async () => {
  const carts: Record<string, number[]> = { ada: [], bea: [] }
  const users: Record<string, number> = {}
  for (const name of ['ada', 'bea', 'ada']) {
    const email = `${name}@example.com`
    const userId = Number(await userOf(app, email))
    const { id } = await visit(app, { email })
    await app.write((tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 4999 }))
    carts[name]?.unshift(id)
    users[name] = userId
  }
  const open = await visit(app, { email: 'nobody@example.com' })
  assert.equal((await listed(''))[0], open.id)
  for (const name of ['ada', 'bea']) {
    const filter = { user_id: users[name] }
    assert.deepEqual(await listed(`?user_id=${users[name]}`), carts[name], name)
    assert.deepEqual(
      await listed(`?user_id=${users[name]}&sort=id&from=2026-01-01`),
      carts[name]?.toReversed(),
    )
    assert.deepEqual(await listed(`?user_id=${users[name]}&filter=active`), [], name)
    assert.equal(await totalOf(filter), carts[name]?.length, name)
  }
  assert.deepEqual(await listed(`?user_id=${users['ada']}&email=bea@example.com`), [])
  assert.deepEqual([await listed('?user_id=987654'), await totalOf({ user_id: 987_654 })], [[], 0])
  assert.equal((await call('GET', own('/carts.json?user_id=ada'))).status, 400)
})
