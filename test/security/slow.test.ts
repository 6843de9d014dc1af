// Runs on sqlite, beside others, slowly.
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

  test('a connection that says nothing, one that has nothing more to say, and one that sends blank lines alone are let go', async () => {
    const silent = await slowClients(world.address, 5, { head: '', bytes: '', pause: 0 })
    const done = 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n\r\n'
    const finished = await slowClients(world.address, 5, { head: done, bytes: '', pause: 0 })
    const blank = await slowClients(world.address, 5, { head: done, bytes: '\r\n'.repeat(500), pause: 50 })
    assert.equal(await waitUntilCut([...silent, ...finished, ...blank], 10_000), 0)
    for (const { text } of [...finished, ...blank]) assert.match(text, /^HTTP\/1\.1 200 /)
  })

  test('one that was refused and does not hang up is let go, long before one that is idle', async (t) => {
    const patient = await startWorld('refused')
    t.after(() => patient.close())
    const before = await patient.connections()
    const socket = await open(patient.address)
    socket.resume()
    while ((await patient.connections()) === before) await sleep(10)
    socket.write('this is not HTTP\r\n\r\n')
    const end = performance.now() + 20_000
    while ((await patient.connections()) > before && performance.now() < end) await sleep(50)
    const after = await patient.connections()
    socket.destroy()
    assert.equal(after, before)
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
    while ((await world.connections()) === 0) await sleep(10)
    await connectionsEnd()
    socket.destroy()
  })

  test('one that takes less than a kilobyte a second is let go, whatever it sends meanwhile; one that takes more is not', async (t) => {
    const patient = await startWorld('trickle', { timeouts: { ...SHORT, idle: 60_000 } })
    t.after(() => patient.close())
    const openapi = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
    const sockets = [await open(patient.address), await open(patient.address)] as const
    const [blank, slow] = sockets
    const ended = [false, false]
    for (const [index, socket] of sockets.entries()) {
      socket.pause().on('close', () => (ended[index] = true))
      socket.write(openapi.repeat(30))
    }
    let taken = 0
    const end = performance.now() + 6_000
    while (!ended[0] && performance.now() < end) {
      if (blank.writable) blank.write('\r\n')
      taken += slow.read()?.length ?? 0
      await sleep(50)
    }
    assert.deepEqual([ended, taken > 0], [[true, false], true])
    for (const socket of sockets) socket.destroy()
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

/** Beside 10,000, and for longer, it is in `slow.long.test.ts`. */
const CONNECTIONS = 1_000
const MEASURED_MS = 1_500
/** Longer than all is measured, so that they hold on. */
const HELD_MS = 120_000

describe('S34: beside 1,000 connections', () => {
  let held: World
  before(async () => {
    const timeouts = {
      headers: HELD_MS,
      request: HELD_MS,
      keepAlive: HELD_MS,
      idle: HELD_MS,
      taking: HELD_MS,
      check: 1_000,
    }
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
