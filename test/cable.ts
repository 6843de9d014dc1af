import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between a server and its database, and can be cut like a cable. */
export async function openCable(url: string) {
  const sockets = new Set<Socket>()
  let to = new URL(url)
  let isFrozen = false
  const listener = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          other.destroy()
        })
        .on('data', (chunk: Buffer) => void other.write(chunk))
      if (isFrozen) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: Object.assign(new URL(url), { port: String(address.port) }).href,
    cut,
    async pull() {
      cut()
      await new Promise((resolve) => void listener.close(resolve))
    },
    async plug() {
      listener.listen(address.port, '127.0.0.1')
      await once(listener, 'listening')
    },
    /** Connections stay and are taken, and nothing passes. */
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    /** What is there stays open without an answer; who connects from now on reaches another server. */
    lead(other: string) {
      to = new URL(other)
      for (const socket of sockets) socket.pause()
    },
  }
}
