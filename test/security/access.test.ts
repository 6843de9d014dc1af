// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isForPages } from '../../src/http/cors.ts'
import { faceOf } from './answers.ts'
import { inParallel, jsonBody, type Answer, type Call } from './client.ts'
import { MOUNTS, pathOf, requestTo } from './requests.ts'
import { stateOf } from './tables.ts'
import { startWorld, type Ids, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('access')
})
after(() => world.close())

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
/** An id that no row has. */
const NOBODY = '987654321'

const nobodys = (): Ids => Object.fromEntries(Object.keys(world.ids.own).map((name) => [name, NOBODY]))
const bearer = (call: Call): Call => ({
  ...call,
  headers: { ...call.headers, authorization: `Bearer ${world.seller.product.token}` },
})

describe('S01: a token of one product on every address of another', () => {
  /** What names nobody: the token that calls is told of itself. */
  const others = MOUNTS.filter(({ op }) => op.caller !== 'token')

  /** Each path of each mount with every method, as the mount takes it where one does. */
  const everywhere = (ids: Ids): Call[] =>
    [...Map.groupBy(others, ({ path }) => path)].flatMap(([path, mounts]) =>
      METHODS.filter((method) => method !== 'OPTIONS' || !mounts.some(isForPages)).map((method) => {
        const mount = mounts.find((one) => one.method === method)
        return bearer(mount ? requestTo(mount, ids) : { method, path: pathOf(path, ids) })
      }),
    )

  let stateBefore: string
  let calls: Call[]
  let existing: Answer[]
  before(async () => {
    stateBefore = await stateOf(world.ctx.database)
    calls = everywhere(world.ids.other)
    existing = await inParallel(calls, world.send)
  })

  test('every method is 401, the same for a product that exists and one that does not, and writes nothing', async () => {
    const strangers = await inParallel(everywhere(world.ids.stranger), world.send)
    const missing = await inParallel(everywhere(nobodys()), world.send)
    for (const [index, { method, path }] of calls.entries()) {
      const answer = existing[index]
      assert.equal(answer?.status, 401, `${method} ${path}`)
      for (const answers of [strangers, missing]) {
        const other = answers[index]
        assert.ok(answer && other)
        assert.deepEqual(faceOf(other), faceOf(answer), `${method} ${path}`)
      }
    }
    assert.equal(await stateOf(world.ctx.database), stateBefore)
  })

  test('the error echoes nothing but what was sent', () => {
    for (const [index, { path, method }] of calls.entries()) {
      if (method === 'HEAD') continue
      const request = existing[index]?.json.request as Record<string, unknown>
      const sent = decodeURIComponent(path)
      for (const value of Object.values(request)) assert.ok(sent.includes(String(value)), path)
      assert.equal(existing[index]?.json.path, path.replace('/v1', '').split('?')[0])
    }
  })
})

test('S02: a search finds nobody of another product by id, address or name', async () => {
  const { cleo, dan, ada } = world.people
  const find = async (query: string) => {
    const path = `/v1/products/${world.seller.product.id}/users.json?${query}`
    return (await world.send(bearer({ method: 'GET', path }))).json.users as { id: string }[]
  }
  assert.ok((await find(`search=${ada.id}`)).some(({ id }) => id === String(ada.id)))
  for (const { id, email } of [cleo, dan]) {
    assert.deepEqual(await find(`search=${id}`), [])
    assert.deepEqual(await find(`search=${email}`), [])
    assert.deepEqual(await find(`email=${email}`), [])
  }
})

describe('S04: a token outside its product, however the address is spelled', () => {
  const spellings = (own: string, other: string): string[] => [
    `/v1/products/${other}/users.json`,
    `/v1/plugins/${other}/users.json`,
    `/v1//products/${other}/users.json`,
    `//v1/products/${other}/users.json`,
    `/v1/products//${other}/users.json`,
    `/v1/products/./${other}/users.json`,
    `/v1/products/${own}/../${other}/users.json`,
    `/v1/products/${own}/%2e%2e/${other}/users.json`,
    `/v1/products/${own}/.%2E/${other}/users.json`,
    `/v1/products/${own}/..;/${other}/users.json`,
    `/v1/products/${own}/..%2f${other}/users.json`,
    `/v1/products/${own}%2f..%2f${other}/users.json`,
    `/v1/products/${own}/..%5c${other}/users.json`,
    `/v1/products/${own}/..\\${other}/users.json`,
    `/v1/products/${own}/%252e%252e/${other}/users.json`,
    `/v1/products/${own};/../${other}/users.json`,
    `/v1/products/${other};a=b/users.json`,
    `/v1/products;/${other}/users.json`,
    `/v1/products/${other}/users.json;`,
    `/v1/products/${other}/users.json/`,
    `/v1/products/${other}/users.json.`,
    `/v1/products/${other}./users.json`,
    `/v1/products/0${other}/users.json`,
    `/v1/products/+${other}/users.json`,
    `/v1/products/${other}.0/users.json`,
    `/v1/products/${other}e0/users.json`,
    `/v1/products/%20${other}/users.json`,
    `/v1/products/${other}%00/users.json`,
    `/v1/products/${other}%0a/users.json`,
    `/v1/products/${[...other].map((digit) => `%3${digit}`).join('')}/users.json`,
    `/V1/products/${other}/users.json`,
    `/v1/Products/${other}/users.json`,
    `/v1/PLUGINS/${other}/users.json`,
    `/v1/products/${other}/USERS.JSON`,
    `/v1/products/${other}/users`,
    `/v1/products/${other}`,
    `/v1/products/${other}.json`,
    `/v1/products/${'9'.repeat(500)}/users.json`,
    `/v1/products/${other}/users/${'9'.repeat(500)}.json`,
    `/v1/products/${other}/users/%zz.json`,
    `/v1/developers/${other}/products/${own}/users.json`,
    `/v1/stores/${other}/products/${own}/users.json`,
    `/v1/users/${other}.json`,
    `/v1/installs/${other}/users.json`,
    `/v1/products/0${own}/users.json`,
    `/v1/products/${own}.0/users.json`,
    '/v1/ping.json',
    '/v1/anything.json',
    '/v1',
    '/',
  ]

  test('401 for all spellings, the same whether the product exists', async () => {
    const own = String(world.seller.product.id)
    const existing = spellings(own, String(world.seller.other.id))
    const missing = spellings(own, NOBODY)
    for (const [index, path] of existing.entries()) {
      const answer = await world.send(bearer({ method: 'GET', path }))
      assert.equal(answer.status, 401, `${path} ${answer.text}`)
      assert.ok(['token_wrong_product', 'unauthorized_access'].includes(answer.json.error.code), path)
      const other = await world.send(bearer({ method: 'GET', path: missing[index] ?? '' }))
      assert.deepEqual(faceOf(other), faceOf(answer), path)
    }
  })

  test('the scheme is not case-folded, and nothing after the token is ignored', async () => {
    const { token, id } = world.seller.product
    const path = `/v1/products/${id}/users.json`
    const status = async (authorization: string) =>
      (await world.send({ method: 'GET', path, headers: { authorization } })).status
    assert.equal(await status(`Bearer ${token}`), 200)
    for (const text of [
      `Bearer  ${token}`,
      `Bearer ${token},x`,
      `Bearer ${token} x`,
      `Basic ${token}`,
      token,
    ]) {
      assert.equal(await status(text), 401, text.replace(token, '…'))
    }
    for (const text of [token.slice(0, -1), `${token}A`, token.toUpperCase(), '', 'null', '*', '%']) {
      assert.equal(await status(`Bearer ${text}`), 401)
    }
  })

  test('a token in a write with a body of form or JSON is not taken from the body or the query', async () => {
    const { token, id } = world.seller.product
    const path = `/v1/products/${id}/users.json`
    const authorization = `Bearer ${token}`
    const inBody = await world.send({
      method: 'POST',
      path,
      ...jsonBody({ authorization, email: 'x@example.com' }),
    })
    assert.equal(inBody.status, 401)
    const query = `?authorization=${encodeURIComponent(authorization)}`
    const inQuery = await world.send({
      method: 'POST',
      path: path + query,
      ...jsonBody({ email: 'x@example.com' }),
    })
    assert.equal(inQuery.status, 401)
  })
})
