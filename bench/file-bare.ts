import { once } from 'node:events'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'

/** The reference of a download: node:http, and the largest archive of the data folder as it streams from the disk. */
const { dataDir } = readConfig(process.env)
const files = join(dataDir, 'files')
const paths = readdirSync(files, { recursive: true, encoding: 'utf8' }).map((name) => join(files, name))
const [{ path, size } = { path: '', size: 0 }] = paths
  .map((path) => ({ path, size: statSync(path).isFile() ? statSync(path).size : 0 }))
  .toSorted((a, b) => b.size - a.size)

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': size })
  createReadStream(path).pipe(response)
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
