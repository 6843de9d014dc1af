import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { servePeer } from './processes.ts'

/** When requests came, by their `webhook-id`, milliseconds of the machine's clock; asked for, they are forgotten. */
export interface Arrivals {
  readonly port: number
  /** How many came again. */
  readonly repeats: number
  readonly arrivals: Readonly<Record<string, number>>
}

let arrivals: Record<string, number> = {}
let repeats = 0

const server = createServer((request, response) => {
  const id = String(request.headers['webhook-id'])
  if (id in arrivals) repeats++
  arrivals[id] ??= performance.timeOrigin + performance.now()
  request.resume().on('end', () => response.end('ok'))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

servePeer(async (question: 'take' | 'count'): Promise<Arrivals | number> => {
  if (question === 'count') return Object.keys(arrivals).length
  const taken = { port, arrivals, repeats }
  arrivals = {}
  repeats = 0
  return taken
})
