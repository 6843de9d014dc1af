// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mount } from '../../src/http/mounts.ts'
import { promptly } from './answers.ts'
import { inParallel, jsonBody, type Answer, type Call } from './client.ts'
import {
  allowed,
  allowedRequest,
  fixtureOf,
  idsFor,
  mainMounts,
  placesOf,
  requestTo,
  withQuery,
  withValue,
  type Place,
  sentTo,
  LENIENT,
} from './requests.ts'
import { stateOf } from './tables.ts'
import { bodyOf } from './examples.ts'
import { badTextValues, badValues, keywordsOf, propertiesOf, type BadValue } from './values.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('input')
})
after(() => world.close())

const send = (mount: Mount, call: Call): Promise<Answer> => world.send(allowed(world, mount, call))
const fieldsOf = ({ json }: Answer): string[] =>
  ((json.error.details ?? []) as { field: string }[]).map(({ field }) => field)
/** The arguments in which something is wrong; of one that is a list an item may be named too. */
const argumentsOf = (answer: Answer): string[] => [
  ...new Set(fieldsOf(answer).map((field) => field.split('.')[0] ?? '')),
]

/** Everything of an operation that has a wrong value, with one of them each. */
const wrongs = (place: Place) =>
  place.where === 'body' ? badValues(place.schema) : badTextValues(place.schema)
/** Of each kind of wrong value one, another one from place to place. */
const inTurn = (bads: readonly BadValue[], turn: number): BadValue[] =>
  [...Map.groupBy(bads, ({ why }) => why).values()].flatMap((same) => same[turn % same.length] ?? [])

/** A path without a segment is another path. */
const isSendable =
  ({ where }: Place) =>
  (value: unknown) =>
    where !== 'path' || String(value) !== ''

/** A head has room for many of these. */
const shortWrong = (place: Place): unknown =>
  wrongs(place)
    .map(({ value }) => value)
    .find((value) => isSendable(place)(value) && JSON.stringify(value).length < 1_000)

describe('bad input', () => {
  test('each wrong value of each argument is 400 and named, alone; nothing is stored', async () => {
    let turn = 0
    const mounts = await inParallel(mainMounts(), async (mount) => ({
      mount,
      ids: await idsFor(world, mount),
    }))
    const before = await stateOf(world.ctx.database)
    const trials = mounts.flatMap(({ mount, ids }) =>
      placesOf(mount).flatMap((place) => {
        const bads = wrongs(place).filter(({ value }) => isSendable(place)(value))
        return inTurn(bads, turn++).map((bad) => ({ mount, ids, place, bad }))
      }),
    )
    assert.ok(trials.length > 200)
    const answers = await inParallel(trials, ({ mount, ids, place, bad }) =>
      world.send(allowed(world, mount, withValue(mount, ids, place, bad.value), ids)),
    )
    for (const [index, { mount, place, bad }] of trials.entries()) {
      const answer = answers[index] ?? assert.fail()
      const name = `${mount.op.id} ${place.where} ${place.name}: ${bad.why} ${JSON.stringify(bad.value).slice(0, 50)}`
      assert.equal(answer.status, 400, `${name} ${answer.text}`)
      assert.equal(answer.json.error.code, 'invalid_argument', name)
      assert.deepEqual(argumentsOf(answer), [place.name], name)
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('all wrong arguments of path, query and body are named at once; nothing is stored', async () => {
    const before = await stateOf(world.ctx.database)
    for (const mount of mainMounts()) {
      const bad = placesOf(mount)
        .map((place) => ({ ...place, value: shortWrong(place) }))
        .filter(({ value }) => value !== undefined)
      if (bad.length === 0) continue
      const given = (where: Place['where']) =>
        Object.fromEntries(bad.filter((one) => one.where === where).map(({ name, value }) => [name, value]))
      const inPath = Object.entries(given('path')).map(([name, value]) => [
        fixtureOf(mount.path, name),
        value,
      ])
      const call = requestTo(mount, {
        ...world.ids.own,
        ...(Object.fromEntries(inPath) as Record<string, string>),
      })
      const query = new URLSearchParams(given('query') as Record<string, string>)
      const body = mount.op.body ? sentTo(mount.op, given('body')) : {}
      const answer = await send(mount, { ...call, path: withQuery(call.path, String(query)), ...body })
      assert.equal(answer.status, 400, `${mount.op.id} ${answer.text}`)
      const names = [...new Set(bad.map(({ name }) => name))]
      assert.deepEqual(argumentsOf(answer).toSorted(), names.toSorted(), mount.op.id)
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('what is only missing is 402, all of it named; with something malformed both are named in one 400', async () => {
    const mounts = mainMounts().filter(({ op }) => requiredOf(op.body).length > 0)
    assert.ok(mounts.length > 0)
    const before = await stateOf(world.ctx.database)
    for (const mount of mounts) {
      const call = requestTo(mount, world.ids.own)
      const required = requiredOf(mount.op.body)
      const missing = await send(mount, { ...call, ...jsonBody({}) })
      assert.equal(missing.status, 402, missing.text)
      assert.equal(missing.json.error.code, 'missing_argument')
      for (const name of required) assert.ok(fieldsOf(missing).includes(name), name)
      const optional = propertiesOf(mount.op.body).find(([name]) => !required.includes(name))
      if (!optional) continue
      const wrong = badValues(optional[1])[0]?.value
      const mixed = await send(mount, { ...call, ...jsonBody({ [optional[0]]: wrong }) })
      assert.equal(mixed.status, 400, mixed.text)
      for (const name of [...required, optional[0]]) assert.ok(fieldsOf(mixed).includes(name), name)
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('every error has type, message, code, http, timestamp and request id', async () => {
    const [mount] = mainMounts().filter(({ op }) => op.body)
    assert.ok(mount)
    const { json, headers } = await send(mount, { ...requestTo(mount, world.ids.own), ...jsonBody({}) })
    assert.deepEqual(Object.keys(json).toSorted(), ['error', 'path', 'request'])
    const { type, message, code, http, timestamp, request_id: id } = json.error
    for (const value of [type, message, code, timestamp]) assert.ok(typeof value === 'string' && value !== '')
    assert.equal(http, 402)
    assert.equal(headers['x-request-id'], id)
  })
})

const requiredOf = (body: Parameters<typeof propertiesOf>[0]): string[] =>
  propertiesOf(body)
    .filter(([name, schema]) => body?.required?.includes(name) && keywordsOf(schema).default === undefined)
    .map(([name]) => name)

describe('S20: page sizes', () => {
  const lists = (argument = 'count') =>
    mainMounts().filter(({ op }) => propertiesOf(op.query).some(([name]) => name === argument))
  const page = async (mount: Mount, query: string) => {
    const call = requestTo(mount, world.ids.own)
    return send(mount, { ...call, path: withQuery(call.path, query) })
  }

  test('from 1 row to the largest page; anything else is 400', async () => {
    assert.ok(lists().length > 0)
    for (const mount of lists()) {
      const items = async (query: string) =>
        ((await page(mount, query)).json[mount.op.items ?? ''] as []).length
      const most = 50
      assert.equal(await items('count=1'), 1, mount.op.id)
      assert.ok((await items(`count=${most}`)) <= most)
      for (const count of [
        '0',
        '51',
        '-1',
        '1e9',
        '1000000000',
        '9223372036854775807',
        '',
        'all',
        '1.5',
        '%00',
        'Infinity',
      ]) {
        assert.equal((await page(mount, `count=${count}`)).status, 400, `${mount.op.id} count=${count}`)
      }
    }
  })

  test('an offset beyond every row is an empty page at once; below 0 or beyond 2^53-1 is 400', async () => {
    for (const mount of lists('offset')) {
      for (const offset of ['1000000', '9007199254740991']) {
        const answer = await promptly(mount.op.id, 1_000, () => page(mount, `offset=${offset}`))
        assert.deepEqual(answer.json[mount.op.items ?? ''], [], `${mount.op.id} ${offset}`)
      }
      for (const offset of ['-1', '9007199254740992', '9223372036854775808', '1e3', 'x', '']) {
        assert.equal((await page(mount, `offset=${offset}`)).status, 400, `${mount.op.id} offset=${offset}`)
      }
    }
  })
})

describe('S23: an argument that is given twice', () => {
  test('is 400 in a query and in a form, naming it; brackets make another name, which is ignored', async () => {
    const before = await stateOf(world.ctx.database)
    for (const mount of mainMounts()) {
      for (const { where, name } of placesOf(mount)) {
        const call = requestTo(mount, world.ids.own)
        const twice = `${name}=1&${name}=1`
        if (where === 'path') continue
        const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: twice }
        const answer = await send(
          mount,
          where === 'query' ? { ...call, path: withQuery(call.path, twice) } : { ...call, ...form },
        )
        assert.equal(answer.status, 400, `${mount.op.id} ${name} ${answer.text}`)
        assert.ok(fieldsOf(answer).includes(name), `${mount.op.id} ${name}`)
      }
    }
    assert.equal(await stateOf(world.ctx.database), before)
    const users = `/v1/products/${world.seller.product.id}/users.json`
    const headers = { authorization: `Bearer ${world.seller.product.token}` }
    for (const query of ['count[]=1', 'count[0]=1', 'count%5B%5D=1', 'count.x=1', 'COUNT=1']) {
      const { status, json } = await world.send({ method: 'GET', path: `${users}?${query}`, headers })
      assert.equal(status, 200, query)
      assert.ok(json.users.length > 1, query)
    }
  })

  test('what belongs into the body is not read from the query, and the other way round', async () => {
    const bodies = mainMounts().filter(({ op }) => requiredOf(op.body).length > 0 && !op.takesQuery)
    for (const mount of bodies) {
      const call = requestTo(mount, world.ids.own)
      const example = bodyOf(mount.op, world.ids.own) as Record<string, string>
      const { headers, body } = jsonBody({})
      const path = withQuery(call.path, String(new URLSearchParams(example)))
      const inQuery = { ...call, path, headers: { ...headers, ...LENIENT }, body }
      assert.equal((await send(mount, inQuery)).status, 402, mount.op.id)
    }
    for (const mount of mainMounts().filter(({ op }) => op.method === 'GET' && op.query)) {
      const call = await allowedRequest(world, mount, (one) => ({
        ...one,
        ...jsonBody({ count: 0, offset: -1, fields: 5 }),
        headers: { 'content-type': 'application/json', ...LENIENT },
      }))
      assert.equal((await world.send(call)).status, 200, mount.op.id)
    }
  })
})
