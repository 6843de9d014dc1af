// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { open, rawExchange } from './raw.ts'
import { startWorld, type World } from './world.ts'

/** Bytes that a connection sends of a body that has some more: sixteen of them are just below what an address may hold. */
const BEGUN = 1_048_000

interface Stalling {
  readonly count: number
  /** From how many addresses they come. */
  readonly froms: number
  /** How many of them are waited for until they are answered. */
  readonly answered: number
  /** What others do while the rest stands. */
  readonly meanwhile?: () => Promise<void>
}

/** Connections that each let a body stand after `BEGUN` bytes; what they are answered. */
async function stall(
  address: string,
  head: string,
  { count, froms, answered, meanwhile }: Stalling,
): Promise<string[]> {
  const answers: string[] = Array.from({ length: count }, () => '')
  const sockets = []
  for (const index of answers.keys()) {
    const socket = await open(address)
    socket.on('data', (chunk: Buffer) => (answers[index] += chunk.toString())).on('error', () => {})
    socket.write(head.replace('\r\n', `\r\nX-Forwarded-For: 198.51.100.${index % froms}\r\n`))
    sockets.push(socket)
    await new Promise((resolve) => void socket.write(Buffer.alloc(BEGUN, ' '), resolve))
  }
  await meanwhile?.()
  const given = () => answers.filter((answer) => answer !== '')
  while (given().length < answered) await sleep(20)
  for (const socket of sockets) socket.destroy()
  return given()
}

/** Reads a connection into text until it holds what is looked for. */
async function readUntil(socket: Socket, wanted: RegExp): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  while (!wanted.test(text)) await sleep(10)
  return text
}

describe('S34: bodies that do not end', () => {
  let proxied: World
  let json = ''
  let parts = ''
  before(async () => {
    proxied = await startWorld('stalled', { config: { trustProxy: ['127.0.0.0/8'] } })
    const { id, token } = proxied.seller.product
    json =
      `POST /v1/products/${id}/users.json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n'
    parts =
      json.replace('users.json', 'tags.json').replace('application/json', 'multipart/form-data; boundary=b') +
      '--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n'
  })
  after(() => proxied.close())

  const OFFICE = '203.0.113.1'

  /** What somebody at another address is answered who sends a whole body of this many bytes. */
  async function wholeBody(bytes: number, from = OFFICE): Promise<number> {
    const { id, token } = proxied.seller.product
    const { status } = await fetch(`${proxied.address}/v1/products/${id}/users.json`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': from,
      },
      body: JSON.stringify({ email: `whole-${bytes}@example.com`, name: 'Some One', x: ' '.repeat(bytes) }),
    })
    return status
  }

  test('hold no more than 16 MB of an address, beyond which what comes is refused', async () => {
    for (const head of [json, parts]) {
      const refused = await stall(proxied.address, head, { count: 18, froms: 1, answered: 2 })
      assert.equal(refused.length, 2)
      for (const answer of refused) assert.match(answer, /^HTTP\/1\.1 429 [^]*retry-after: 1/)
    }
    assert.equal(await wholeBody(1_000_000), 200)
  })

  test('that come a byte at a time count what their chunks hold, so that one of 240 kB is refused', async () => {
    const head = json.replace(/Content-Length: \d+/, 'Connection: close\r\nTransfer-Encoding: chunked')
    const chunks = '1\r\n \r\n'
    const most = (16 * 1024 * 1024) / 512
    const whole = `${chunks.repeat(most - 100)}5\r\n"abc"\r\n0\r\n\r\n`
    const endless = chunks.repeat(most + 1)
    for (const [body, status] of [
      [whole, 400],
      [endless, 429],
    ] as const) {
      const { statuses } = await rawExchange(proxied.address, [head, body], { patience: 60_000 })
      assert.deepEqual(statuses, [status])
    }
  })

  test('hold no more than 64 MB of all, beyond which those are ended that have held theirs longest', async () => {
    for (const head of [json, parts]) {
      const ended = await stall(proxied.address, head, { count: 70, froms: 10, answered: 6 })
      assert.equal(ended.length, 6)
      for (const answer of ended) assert.match(answer, /^HTTP\/1\.1 503 [^]*retry-after: 1/)
    }
    assert.equal(await wholeBody(1_000_000), 200)
  })

  test('of four addresses that hold all there is keep nobody else out', async () => {
    for (const head of [json, parts]) {
      const statuses: number[] = []
      const meanwhile = async () => {
        for (const bytes of [1_000, 200_000, 1_000_000]) statuses.push(await wholeBody(bytes))
      }
      const ended = await stall(proxied.address, head, { count: 64, froms: 4, answered: 1, meanwhile })
      assert.deepEqual(statuses, [200, 200, 200])
      for (const answer of ended) assert.match(answer, /^HTTP\/1\.1 503 /)
    }
  })

  test('of the many addresses of a block, each with little, end none of who holds more than one of them', async () => {
    let ofOffice = ''
    const meanwhile = async () => {
      const slow = await open(proxied.address)
      slow.on('data', (chunk: Buffer) => (ofOffice += chunk.toString()))
      slow.write(json.replace('\r\n', `\r\nX-Forwarded-For: ${OFFICE}\r\n`))
      await new Promise((resolve) => void slow.write(Buffer.alloc(BEGUN, ' '), resolve))
      for (let n = 0; n < 3; n++) assert.equal(await wholeBody(1_000_000), 200)
      slow.destroy()
    }
    await stall(proxied.address, json, { count: 64, froms: 64, answered: 1, meanwhile })
    assert.equal(ofOffice, '')
  })

  const from = (head: string, address: string) => head.replace('\r\n', `\r\nX-Forwarded-For: ${address}\r\n`)

  /** Connections that send these bytes behind a request whose answer goes on without an end. */
  async function behindStreams(count: number, bytes: string): Promise<Socket[]> {
    const path = `/v1/products/${proxied.seller.product.id}/events/stream`
    const stream = json.replace(/^POST \S+/, `GET ${path}`).replace(/Content-Type[^]*$/, '\r\n')
    const sockets: Socket[] = []
    for (let index = 0; index < count; index++) {
      const socket = await open(proxied.address)
      sockets.push(socket)
      socket.write(stream)
      await readUntil(socket, /^HTTP\/1\.1 200 /)
      await new Promise((resolve) => void socket.write(bytes, resolve))
    }
    return sockets
  }

  const waiting = (head: string, body: string) => from(head, '198.51.100.1') + body
  const ofLength = (length: number) => json.replace('1048576', String(length))
  const chunked = () => json.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')

  for (const [what, count, bytes] of [
    ['of some length', 10, () => waiting(ofLength(60_000), ' '.repeat(60_000)).repeat(31)],
    ['in chunks of a byte', 1, () => waiting(chunked(), `${'1\r\n \r\n'.repeat(32_700)}0\r\n\r\n`)],
  ] as const) {
    test(`that wait, ${what}, behind answers of their connections count as well`, async () => {
      const sockets = await behindStreams(count, bytes())
      while ((await wholeBody(1_000_000, '198.51.100.1')) !== 429) await sleep(20)
      assert.equal(await wholeBody(1_000_000), 200)
      for (const socket of sockets) socket.destroy()
      while ((await wholeBody(1_000_000, '198.51.100.1')) === 429) await sleep(20)
    })
  }

  test('that are refused while they wait are answered so when it is their turn', async () => {
    const meanwhile = async () => {
      const body = '{"email":"behind@example.com","name":"Some One"}'.padEnd(50_000)
      const ping = json.replace(/^POST \S+/, 'GET /v1/ping.json').replace(/Authorization[^]*$/, '\r\n')
      while ((await wholeBody(50_000, '198.51.100.0')) !== 429) await sleep(20)
      const both = from(ping, '198.51.100.0') + from(ofLength(body.length), '198.51.100.0') + body
      const { statuses, text } = await rawExchange(proxied.address, [both])
      assert.deepEqual(statuses, [200, 429], text)
    }
    await stall(proxied.address, json, { count: 16, froms: 1, answered: 0, meanwhile })
  })
})
