import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, ordinaryTraffic, SHORT, slowClients, waitUntilCut } from './slow.ts'
import { startWorld } from './world.ts'

test('S34: beside 5,000 connections that write a byte every ten seconds, others wait less than twice as long', async (t) => {
  const timeouts = { ...SHORT, headers: 60_000, request: 120_000, idle: 120_000, check: 1_000 }
  const world = await startWorld('slow_long', { timeouts })
  t.after(() => world.close())
  await ordinaryTraffic(world, 2_000)
  const alone = median(await ordinaryTraffic(world, 10_000))
  const head = 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n'
  const clients = await slowClients(world.address, 5_000, {
    head,
    bytes: 'X-Slow: '.padEnd(60, 'a'),
    pause: 10_000,
  })
  const beside = median(await ordinaryTraffic(world, 20_000))
  assert.ok(beside < 2 * alone + 1, `${alone} ms alone, ${beside} ms beside them`)
  assert.equal(clients.filter(({ cutAfter }) => cutAfter !== null).length, 0)
  assert.equal(await waitUntilCut(clients, 90_000), 0)
})
