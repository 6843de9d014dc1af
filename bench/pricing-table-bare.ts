import { pricingTable, tableState } from '../src/sales/pricing-table/pricing-table.ts'
import { findApiToken } from '../src/access/credential-rows.ts'
import { systemScope } from '../src/access/scope.ts'
import { hashToken } from '../src/lib/credentials.ts'
import { toUtcTime } from '../src/lib/time.ts'
import { databaseOptions } from '../src/open.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'
import { serveBare } from './serve-bare.ts'

/**
 * The reference: nothing but node:http, the same statements on a connection of its own, the nesting of their
 * rows, and JSON.stringify. No checks of arguments, no state, no log, no limits.
 */
const ctx = await benchContext(process.env)
const db = bareReader(databaseOptions(ctx.config))
const query = { show_pending: false, type: 'all', is_enriched: false } as const

async function answer(authorization: string): Promise<string> {
  const hash = hashToken(authorization.slice('Bearer '.length))
  const [token] = await findApiToken(db, { hash, now: toUtcTime(Date.now()) })
  if (!token?.product_id) throw new Error('No such token.')
  const scope = systemScope({ developerId: token.developer_id, productId: token.product_id })
  const { known } = await tableState({ ...ctx, db }, scope, query)
  return JSON.stringify(await pricingTable({ ...ctx, db }, query, known))
}

await serveBare(async ({ headers }) => ({ status: 200, body: await answer(headers.authorization ?? '') }))
