// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BODY_LIMIT, SEARCHED_BODY_LIMIT } from '../../src/http/body-arguments.ts'
import { promptly } from './answers.ts'
import { inParallel, type Answer, type Call } from './client.ts'
import { rawExchange, sendWithoutEnd } from './raw.ts'
import type { Mount } from '../../src/http/mounts.ts'
import {
  allowed,
  allowedRequest,
  isElsewhere,
  isTried,
  isWrite,
  mainMounts,
  MOUNTS,
  pathOf,
  LENIENT,
} from './requests.ts'
import { dumpOf, stateOf, textOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('bodies')
})
after(() => world.close())
const writes = () => mainMounts().filter(({ op }) => isWrite(op) && op.body)
/** Those of which an example is done. */
const openWrites = () => writes().filter(({ op }) => isTried(op))
const JSON_HEADERS = { 'content-type': 'application/json' }

/** All of them for a small body, a few for a large one: what reads a body is the same for all. */
const some = (mounts: Mount[], size: number) => (size < 10_000 ? mounts : mounts.slice(0, 4))

/** Sends one body to every write and hands each answer on; nothing may be stored. */
async function refusedEverywhere(
  body: string | Buffer,
  check: (answer: Answer, what: string) => void,
  { headers = JSON_HEADERS, isList = false }: { headers?: Record<string, string>; isList?: boolean } = {},
) {
  const before = await stateOf(world.ctx.database)
  assert.ok(writes().length > 0)
  for (const mount of some(writes(), body.length)) {
    if (isList && mount.op.list !== undefined) continue
    const call = { method: mount.method, path: pathOf(mount.path, world.ids.own), headers, body }
    const answer = await promptly(mount.op.id, 4_000, () => world.send(allowed(world, mount, call)))
    check(answer, `${mount.op.id} ${answer.text.slice(0, 300)}`)
  }
  assert.equal(await stateOf(world.ctx.database), before)
}

const is = (status: number, code: string) => (answer: Answer, what: string) => {
  assert.equal(answer.status, status, what)
  assert.equal(answer.json.error.code, code, what)
}

describe('S21: bodies beyond a limit', () => {
  const padded = (length: number) => `{"nobody_reads_this":"${'x'.repeat(length - 24)}"}`

  test('1 MiB is read, a byte more is 413, with a length and chunked without one', async () => {
    assert.equal(padded(BODY_LIMIT).length, BODY_LIMIT)
    for (const mount of some(openWrites(), BODY_LIMIT)) {
      const call = await allowedRequest(world, mount, ({ body, ...rest }) => {
        const example = String(body).slice(0, -1)
        const filled = `${example},"nobody_reads_this":"${'x'.repeat(BODY_LIMIT - example.length - 24)}"}`
        assert.equal(Buffer.byteLength(filled), BODY_LIMIT)
        return { ...rest, headers: { ...rest.headers, ...LENIENT }, body: filled }
      })
      assert.equal((await world.send(call)).status, mount.op.status, mount.op.id)
    }
    await refusedEverywhere(padded(BODY_LIMIT + 1), is(413, 'payload_too_large'))
    const chunked = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }
    await refusedEverywhere(padded(BODY_LIMIT + 1), is(413, 'payload_too_large'), { headers: chunked })
  })

  test('a body that is searched for card numbers is 413 from 64 KiB and a byte on', async () => {
    const searched = writes().filter(({ op }) => op.refusesCards)
    assert.ok(searched.length >= 3)
    for (const mount of searched) {
      const statuses = [SEARCHED_BODY_LIMIT, SEARCHED_BODY_LIMIT + 1].map(async (length) => {
        const call = { method: mount.method, path: pathOf(mount.path, world.ids.own), headers: JSON_HEADERS }
        return (await world.send(allowed(world, mount, { ...call, body: padded(length) }))).status
      })
      const [within, beyond] = await Promise.all(statuses)
      assert.ok(within !== 413, mount.op.id)
      assert.equal(beyond, 413, mount.op.id)
    }
  })

  const users = () => `/v1/products/${world.seller.product.id}/users.json`
  const sent = () =>
    sendWithoutEnd(world.address, {
      head: `POST ${users()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.seller.product.token}\r\n`,
      most: 64 * BODY_LIMIT,
    })

  test('a body without end is cut off at the limit, not read into memory', async () => {
    const { text, taken } = await sent()
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.match(text, /connection: close/i)
    assert.ok(taken < 16 * BODY_LIMIT, `${taken} bytes were taken`)
  })

  test('who goes on sending after the limit still reads why it was refused', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, sent))
    for (const { text } of answers) assert.match(text, /^HTTP\/1\.1 413 /)
  })

  test('the length that is announced is not waited for', async () => {
    const head =
      `POST ${users()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.seller.product.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 100000000000\r\n\r\n`
    const { statuses } = await rawExchange(world.address, [head])
    assert.deepEqual(statuses, [413])
  })

  test('a caller who may not is refused without its body being read', async () => {
    const head = `POST ${users()} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
    const { statuses } = await rawExchange(world.address, [head], { patience: 300 })
    assert.deepEqual(statuses, [401])
  })
})

describe('S21: JSON that readers could understand differently is 400 and stores nothing', () => {
  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  const keys = Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',')
  const email = '"email":"strange@example.com","name":"x"'

  const malformed: Readonly<Record<string, string | Buffer>> = {
    'an array 100,000 deep': `{"a":${nested('[', ']', 100_000)}}`,
    'objects 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'an array never closed': `{"a":${'['.repeat(100_000)}`,
    'a key twice': `{${email},"first":"a","first":"b"}`,
    'a key twice, once escaped': `{${email},"first":"a","\\u0066irst":"b"}`,
    'a byte order mark': `\ufeff{${email}}`,
    'UTF-16': Buffer.from(`{${email}}`, 'utf16le'),
    'bytes that are no UTF-8': Buffer.concat([
      Buffer.from(`{${email},"first":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]),
    'an overlong NUL': Buffer.concat([
      Buffer.from(`{${email},"first":"`),
      Buffer.from([0xc0, 0x80]),
      Buffer.from('"}'),
    ]),
    'a surrogate as bytes': Buffer.concat([
      Buffer.from(`{${email},"first":"`),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
    'half a surrogate pair': `{${email},"first":"\\ud800"}`,
    'a surrogate pair the wrong way': `{${email},"first":"\\udc00\\ud800"}`,
    'an escaped NUL': `{${email},"first":"a\\u0000b"}`,
    'a raw NUL': `{${email},"first":"a\u0000b"}`,
    'a number beyond 2^53-1': `{${email},"first":9007199254740993}`,
    'a huge number': `{${email},"a":1e400}`,
    'a negative huge number': `{${email},"a":-9007199254740993}`,
    'a number of 10,000 digits': `{${email},"a":${'9'.repeat(10_000)}}`,
    'an array': `[{${email}}]`,
    'a text': '"email"',
    null: 'null',
    'a number': '5',
    'nothing but space': '   ',
    'a comment': `{${email}/* x */}`,
    'a trailing comma': `{${email},}`,
    'single quotes': `{'email':'a@example.com'}`,
    NaN: `{${email},"a":NaN}`,
    'a second value': `{${email}}{}`,
    'an unfinished text': `{${email},"a":"`,
  }
  for (const [what, body] of Object.entries(malformed)) {
    test(what, () => refusedEverywhere(body, is(400, 'invalid_json'), { isList: what === 'an array' }))
  }

  test('80,000 keys in JSON and 150,000 in a form take no longer than others', async () => {
    const form = Array.from({ length: 150_000 }, (_, index) => `k${index.toString(36)}`).join('&')
    for (const mount of some(openWrites(), BODY_LIMIT)) {
      const path = pathOf(mount.path, world.ids.own)
      const tries: [string, string][] = [
        [`{${keys}}`, 'application/json'],
        [form.slice(0, BODY_LIMIT), 'application/x-www-form-urlencoded'],
      ]
      for (const [body, type] of tries) {
        const call = { method: mount.method, path, headers: { ...LENIENT, 'content-type': type }, body }
        const answer = await promptly(mount.op.id, 4_000, () => world.send(allowed(world, mount, call)))
        assert.ok(answer.status < 300 || answer.status === 402, answer.text.slice(0, 300))
        assert.ok(answer.text.length < 10_000, 'the echo is bounded')
      }
    }
    assert.ok(!textOf(await dumpOf(world.ctx.database)).includes('k7999'))
  })
})

describe('S24: content types and methods', () => {
  test('a body of another type than JSON or a form is 415, without a type too', async () => {
    const example = '{"email":"typed@example.com","name":"x"}'
    for (const type of [
      'text/plain',
      'text/json',
      'application/xml',
      'application/jsonp',
      'application/vnd.api+json',
      'application/octet-stream',
      'x',
      '*/*',
      'application/json,text/plain',
      '',
    ]) {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      await refusedEverywhere(example, is(415, 'unsupported_media_type'), { headers })
    }
  })

  test('parameters and case of the type do not matter', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json;charset="utf-8"; x=y',
    ]) {
      for (const mount of openWrites()) {
        const typed = (call: Call) => ({ ...call, headers: { 'content-type': type } })
        const answer = await world.send(await allowedRequest(world, mount, typed))
        assert.equal(answer.status, mount.op.status, `${mount.op.id} ${type} ${answer.text}`)
      }
    }
  })

  test('a method that a path does not have is 405 and names those it has; no handler runs', async () => {
    const before = await stateOf(world.ctx.database)
    const methods = [
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'REPORT',
      'LINK',
    ]
    const served = MOUNTS.filter(
      (mount) => mount.served && (mount.kind === 'product' || mount.op.caller === 'open'),
    )
    for (const mount of served) {
      const named = served.filter(({ path }) => path === mount.path).map(({ method }) => method)
      const own = new Set(named.includes('GET') ? [...named, 'HEAD'] : named)
      const others = methods.filter((method) => !own.has(method as never) && !isElsewhere(mount, method))
      const answers = await inParallel(others, (method) =>
        world.send(allowed(world, mount, { method, path: pathOf(mount.path, world.ids.own) })),
      )
      for (const [index, method] of others.entries()) {
        const answer = answers[index] ?? assert.fail()
        assert.equal(answer.status, 405, `${method} ${mount.path} ${answer.text}`)
        const told = answer.headers.allow
          ?.split(', ')
          .filter((one) => own.has(one as never) || !isElsewhere(mount, one))
        assert.deepEqual(new Set(told), own, mount.path)
        if (method === 'HEAD') assert.equal(answer.text, '')
        if (method === 'TRACE') assert.ok(!answer.text.includes(world.seller.product.token))
      }
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('a method of nobody is refused as no request', async () => {
    for (const method of ['FOO', 'get', 'GE T', 'GET\u00e9']) {
      const { statuses, closed } = await rawExchange(world.address, [
        Buffer.from(`${method} /v1/ping.json HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'),
      ])
      assert.deepEqual([statuses, closed], [[400], true], method)
    }
  })

  test('a header that asks for another method is not listened to', async () => {
    const before = await stateOf(world.ctx.database)
    const path = `/v1/products/${world.seller.product.id}/users/${world.people.ada.id}.json`
    const authorization = `Bearer ${world.seller.product.token}`
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const call = {
        headers: { authorization, 'content-type': 'application/json', [name]: 'PUT' },
        body: '{"first":"Over"}',
      }
      assert.equal((await world.send({ method: 'POST', path, ...call })).status, 405)
      assert.equal(
        (await world.send({ method: 'POST', path: `${path}?method=PUT&_method=PUT`, ...call })).status,
        405,
      )
      assert.equal(
        (await world.send({ method: 'GET', path: `${path}?method=PUT&_method=PUT`, ...call })).status,
        200,
      )
    }
    assert.equal(await stateOf(world.ctx.database), before)
  })
})
