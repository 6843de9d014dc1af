import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from './raw.ts'
import { startCrowd } from './slow-peer.ts'
import { CROWDS, median, ordinaryTraffic, quantile, SHORT, slowClients, waitUntilCut } from './slow.ts'
import { stateOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('slow', { timeouts: SHORT })
})
after(() => world.close())

const write = (length: number) =>
  `POST /v1/products/${world.seller.product.id}/users.json HTTP/1.1\r\nHost: x\r\n` +
  `Authorization: Bearer ${world.seller.product.token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

describe('S34: clients that leave the server waiting', { concurrency: true }, () => {
  test('a body byte by byte is cut after the time for a request and stores nothing', async () => {
    const before = await stateOf(world.ctx.database)
    const bytes = `{"email":"slow@example.com","name":"${'x'.repeat(200)}"}`
    const clients = await slowClients(world.address, 20, { head: write(bytes.length), bytes, pause: 100 })
    assert.equal(await waitUntilCut(clients, 6_000), 0)
    for (const { cutAfter } of clients)
      assert.ok(cutAfter !== null && cutAfter >= SHORT.request - SHORT.check)
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('a connection that says nothing, and one that has nothing more to say, are let go', async () => {
    const silent = await slowClients(world.address, 5, { head: '', bytes: '', pause: 0 })
    const done = 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n\r\n'
    const finished = await slowClients(world.address, 5, { head: done, bytes: '', pause: 0 })
    assert.equal(await waitUntilCut([...silent, ...finished], 5_000), 0)
    for (const { text } of finished) assert.match(text, /^HTTP\/1\.1 200 /)
  })

  test('one that was refused and does not hang up is let go, long before one that is idle', async (t) => {
    const patient = await startWorld('refused')
    t.after(() => patient.close())
    const before = await patient.connections()
    const socket = await open(patient.address)
    socket.resume()
    socket.write('this is not HTTP\r\n\r\n')
    await sleep(200)
    assert.equal(await patient.connections(), before + 1)
    await sleep(2_000)
    const after = await patient.connections()
    socket.destroy()
    assert.equal(after, before)
  })
})

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

describe('S34: bodies that do not end', () => {
  let proxied: World
  let json = ''
  let parts = ''
  before(async () => {
    proxied = await startWorld('stalled', { config: { trustProxy: ['127.0.0.0/8'] } })
    const { id, token } = proxied.seller.product
    json = write(1_048_576)
      .replace(/products\/\d+/, `products/${id}`)
      .replace(/Bearer \S+/, `Bearer ${token}`)
    parts =
      json.replace('users.json', 'tags.json').replace('application/json', 'multipart/form-data; boundary=b') +
      '--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n'
  })
  after(() => proxied.close())

  const OFFICE = '203.0.113.1'

  /** What somebody at another address is answered who sends a whole body of this many bytes. */
  async function wholeBody(bytes: number): Promise<number> {
    const { id, token } = proxied.seller.product
    const { status } = await fetch(`${proxied.address}/v1/products/${id}/users.json`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': OFFICE,
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
})

describe('S34: connections', () => {
  const limits = { all: 30, ofAddress: 20 }
  for (const [whose, trustProxy, most] of [
    ['an address', [], limits.ofAddress],
    ['all, where a trusted proxy brings them', ['127.0.0.0/8'], limits.all],
  ] as const) {
    test(`no more than the configured number of ${whose} are open at once, and others follow`, async (t) => {
      const limited = await startWorld(`connections_${most}`, {
        config: { connections: limits, trustProxy: [...trustProxy] },
      })
      t.after(() => limited.close())
      for (let round = 0; round < 2; round++) {
        const sockets = await Promise.all(Array.from({ length: 45 }, () => open(limited.address)))
        for (const socket of sockets) socket.on('end', () => socket.destroy()).resume()
        while (sockets.filter(({ destroyed }) => !destroyed).length > most) await sleep(20)
        assert.equal(await limited.connections(), most)
        for (const socket of sockets) socket.destroy()
        while ((await limited.connections()) > 5) await sleep(20)
      }
      assert.equal((await fetch(`${limited.address}/v1/ping.json`)).status, 200)
    })
  }
})

describe('S34: clients that take their time', () => {
  test('300 that write their headers byte by byte are all cut after the time for headers; others are served meanwhile', async (t) => {
    const inTime = await startWorld('slow_headers', { timeouts: { ...SHORT, request: 60_000 } })
    t.after(() => inTime.close())
    const head = 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n'
    const clients = await slowClients(inTime.address, 300, {
      head,
      bytes: 'X-Slow: '.padEnd(200, 'a'),
      pause: 100,
    })
    const answers = await ordinaryTraffic(inTime, 600)
    for (const { status } of answers) assert.equal(status, 200)
    assert.ok(
      answers.length >= 5 && median(answers) < 250,
      `${answers.length} answers, median ${median(answers)} ms`,
    )
    assert.ok(
      clients.some(({ cutAfter }) => cutAfter === null),
      'they held on while the others were served',
    )
    assert.equal(await waitUntilCut(clients, 5_000), 0)
    for (const { cutAfter, text } of clients) {
      assert.ok(cutAfter !== null && cutAfter >= SHORT.headers - SHORT.check, `${cutAfter} ms`)
      assert.ok(text === '' || text.startsWith('HTTP/1.1 408 '), text)
    }
  })

  test('one that asks for more than it reads is let go', async () => {
    const { product } = world.seller
    await fillEvents()
    await connectionsEnd()
    const path = `/v1/products/${product.id}/events.json?count=50`
    const get = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.token}\r\n\r\n`
    const socket = await open(world.address)
    socket.pause()
    socket.write(get.repeat(30))
    await sleep(200)
    assert.equal(await world.connections(), 1)
    await connectionsEnd()
    socket.destroy()
  })

  async function connectionsEnd() {
    const end = performance.now() + 6_000
    while ((await world.connections()) > 0 && performance.now() < end) await sleep(50)
    assert.equal(await world.connections(), 0)
  }

  /** Enough events that a page of them is some 500 kB. */
  async function fillEvents() {
    const { product } = world.seller
    const path = `/v1/products/${product.id}/users/${world.people.ada.id}.json`
    const headers = { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ note: 'x'.repeat(10_000) })
    const note = { method: 'POST', path: path.replace('.json', '/note.json'), headers, body }
    assert.equal((await world.send(note)).status, 201)
    for (let index = 0; index < 50; index++) {
      const { status } = await world.send({
        method: 'PUT',
        path,
        headers,
        body: `{"is_beta":${index % 2 === 0}}`,
      })
      assert.equal(status, 200)
    }
  }
})

/** The same beside 10,000, and for longer, in `slow.long.test.ts`. */
const CONNECTIONS = 1_000
const MEASURED_MS = 1_500
/** Longer than all is measured, so that they hold on. */
const HELD_MS = 120_000

describe('S34: beside 1,000 connections', () => {
  let held: World
  before(async () => {
    const timeouts = { headers: HELD_MS, request: HELD_MS, keepAlive: HELD_MS, idle: HELD_MS, check: 1_000 }
    const connections = { all: 2 * CONNECTIONS, ofAddress: 2 * CONNECTIONS }
    held = await startWorld('slow_crowds', { timeouts, config: { connections } })
    await ordinaryTraffic(held, MEASURED_MS)
  })
  after(() => held.close())

  const slowest = async () => quantile(await ordinaryTraffic(held, MEASURED_MS), 0.95)

  for (const [what, crowdOf] of Object.entries(CROWDS)) {
    test(`that ${what}, the slowest twentieth of other calls takes less than twice as long`, async (t) => {
      let figures = ''
      // Others may take the machine for a moment.
      for (let attempt = 0; attempt < 3; attempt++) {
        const before = await slowest()
        const crowd = await startCrowd({ address: held.address, count: CONNECTIONS, ...crowdOf(held) })
        while ((await held.connections()) < CONNECTIONS) await sleep(20)
        await ordinaryTraffic(held, MEASURED_MS / 5)
        const beside = await slowest()
        const staying = await held.connections()
        await crowd.leave()
        assert.ok(staying >= CONNECTIONS, `${staying} of them hold on`)
        const afterwards = await slowest()
        figures = `${before.toFixed(2)}, ${beside.toFixed(2)}, ${afterwards.toFixed(2)} ms: before, beside them, afterwards`
        t.diagnostic(figures)
        if (beside < 2 * Math.max(before, afterwards)) return
      }
      assert.fail(figures)
    })
  }
})
