import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCrowd } from './slow-peer.ts'
import { CROWDS, ordinaryTraffic, quantile, SHORT } from './slow.ts'
import { startWorld, type World } from './world.ts'

/** Twice as many open files are needed: `ulimit -n` of at least 12,000 for each of two processes. */
const CONNECTIONS = 10_000
const MEASURED_MS = 20_000
/** Long enough to measure in while they hold on. */
const HELD_MS = 60_000
const TIMEOUTS = {
  ...SHORT,
  headers: HELD_MS,
  request: HELD_MS,
  keepAlive: HELD_MS,
  idle: HELD_MS,
  taking: HELD_MS,
  check: 1_000,
}

let world: World
before(async () => {
  world = await startWorld('slow_long', {
    timeouts: TIMEOUTS,
    config: { connections: { all: 2 * CONNECTIONS, ofAddress: 2 * CONNECTIONS } },
  })
  await ordinaryTraffic(world, 3_000)
})
after(() => world.close())

for (const [what, crowdOf] of Object.entries(CROWDS)) {
  test(`S34: beside 10,000 connections that ${what}, the slowest hundredth of other calls takes less than twice as long`, async (t) => {
    const before = await ordinaryTraffic(world, MEASURED_MS)
    const crowd = await startCrowd({ address: world.address, count: CONNECTIONS, ...crowdOf(world) })
    t.after(() => crowd.leave())
    const beside = await ordinaryTraffic(world, MEASURED_MS)
    assert.ok((await world.connections()) >= CONNECTIONS, 'they hold on')
    const end = performance.now() + 2 * HELD_MS
    while ((await world.connections()) > 0 && performance.now() < end) await sleep(500)
    assert.equal(await world.connections(), 0, 'all are let go in time')
    const afterwards = await ordinaryTraffic(world, MEASURED_MS)
    const all = [before, beside, afterwards]
    const line = (part: number) => all.map((answers) => quantile(answers, part).toFixed(2)).join(', ')
    const figures = `median ${line(0.5)} ms, p99 ${line(0.99)} ms: before, beside them, afterwards`
    t.diagnostic(figures)
    const alone = Math.max(quantile(before, 0.99), quantile(afterwards, 0.99))
    assert.ok(quantile(beside, 0.99) < 2 * alone, figures)
  })
}
