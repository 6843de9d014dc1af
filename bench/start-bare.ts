import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The reference: how long Node itself takes until it answers, as TypeScript that it runs as it is. */
const server = createServer((_, response) => response.end('{"api":"pong"}'))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
