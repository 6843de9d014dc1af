// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../../src/start.ts'
import { testContext } from '../app.ts'
import { open } from './raw.ts'

const LIMITS = { all: 40, ofAddress: 4 }

/** The address that stands for one of this machine, as a server of another family has it. */
const asIpv6 = (ip: string) => {
  const [, block = '', high = '', low = ''] = ip.split('.')
  return `2001:db8:${block}:${high}::${low}`
}

/** A server whose connections come from where they are said to, and how many it holds. */
async function startPlace(name: string, isIpv6: boolean) {
  const { ctx, drop } = await testContext(`connections_${name}`, { config: { connections: LIMITS } })
  const { address, server, stop } = await startServer(ctx)
  const http = server.server
  http.prependListener('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? ''
    if (isIpv6) Object.defineProperty(socket, 'remoteAddress', { value: asIpv6(ip) })
  })
  const held = promisify(http.getConnections.bind(http))
  const close = async () => {
    await stop()
    await drop()
  }
  return { address, held, close }
}

/** A place of its own in a block, which is a /24 of IPv4 or a /48 of IPv6. */
type From = (block: number, n: number) => string

for (const [family, from] of [
  ['a /24 of IPv4', (block, n) => `127.1.${block}.${n + 1}`],
  ['a /48 of IPv6', (block, n) => `127.${block}.${n}.1`],
] as readonly (readonly [string, From])[]) {
  describe(`S34: connections from ${family}`, () => {
    const isIpv6 = family.endsWith('6')
    let place: Awaited<ReturnType<typeof startPlace>>
    let sockets: Socket[] = []
    before(async () => {
      place = await startPlace(isIpv6 ? 'six' : 'four', isIpv6)
    })
    after(async () => {
      for (const socket of sockets) socket.destroy()
      await place.close()
    })
    beforeEach(async () => {
      for (const socket of sockets) socket.destroy()
      sockets = []
      while ((await place.held()) > 0) await sleep(10)
    })

    async function connect(ip: string): Promise<Socket> {
      const socket = await open(place.address, ip)
      socket.on('end', () => socket.destroy()).resume()
      sockets.push(socket)
      return socket
    }

    /** Connections of so many addresses of a block, as many as each may have. */
    async function crowd(block: number, addresses: number): Promise<Socket[]> {
      const ofAll: Socket[] = []
      for (let n = 0; n < addresses; n++) {
        for (let nth = 0; nth < LIMITS.ofAddress; nth++) ofAll.push(await connect(from(block, n)))
      }
      return ofAll
    }

    const openOf = (of: readonly Socket[]) => of.filter(({ destroyed }) => !destroyed).length

    /** Waits until both ends say the same. */
    async function settled(): Promise<void> {
      while (openOf(sockets) !== (await place.held())) await sleep(20)
    }

    test('that take all there are make room for others, the oldest first, and nobody is refused for them', async () => {
      const flood = await crowd(1, 10)
      assert.equal(openOf(flood), LIMITS.all)
      const office = await crowd(2, 1)
      const late = await crowd(3, 1)
      await settled()
      assert.deepEqual([openOf(office), openOf(late)], [LIMITS.ofAddress, LIMITS.ofAddress])
      assert.equal(openOf(flood), LIMITS.all - 2 * LIMITS.ofAddress)
      assert.ok(flood[0]?.destroyed)
      assert.equal(await place.held(), LIMITS.all)
    })

    test('that are as many as those of another take none of its places', async () => {
      const first = await crowd(1, 5)
      const second = await crowd(2, 5)
      const more = await connect(from(2, 9))
      await settled()
      assert.deepEqual([openOf(first), openOf(second), more.destroyed], [20, 20, true])
    })

    test('of one address are no more than may be of one, and other blocks take no place of it that is few', async () => {
      const office = await crowd(2, 1)
      const fifth = await connect(from(2, 0))
      const flood = await crowd(1, 9)
      const late = await crowd(3, 4)
      await settled()
      assert.deepEqual([openOf(office), fifth.destroyed], [LIMITS.ofAddress, true])
      assert.deepEqual([openOf(late), openOf(flood)], [16, 20])
    })
  })
}
