import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pricingTable, tableState } from '../src/sales/pricing-table/pricing-table.ts'
import { findApiToken } from '../src/access/credential-queries.ts'
import { systemScope } from '../src/access/scope.ts'
import { hashToken } from '../src/lib/credentials.ts'
import { toUtcTime } from '../src/lib/time.ts'
import { databaseOptions } from '../src/open.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'

/**
 * The reference: nothing but node:http, the same statements on a connection of its own, the nesting of their
 * rows, and JSON.stringify. No checks of arguments, no state, no log, no limits.
 */
const ctx = await benchContext(process.env)
const db = bareReader(databaseOptions(ctx.config))
const query = { show_pending: false, type: 'all', is_enriched: false } as const

const server = createServer((request, response) => {
  answer(request.headers.authorization ?? '').then(
    (body) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function answer(authorization: string): Promise<string> {
  const hash = hashToken(authorization.slice('Bearer '.length))
  const [token] = await findApiToken(db, { hash, now: toUtcTime(Date.now()) })
  if (!token) throw new Error('No such token.')
  const scope = systemScope({ developerId: token.developer_id, productId: token.product_id })
  const { known } = await tableState({ ...ctx, db }, scope, query)
  return JSON.stringify(await pricingTable({ ...ctx, db }, query, known))
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
