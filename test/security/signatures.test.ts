// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND, toRfc2822, toUtcTime } from '../../src/lib/time.ts'
import type { Answer, Call } from './client.ts'
import { md5, signature, signed, signedInQuery, type Signer, type Signing } from './signing.ts'
import { stateOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
let product: Signer
before(async () => {
  world = await startWorld('signatures')
  product = world.seller.product
})
after(() => world.close())

const now = () => world.ctx.clock.real()
const list = (): Call => ({ method: 'GET', path: `/v1/products/${product.id}/users.json` })
const update = (body = '{"is_beta":false}'): Call => ({
  method: 'PUT',
  path: `/v1/products/${product.id}/users/${world.people.ada.id}.json`,
  body,
})
const sendSigned = (call: Call, signing: Partial<Signing> = {}): Promise<Answer> =>
  world.send(signed(product, call, { date: toRfc2822(now()), signedType: 'application/json', ...signing }))

describe("each client's way of signing is accepted (docs/interface.md 2.3)", () => {
  test('the vectors of the specification, which the other tests sign with', () => {
    const secret = 'sk_TESTSECRETKEY0000000000000001'
    const date = 'Thu, 11 May 2023 11:45:30 +0000'
    assert.equal(
      signature(secret, ['GET', '', 'application/json', date, '/v1/products/1/users.json']),
      'MGUxZjI3ODI3OWIzMjZlY2I4NjM2Y2MzYTFkZDRiZmU1NDg3ZTNhNmM3NGM3MDdmZjQ5NzlmM2E5MTVjMmJhYw',
    )
    const put = ['PUT', md5('{"note":"x"}'), 'application/json', date, '/v1/products/1/coupons/2/note.json']
    assert.equal(
      signature(secret, put),
      'OTAyNThhMWUwZjEzNzY2OTEyZDBmMWJjOTE2OTQyMGZlNWY3YjE4MmJkYWRhYWE1OWM3N2IzY2UxNzZhNDI3OA',
    )
  })

  const ways: readonly (readonly [client: string, call: () => Call, signing: Partial<Signing>])[] = [
    ['PHP and Node SDK, GET: application/json signed and sent', list, {}],
    ['PHP and Node SDK, GET: application/json signed, not sent', list, { sentType: null }],
    ['PHP and Node SDK, PUT with its MD5', () => update(), {}],
    ['WP SDK, GET: no content type', list, { signedType: null }],
    [
      'WP SDK, GET: another content type sent than the empty one signed',
      list,
      { signedType: null, sentType: 'text/html' },
    ],
    ['WP SDK, PUT', () => update(), {}],
    ['FSLite, PUT', () => update(), {}],
    [
      'a content type with a charset, signed as sent',
      () => update(),
      { signedType: 'application/json; charset=utf-8' },
    ],
  ]
  for (const [client, call, signing] of ways) {
    test(client, async () => {
      const answer = await sendSigned(call(), signing)
      assert.equal(answer.status, 200, answer.text)
    })
  }

  test('JS SDK: a signed address with YYYY-MM-DD HH:MM:SS, space as + or %20', async () => {
    const call = signedInQuery(product, { ...list(), path: `${list().path}?count=1` }, toUtcTime(now()))
    const answer = await world.send(call)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.users.length, 1)
    const spelled = { ...call, path: call.path.replaceAll('+', '%20') }
    assert.equal((await world.send(spelled)).status, 200)
  })

  test('dates in any zone and the older spellings', async () => {
    const at = new Date(now())
    const shifted = (hours: number, zone: string) =>
      `${toRfc2822(now() + hours * 60 * MINUTE).slice(0, -6)} ${zone}`
    for (const date of [
      at.toUTCString(),
      at.toUTCString().replace('GMT', 'UTC'),
      shifted(2, '+0200'),
      shifted(-5, '-0500'),
      shifted(5.5, '+0530'),
      toRfc2822(now()).slice(5),
      toUtcTime(now()),
    ]) {
      assert.equal((await sendSigned(list(), { date })).status, 200, date)
    }
    for (const date of [
      '',
      'now',
      String(now()),
      at.toISOString(),
      shifted(2, '+0000'),
      'Sun, 31 Feb 2026 11:00:00 +0000',
    ]) {
      assert.equal((await sendSigned(list(), { date })).status, 401, date)
    }
  })

  test('/plugins/ is signed as it is sent, and neither spelling opens the other', async () => {
    const path = `/v1/plugins/${product.id}/users.json`
    assert.equal((await sendSigned({ method: 'GET', path })).status, 200)
    const asPlugin = signed(product, { method: 'GET', path }, { date: toRfc2822(now()), signedType: null })
    assert.equal((await world.send({ ...asPlugin, path: list().path })).status, 401)
    const asProduct = signed(product, list(), { date: toRfc2822(now()), signedType: null })
    assert.equal((await world.send({ ...asProduct, path })).status, 401)
  })

  test('unknown query parameters, which no client signs, are ignored', async () => {
    const path = `${list().path}?sdk_version=2.13.4&url=https%3A%2F%2Fexample.com&beautify=1&format=json`
    assert.equal((await sendSigned({ method: 'GET', path })).status, 200)
  })
})

describe('the date of a signature', () => {
  test('15 minutes off is accepted, a second more is request_expired with the time of the server', async () => {
    for (const sign of [-1, 1]) {
      const edge = now() + sign * 15 * MINUTE
      assert.equal((await sendSigned(list(), { date: toRfc2822(edge) })).status, 200)
      const late = await sendSigned(list(), { date: toRfc2822(edge + sign * SECOND) })
      assert.equal(late.status, 401)
      assert.equal(late.json.error.code, 'request_expired')
      assert.equal(late.json.error.timestamp, toRfc2822(now()))
      const again = await sendSigned(list(), { date: late.json.error.timestamp })
      assert.equal(again.status, 200)
    }
  })

  test('one that is missing, or is none, is told apart from one that is too old', async () => {
    for (const [date, code, why] of [
      ['', 'request_date_missing', /needs its date/],
      ['now', 'request_date_invalid', /cannot be read/],
      [toRfc2822(now() - DAY), 'request_expired', /15 minutes off/],
    ] as const) {
      const { json } = await sendSigned(list(), { date })
      assert.equal(json.error.code, code)
      assert.match(json.error.message, why)
    }
  })

  test('the same holds for a signature in the query', async () => {
    const at = (ms: number) => world.send(signedInQuery(product, list(), toUtcTime(ms)))
    assert.equal((await at(now() - 15 * MINUTE)).status, 200)
    assert.equal((await at(now() - 15 * MINUTE - SECOND)).json.error.code, 'request_expired')
  })
})

describe('a signature covers what it must', () => {
  const sign = (call: Call) =>
    signed(product, call, { date: toRfc2822(now()), signedType: 'application/json' })

  async function isRefused(call: Call, why: string) {
    const before = await stateOf(world.ctx.database)
    const answer = await world.send(call)
    assert.equal(answer.status, 401, `${why}: ${answer.text}`)
    assert.equal(await stateOf(world.ctx.database), before, why)
  }

  test('another method, path, date, body or secret than the signed one is 401 and writes nothing', async () => {
    const good = sign(update())
    assert.equal((await world.send(good)).status, 200)
    const read = sign({ method: 'GET', path: good.path })
    assert.equal((await world.send(read)).status, 200)
    await isRefused({ ...read, method: 'PUT' }, 'method')
    await isRefused({ ...good, path: good.path.replace('.json', '/billing.json') }, 'path')
    const date = toRfc2822(now() - MINUTE)
    await isRefused({ ...good, headers: { ...good.headers, date } }, 'date')
    await isRefused({ ...good, body: '{"is_beta":true }' }, 'body')
    const digest = md5('{"is_beta":true }')
    await isRefused(
      { ...good, body: '{"is_beta":true }', headers: { ...good.headers, 'content-md5': digest } },
      'MD5',
    )
    const wrong = { ...product, secretKey: world.seller.other.secretKey }
    await isRefused(
      signed(wrong, update(), { date: toRfc2822(now()), signedType: 'application/json' }),
      'secret',
    )
  })

  test('a body without Content-MD5 is 401, also as a form and chunked', async () => {
    const signing = { date: toRfc2822(now()), signedType: 'application/json', md5: '' }
    await isRefused(signed(product, update('{"is_beta":true}'), signing), 'no MD5')
    const form = { ...signing, signedType: 'application/x-www-form-urlencoded' }
    await isRefused(signed(product, update('is_beta=true'), form), 'form')
    const chunked = signed(
      product,
      { ...update('{"is_beta":true}'), headers: { 'transfer-encoding': 'chunked' } },
      signing,
    )
    await isRefused(chunked, 'chunked')
  })

  test('a form that its MD5 covers is read', async () => {
    const answer = await sendSigned(update('first=Formed'), {
      signedType: 'application/x-www-form-urlencoded',
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.first, 'Formed')
  })

  test('a signature in the query does not open a request with a header of its own', async () => {
    const inQuery = signedInQuery(product, list(), toUtcTime(now()))
    await isRefused({ ...inQuery, headers: { authorization: 'FS 1:pk:x' } }, 'the header wins')
    const twice = { ...inQuery, path: `${inQuery.path}&auth_date=x` }
    await isRefused(twice, 'a date given twice')
  })

  test('the public key alone, as secret or as scheme, opens nothing that is not public', async () => {
    const date = toRfc2822(now())
    await isRefused(
      signed({ ...product, secretKey: product.publicKey }, list(), { date, signedType: null }),
      'FS',
    )
    await isRefused(signed(product, list(), { date, signedType: null, scheme: 'FSP' }), 'FSP')
    const relabelled = signed(product, list(), { date, signedType: null, scheme: 'FSP' })
    const authorization = String(relabelled.headers?.['authorization']).replace('FSP', 'FS')
    await isRefused({ ...relabelled, headers: { ...relabelled.headers, authorization } }, 'FSP as FS')
  })
})

test('ping answers whoever signs, with a clock that is an hour off too; a bearer token is refused', async () => {
  const { developer, store } = world.seller
  const call = { method: 'GET', path: '/v1/ping.json' }
  for (const [signer, scheme] of [
    [product, 'FS'],
    [product, 'FSP'],
    [developer, 'FS'],
    [store, 'FS'],
    [world.people.ada.keys, 'FS'],
    [{ ...product, id: 987654321, secretKey: 'sk_wrong' }, 'FS'],
  ] as const) {
    for (const date of [now() - HOUR, now(), now() + HOUR].map(toRfc2822)) {
      const { status, json } = await world.send(
        signed(signer, call, { scheme, date, signedType: 'application/json' }),
      )
      assert.deepEqual([status, json.api, json.timestamp], [200, 'pong', toRfc2822(now())])
      if (scheme === 'FS') assert.equal((await world.send(signedInQuery(signer, call, date))).status, 200)
    }
  }
  for (const authorization of [`Bearer ${world.seller.product.token}`, 'Bearer none', 'FSX 1:2', 'none']) {
    assert.equal((await world.send({ ...call, headers: { authorization } })).status, 401, authorization)
  }
})

test('S19: an id beyond every sequence in a signature is 401, never an error', async () => {
  const { developer } = world.seller
  const date = toRfc2822(now())
  for (const id of [
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '9999999999999999999',
  ]) {
    for (const path of [
      `/v1/users/${id}.json`,
      `/v1/installs/${id}.json`,
      `/v1/products/${id}/users.json`,
      `/v1/developers/${id}/token.json`,
      `/v1/stores/${id}/products/${product.id}/users.json`,
    ]) {
      const call = signed({ ...product, id }, { method: 'GET', path }, { date, signedType: null })
      const answer = await world.send(call)
      assert.equal(answer.status, 401, `${path} ${answer.text}`)
      const fsa = { method: 'GET', path, headers: { authorization: `FSA ${id}:${world.access.live}` } }
      assert.equal((await world.send(fsa)).status, 401, path)
    }
    const path = `/v1/developers/${developer.id}/products/${id}/users.json`
    const answer = await world.send(signed(developer, { method: 'GET', path }, { date, signedType: null }))
    assert.equal(answer.status, 401, `${path} ${answer.text}`)
  }
})
