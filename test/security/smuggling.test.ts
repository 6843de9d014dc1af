// Runs on sqlite.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { pluginZip, uploadOf } from '../archives.ts'
import { open, rawExchange } from './raw.ts'
import { stateOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

const lines: string[] = []
let world: World
before(async () => {
  world = await startWorld('smuggling', {
    log: createLog('info', { write: (line) => void lines.push(line) }),
  })
})
after(() => world.close())

const BODY = '{"email":"smuggled@example.com","name":"Smuggled Person"}'
const SIZE = BODY.length.toString(16)
const CHUNKED = `${SIZE}\r\n${BODY}\r\n0\r\n\r\n`
/** What must never be answered: a second request hidden in the first. */
const HIDDEN = 'GET /v1/ping.json?hidden HTTP/1.1\r\nHost: hidden\r\n\r\n'

/** A write that would be allowed, with these lines in its head. */
const post = (head: string, body: string, version = '1.1') =>
  `POST /v1/products/${world.seller.product.id}/users.json HTTP/${version}\r\nHost: x\r\n` +
  `Authorization: Bearer ${world.seller.product.token}\r\nContent-Type: application/json\r\n${head}\r\n${body}`
const get = (head: string) => `GET /v1/ping.json HTTP/1.1\r\n${head}\r\n`

const length = (text: string) => `Content-Length: ${text}\r\n`
const coding = (text: string) => `Transfer-Encoding: ${text}\r\n`

/** By name: bytes that two readers could cut into requests in two ways. */
const ATTACKS: Readonly<Record<string, () => string>> = {
  'CL.TE': () => post(length('6') + coding('chunked'), `0\r\n\r\n${HIDDEN}`),
  'CL.TE, both of them right': () =>
    post(length(String(CHUNKED.length)) + coding('chunked'), CHUNKED + HIDDEN),
  'TE.CL': () =>
    post(coding('chunked') + length('4'), `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`),
  'TE.TE, chunked and identity': () => post(coding('chunked') + coding('identity'), CHUNKED + HIDDEN),
  'TE.TE, chunked and nonsense': () => post(coding('chunked') + coding('cow'), CHUNKED + HIDDEN),
  'TE.TE, nonsense and chunked': () => post(coding('cow') + coding('chunked'), CHUNKED + HIDDEN),
  'TE.TE, chunked twice': () => post(coding('chunked') + coding('chunked'), CHUNKED + HIDDEN),
  'chunked, identity': () => post(coding('chunked, identity'), CHUNKED + HIDDEN),
  'identity, chunked': () => post(coding('identity, chunked'), CHUNKED + HIDDEN),
  'gzip, chunked': () => post(coding('gzip, chunked'), CHUNKED + HIDDEN),
  xchunked: () => post(coding('xchunked'), CHUNKED + HIDDEN),
  'identity alone': () => post(coding('identity'), CHUNKED + HIDDEN),
  'identity with a length': () => post(coding('identity') + length(String(BODY.length)), BODY + HIDDEN),
  'a space before the colon': () => post('Transfer-Encoding : chunked\r\n', CHUNKED + HIDDEN),
  'a vertical tab before the coding': () => post(coding('\u000bchunked'), CHUNKED + HIDDEN),
  'the coding on a folded line': () => post('Transfer-Encoding:\r\n chunked\r\n', CHUNKED + HIDDEN),
  'chunked in HTTP/1.0': () => post(coding('chunked'), CHUNKED + HIDDEN, '1.0'),
  'obs-fold in any header': () => get('Host: x\r\nX-Folded: a\r\n b\r\n'),
  'bare LF everywhere': () => 'GET /v1/ping.json HTTP/1.1\nHost: x\n\n',
  'bare LF in a header': () => get('Host: x\nX-Next: y\r\n'),
  'bare CR in a header': () => get('Host: x\rX-Next: y\r\n'),
  'two lengths': () => post(length(String(BODY.length)) + length('5'), BODY + HIDDEN),
  'the same length twice': () => post(length(String(BODY.length)).repeat(2), BODY + HIDDEN),
  'a list of lengths': () => post(length(`${BODY.length}, ${BODY.length}`), BODY + HIDDEN),
  'a length with a sign': () => post(length(`+${BODY.length}`), BODY + HIDDEN),
  'a negative length': () => post(length('-1'), BODY + HIDDEN),
  'a hexadecimal length': () => post(length('0x10'), BODY + HIDDEN),
  'a length with a space in it': () => post(length('1 0'), BODY + HIDDEN),
  'an empty length': () => post(length(''), BODY + HIDDEN),
  'a length beyond 2^64': () => post(length('99999999999999999999'), BODY + HIDDEN),
  'a chunk size with 0x': () => post(coding('chunked'), `0x${CHUNKED}${HIDDEN}`),
  'a negative chunk size': () => post(coding('chunked'), `-1\r\n${HIDDEN}`),
  'a chunk size beyond 2^64': () => post(coding('chunked'), `10000000000000000${CHUNKED}${HIDDEN}`),
  'a chunk size with a space': () => post(coding('chunked'), `${SIZE} \r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`),
  'bare LF between chunks': () => post(coding('chunked'), CHUNKED.replaceAll('\r\n', '\n') + HIDDEN),
  'bare LF in a chunk extension': () =>
    post(coding('chunked'), `${SIZE};a=b\nx\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`),
  'a chunk longer than its size': () => post(coding('chunked'), `5\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`),
  'a length as trailer': () =>
    post(coding('chunked'), `${SIZE}\r\n${BODY}\r\n0\r\nContent-Length: 3\r\n\r\n${HIDDEN}`),
  'NUL in a header': () => get('Host: x\r\nX-Nul: a\u0000b\r\n'),
  'a space in the name of a header': () => get('Host: x\r\nX Name: b\r\n'),
  'a header without a name': () => get('Host: x\r\n: b\r\n'),
  'a space before the first header': () => get(' Host: x\r\n'),
  'a version of nobody': () => 'GET /v1/ping.json HTTP/9.9\r\nHost: x\r\n\r\n',
  'HTTP/2 without being asked': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'TLS on the port of HTTP': () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'no host': () => get(''),
  'two hosts': () => get('Host: x\r\nHost: y\r\n') + HIDDEN,
  'the same host twice': () => post(`hOST: x\r\n${length(String(BODY.length))}`, BODY + HIDDEN),
  'two hosts in HTTP/1.0': () => post(`HOST: y\r\n${length(String(BODY.length))}`, BODY, '1.0'),
}

describe('S33: bytes that can be cut into requests in two ways', () => {
  for (const [name, bytes] of Object.entries(ATTACKS)) {
    test(`${name}: one 400 at most for all of it, the connection ends, nothing runs`, async () => {
      const before = await stateOf(world.ctx.database)
      lines.length = 0
      const { statuses, closed, text } = await rawExchange(world.address, [Buffer.from(bytes(), 'latin1')])
      assert.deepEqual(statuses, [400], text)
      assert.ok(closed, 'the connection is closed by the server')
      assert.match(text, /^connection: close\r$/im)
      assert.ok(
        !text.includes('pong') && !lines.join('').includes('keywright/ping'),
        'the hidden request ran',
      )
      assert.equal(await stateOf(world.ctx.database), before)
    })
  }

  test('split over many packets the same bytes mean the same', async () => {
    for (const name of ['CL.TE', 'TE.CL', 'TE.TE, chunked and identity', 'bare LF in a header']) {
      const bytes = Buffer.from(ATTACKS[name]?.() ?? '', 'latin1')
      const pieces = Array.from({ length: Math.ceil(bytes.length / 40) }, (_, index) =>
        bytes.subarray(index * 40, index * 40 + 40),
      )
      const { statuses, closed } = await rawExchange(world.address, pieces, { pause: 1 })
      assert.deepEqual([statuses, closed], [[400], true], name)
    }
  })

  test('honest requests one after another are each answered', async () => {
    const honest = [
      post(length(String(BODY.length)), BODY),
      post(coding('chunked'), CHUNKED),
      post('Transfer-Encoding:\tChunked\r\n', CHUNKED),
      get('Host: x\r\nConnection: close\r\n'),
    ]
    const { statuses, closed } = await rawExchange(world.address, [honest.join('')])
    assert.deepEqual([statuses, closed], [[200, 200, 200, 200], true])
  })

  test('a client of HTTP/1.0 needs no host', async () => {
    for (const path of ['/v1/ping.json', '/healthz']) {
      const { statuses, closed, text } = await rawExchange(world.address, [`GET ${path} HTTP/1.0\r\n\r\n`])
      assert.deepEqual([statuses, closed], [[200], true], text)
    }
  })

  test('a client that asks before it sends its body is told to go on, and its upload is taken', async () => {
    const { product } = world.seller
    const { body, headers } = uploadOf(
      await pluginZip({ files: { 'example/a.bin': randomBytes(2_000_000) } }),
    )
    const socket = await open(world.address)
    socket.write(
      `POST /v1/products/${product.id}/tags.json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.token}\r\n` +
        `Content-Type: ${headers['content-type']}\r\n${length(String(body.length))}` +
        'Expect: 100-continue\r\nConnection: close\r\n\r\n',
    )
    let text = ''
    for await (const chunk of socket) {
      text += String(chunk)
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
    }
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*"version":"1\.0"/)
  })

  test('a body that belongs to a GET is not read as the next request', async () => {
    const inner = HIDDEN
    const outer = `GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n${length(String(inner.length))}\r\n${inner}`
    lines.length = 0
    const { statuses } = await rawExchange(world.address, [outer], { patience: 300 })
    assert.deepEqual(statuses, [200])
    assert.equal(lines.filter((line) => line.includes('keywright/ping')).length, 1)
  })
})
