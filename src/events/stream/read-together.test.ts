// Runs beside others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { countStatements } from '../../../test/count-statements.ts'
import { testEngine } from '../../../test/database.ts'
import { read, streamOf } from '../../../test/event-stream.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { happen } from '../../../test/webhooks.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import { runDue } from '../../jobs/worker.ts'
import { deliverEvents } from '../delivery/deliver-events-job.ts'

const READERS = 12
const EVENTS = 5

let app: TestApp
let rival: Seller
before(async () => {
  app = await startTestApp('read_together')
  rival = await app.write((tx) => createSeller(tx, 'rival@example.com'))
})
after(() => app.close())

test('an event is read once for the streams that wait at the same place, and for none of another product', async () => {
  const { product } = app.seller
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: product.id, name: 'another', expiresAt: null }),
  )
  // What came before is behind where they begin.
  await runDue(app.ctx, [deliverEvents])
  const counted = countStatements(app.ctx.db, testEngine())
  Object.assign(app.ctx, { db: counted.db })
  const url = streamOf(app).replace(`/${product.id}/`, `/${rival.product.id}/`)
  const other = await read(app, { authorization: `Bearer ${rival.product.token}`, url })
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, n) =>
      read(app, n % 2 === 0 ? {} : { authorization: `Bearer ${token}` }),
    ),
  )
  counted.taken()
  for (let n = 1; n <= EVENTS; n++) {
    await happen(app, [n])
    await runDue(app.ctx, [deliverEvents])
    await Promise.all(readers.map((reader) => reader.has(n)))
  }
  const reads = counted.taken().filter((text) => /from "events".*"seq" > /s.test(text)).length
  for (const reader of [...readers, other]) reader.close()
  assert.ok(reads >= EVENTS, `${reads} reads are seen`)
  assert.ok(reads < (READERS * EVENTS) / 2, `${reads} reads for ${READERS} streams and ${EVENTS} events`)
  assert.deepEqual(other.seen, [])
})
