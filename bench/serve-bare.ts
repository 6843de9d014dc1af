import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a reference answers: JSON as text. */
interface Answer {
  readonly status: number
  readonly body: string
}

/** Serves a reference: nothing but node:http. No checks of arguments, no log, no limits. */
export const serveBare = (answer: (request: IncomingMessage) => Promise<Answer>): Promise<void> =>
  serve((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })

/** Listens on a free port, and tells the process that has started this one where. */
export async function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
}
