import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { systemScope } from '../../access/scope.ts'
import { search } from './search.ts'

let app: TestApp
const statements: string[] = []
before(async () => {
  app = await startTestApp('search_indexes', {
    onStatement: async (sql: string) => void statements.push(sql),
  })
})
after(() => app.close())

/** What tables that grow without end are read by. */
const GROWING =
  /^(SEARCH|SCAN) (licenses|payments|subscriptions|installs|users|trials|carts|events|audit_log)\b/

/** By what the text may be, or by a row that was found so. */
const LOOKED_UP =
  /^SEARCH \w+ USING (INTEGER PRIMARY KEY|INDEX \w+) \(.*\b(rowid|key_hash|external_id|host|email_folded|request_id)[=>]/

test('each thing that a text may be is looked up by the index that has it, not among all of the seller', async () => {
  statements.length = 0
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  await app.write(async (tx) => {
    for (const q of ['7', 'shop.example.org']) await search(tx, scope, { q, count: 10 })
  })
  const searches = statements.filter((sql) => sql.includes('audit_log_found'))
  assert.equal(searches.length, 2)
  for (const sql of searches) {
    const read = (await stepsOf(app.ctx.db, { sql })).filter((detail) => GROWING.test(detail))
    assert.ok(read.length > 5)
    for (const detail of read) assert.match(detail, LOOKED_UP)
  }
})
