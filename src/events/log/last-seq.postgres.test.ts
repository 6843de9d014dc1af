import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { scopeOf } from '../../../test/sales.ts'
import { happen } from '../../../test/webhooks.ts'
import { deliverEvents } from '../delivery/deliver-events-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { lastSeq } from './event-rows.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('last_seq')
})
after(() => app.close())

test('a stream begins after the last event that has its place, whatever waits for one', async () => {
  await happen(app, [1])
  await runDue(app.ctx, [deliverEvents])
  const last = await lastSeq(app.ctx.db, scopeOf(app))
  assert.ok(last > 0)
  await happen(app, [2])
  assert.equal(await lastSeq(app.ctx.db, scopeOf(app)), last)
})
