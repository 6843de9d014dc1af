import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** When a connection is cut: after so many bytes on the way there, or of the answer. */
export interface Cut {
  readonly way: 'there' | 'back'
  readonly after: number
}

export interface DroppingProxy {
  readonly address: string
  /**
   * Ends the connections that are there, which clients would use again, and cuts each of the next ones as it says, one
   * after the other; those after them are left whole.
   */
  cut(...next: readonly Cut[]): Promise<void>
  close(): void
}

/** A way to a server on which connections are lost. */
export async function dropTo(address: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(address)
  const cuts: Cut[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const cut = cuts.shift()
    const lose = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    pass(client, upstream, { left: cut?.way === 'there' ? cut.after : Infinity, lose })
    pass(upstream, client, { left: cut?.way === 'back' ? cut.after : Infinity, lose })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async cut(...next) {
      cuts.push(...next)
      await Promise.all([...sockets].map((socket) => once(socket.destroy(), 'close')))
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function pass(from: Socket, to: Socket, { left, lose }: { left: number; lose(): void }): void {
  let room = left
  from.on('data', (chunk: Buffer) => {
    if (chunk.length >= room) {
      // What was before the cut arrives, if somebody still takes it.
      to.write(chunk.subarray(0, room), lose)
      room = 0
      from.pause()
      return
    }
    room -= chunk.length
    if (!to.write(chunk)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  })
  from.on('end', () => to.end())
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}
