import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { faceOf } from './answers.ts'
import { inParallel, jsonBody, type Answer, type Call } from './client.ts'
import { allowed, MOUNTS, parametersOf, pathOf, requestTo } from './requests.ts'
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
  const everywhere = (ids: Ids): Call[] =>
    MOUNTS.flatMap((mount) => {
      const request = requestTo(mount, ids)
      const rest = METHODS.filter((method) => method !== mount.method)
      return [request, ...rest.map((method) => ({ method, path: request.path }))].map(bearer)
    })

  let stateBefore: string
  let existing: Answer[]
  before(async () => {
    stateBefore = await stateOf(world.ctx.database)
    existing = await inParallel(everywhere(world.ids.other), world.send)
  })

  test('every method is 401, the same for a product that exists and one that does not, and writes nothing', async () => {
    const strangers = await inParallel(everywhere(world.ids.stranger), world.send)
    const missing = await inParallel(everywhere(nobodys()), world.send)
    const calls = everywhere(world.ids.other)
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
    for (const [index, { path, method }] of everywhere(world.ids.other).entries()) {
      if (method === 'HEAD') continue
      const request = existing[index]?.json.request as Record<string, unknown>
      for (const value of Object.values(request)) assert.ok(path.includes(String(value)), path)
      assert.equal(existing[index]?.json.path, path.replace('/v1', '').split('?')[0])
    }
  })
})

/** Whether `items` of the reply is a list of entities, not one thing under a key nor a count of some. */
const isList = ({ items, response }: (typeof MOUNTS)[number]['op']) => {
  interface List {
    readonly type?: string
    readonly items?: { readonly properties?: object }
  }
  const { properties = {} } = (response ?? {}) as { properties?: Record<string, List> }
  const list = items === undefined ? undefined : properties[items]
  return list?.type === 'array' && 'id' in (list.items?.properties ?? {})
}

describe('S02: ids of somebody else inside an address that is allowed', () => {
  /** Each mount with one of its inner ids taken from elsewhere. */
  const nested = (from: Ids) =>
    MOUNTS.filter(({ served, kind }) => served && (kind === 'product' || kind === 'developer')).flatMap(
      (mount) => {
        // The purpose of a special coupon stands in the place of an id.
        const inner = parametersOf(mount.op.path).filter((name) => name !== 'special_id')
        return inner.map((name) => ({ mount, ids: { ...world.ids.own, [name]: from[name] ?? '' } }))
      },
    )
  const answersFor = (from: Ids) =>
    inParallel(nested(from), ({ mount, ids }) => world.send(allowed(world, mount, requestTo(mount, ids))))

  test('an entity of another product or seller is 404 with the body of one that does not exist', async () => {
    const before = await stateOf(world.ctx.database)
    const missing = await answersFor(nobodys())
    assert.ok(missing.length > 0)
    for (const from of [world.ids.other, world.ids.stranger]) {
      for (const [index, answer] of (await answersFor(from)).entries()) {
        const { mount } = nested(from)[index] ?? assert.fail()
        assert.equal(answer.status, 404, `${mount.method} ${mount.path} ${answer.text}`)
        assert.deepEqual(faceOf(answer), faceOf(missing[index] ?? assert.fail()), mount.path)
      }
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('every list holds rows of its own product only', async () => {
    const lists = MOUNTS.filter(({ op, kind, served }) => served && kind === 'product' && isList(op))
    for (const mount of lists) {
      const own = await world.send(allowed(world, mount, requestTo(mount, world.ids.own)))
      const items = own.json[mount.op.items ?? ''] as { id: string; entity_type?: string }[]
      const { product_id, ...rest } = world.ids.other
      const path = pathOf(mount.path, { ...rest, ...(product_id !== undefined && { product_id }) })
      const headers = { authorization: `Bearer ${world.seller.other.token}` }
      const others = (await world.send({ method: 'GET', path, headers })).json[mount.op.items ?? '']
      assert.ok(items.length > 0 && others.length > 0, mount.path)
      // A coupon of the store is read in all its products.
      const keysOf = (rows: { entity_type?: string }[]) =>
        rows.filter((row) => 'id' in row && row.entity_type !== 'store').map((row) => JSON.stringify(row))
      for (const key of keysOf(others)) assert.ok(!keysOf(items).includes(key), mount.path)
    }
  })

  test('a search finds nobody of another product by id, address or name', async () => {
    const { cleo, dan, ada } = world.people
    const find = async (query: string) => {
      const path = `/v1/products/${world.seller.product.id}/users.json?${query}`
      return (await world.send(bearer({ method: 'GET', path }))).json.users as { id: string }[]
    }
    assert.deepEqual((await find(`search=${ada.id}`)).length, 1)
    for (const { id, email } of [cleo, dan]) {
      assert.deepEqual(await find(`search=${id}`), [])
      assert.deepEqual(await find(`search=${email}`), [])
      assert.deepEqual(await find(`email=${email}`), [])
    }
  })
})

describe("S02: a user's keys", () => {
  const user = (): Ids => ({ ...world.ids.own })
  const userMounts = () => MOUNTS.filter(({ served, kind }) => served && kind === 'user')

  test('open every address of its own and of no other user, product or seller', async () => {
    const { ada, bea, dan } = world.people
    assert.ok(userMounts().length > 0)
    for (const mount of userMounts()) {
      const own = await world.send(world.sign(ada.keys, requestTo(mount, user())))
      assert.equal(own.status, 200, `${mount.path} ${own.text}`)
      const before = await stateOf(world.ctx.database)
      for (const ids of [{ user_id: String(bea.id) }, { user_id: String(dan.id) }, { user_id: NOBODY }]) {
        const answer = await world.send(world.sign(ada.keys, requestTo(mount, { ...user(), ...ids })))
        assert.equal(answer.status, 401, `${mount.path} ${JSON.stringify(ids)}`)
      }
      for (const name of parametersOf(mount.path).filter((one) => one === 'product_id')) {
        for (const id of [world.seller.other.id, world.stranger.product.id, NOBODY]) {
          const call = requestTo(mount, { ...user(), [name]: String(id) })
          assert.equal((await world.send(world.sign(ada.keys, call))).status, 401, mount.path)
        }
      }
      assert.equal(await stateOf(world.ctx.database), before)
    }
  })

  test('a pair of keys opens the product it was made for, not the other product of the same person', async () => {
    const { ada, adaInOther } = world.people
    assert.equal(ada.id, adaInOther.id)
    const path = (product: number) => `/v1/users/${ada.id}/products/${product}/billing.json`
    const status = async (keys: typeof ada.keys, product: number) =>
      (await world.send(world.sign(keys, { method: 'GET', path: path(product) }))).status
    assert.equal(await status(ada.keys, world.seller.product.id), 200)
    assert.equal(await status(adaInOther.keys, world.seller.other.id), 200)
    assert.equal(await status(ada.keys, world.seller.other.id), 401)
    assert.equal(await status(adaInOther.keys, world.seller.product.id), 401)
    const mixed = { ...ada.keys, publicKey: adaInOther.keys.publicKey }
    assert.equal(await status(mixed, world.seller.other.id), 401)
    const own = await world.send(
      world.sign(adaInOther.keys, { method: 'GET', path: `/v1/users/${ada.id}.json` }),
    )
    assert.equal(own.json.secret_key, adaInOther.keys.secretKey)
  })
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
      assert.equal(answer.json.error.code, 'unauthorized_access', path)
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
