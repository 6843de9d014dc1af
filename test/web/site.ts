import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Site {
  /** On another origin than the server: `localhost` beside `127.0.0.1`. */
  readonly address: string
  close(): Promise<void>
}

interface File {
  readonly type: string
  readonly body: string | Buffer
}

/** A site of somebody else, which answers each path with a file, and any other with that of `/`. */
export async function startSite(files: Readonly<Record<'/', File> & Record<string, File>>): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const { type, body } = files[url] ?? files['/']
    response.setHeader('content-type', type)
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A page of such a site. */
export const html = (body: string): File => ({ type: 'text/html; charset=utf-8', body })
