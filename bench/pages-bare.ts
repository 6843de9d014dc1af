import { readFileSync } from 'node:fs'
import { serve } from './serve-bare.ts'
import type { Sent } from './pages.ts'

/** The reference: node:http that sends the same bytes from memory. */
const sent = JSON.parse(readFileSync(process.env['BENCH_PAGES'] ?? '', 'utf8')) as readonly Sent[]
const bodies = new Map(sent.map(({ path, type, body }) => [path, { type, body: Buffer.from(body) }]))

await serve(({ url = '' }, response) => {
  const found = bodies.get(url)
  if (!found) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': found.type, 'content-length': found.body.byteLength })
  response.end(found.body)
})
