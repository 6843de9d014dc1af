import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { sandboxProof } from '../../../test/checkouts.ts'
import { countStatements, type Counted } from '../../../test/count-statements.ts'
import type { Database, Writer } from '../../db/database.ts'
import { startServer, type RunningServer } from '../../start.ts'

let app: TestApp
let server: RunningServer
let pricingId: number
const taken: (() => string[])[] = []

const counting = (counted: Counted) => {
  taken.push(() => counted.taken())
  return counted.db
}

/** Whose transactions are counted as what is read outside of them is. */
function counted(database: Database): Database {
  const { engine } = database
  return {
    ...database,
    transaction: (work) =>
      database.transaction((db) => work(counting(countStatements(db, engine)) as unknown as Writer)),
  }
}

before(async () => {
  app = await startTestApp('purchase_statements')
  const { database } = app.ctx
  const db = counting(countStatements(database.reader, database.engine))
  server = await startServer({ ...app.ctx, db, database: counted(database) })
  const developer = await asDeveloper(app)
  const base = `/products/${app.seller.product.id}`
  const plan = await developer('POST', `${base}/plans.json`, { name: 'professional' })
  const price = { annual_price: 99.5, licenses: 1, currency: 'usd' }
  const made = await developer('POST', `${base}/plans/${plan.json.id}/pricing.json`, price)
  pricingId = Number(made.json.pricing.id)
})
after(async () => {
  await server.stop()
  await app.close()
})

async function ask(method: string, path: string, body?: object) {
  taken.forEach((take) => take())
  const response = await fetch(`${server.address}/v1/checkout/sessions${path}.json`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as { readonly id: string; readonly state: string }
  // What strangers did is noted in the audit log at a time of its own.
  const statements = taken.flatMap((take) => take()).filter((sql) => !sql.includes('audit_log'))
  return { ...json, statements }
}

test('a purchase in a sandbox takes no more statements than ARCHITECTURE.md says', async () => {
  const opening = {
    ...(await sandboxProof(app.ctx, app.seller.product.id)),
    pricing_id: pricingId,
    user_email: 'ada@example.com',
    user_firstname: 'Ada',
    country_code: 'US',
  }
  const opened = await ask('POST', '', opening)
  const shown = await ask('GET', `/${opened.id}`)
  const paid = await ask('POST', `/${opened.id}/pay`, { payment_token: 'test_succeeds' })
  assert.equal(paid.state, 'paid')
  const counts = [opened, shown, paid].map(({ statements }) => statements.length)
  assert.deepEqual(counts, [8, 2, 38], paid.statements.join('\n'))
})
