import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { serve } from './serve-bare.ts'

/** The reference of a download: node:http, and the largest archive of the data folder as it streams from the disk. */
const { dataDir } = readConfig(process.env)
const files = join(dataDir, 'files')
const paths = readdirSync(files, { recursive: true, encoding: 'utf8' }).map((name) => join(files, name))
const [{ path, size } = { path: '', size: 0 }] = paths
  .map((path) => ({ path, size: statSync(path).isFile() ? statSync(path).size : 0 }))
  .toSorted((a, b) => b.size - a.size)

await serve((_, response) => {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': size })
  createReadStream(path).pipe(response)
})
