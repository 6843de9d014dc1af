// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { livedPerson } from '../../../test/persons.ts'
import { placesOf } from '../../../test/places-of-texts.ts'
import { ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { verifyAuditChain } from '../../access/verify-audit.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { eraseUsers } from './erase-job.ts'
import { eraseUser } from './erase-user.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('erase_crash')
})
after(() => app.close())

test('what is done at once is done whole or not at all, wherever it is broken off', async () => {
  const { owner } = await sell(app)
  const changed = await cutEverywhere(app, 'fails', (tx) => eraseUser(tx, scopeOf(app), owner.id))
  assert.ok(
    ['erasures', 'events', 'product_users', 'subscriptions', 'users'].every((table) =>
      changed.includes(table),
    ),
  )
})

test('a job that is killed anywhere is gone on with by another process, until nothing is left', async () => {
  const who = { email: 'killed+often@example.com', last: 'Vexnoritz' }
  const { id } = await livedPerson(app, who)
  app.ctx.clock.advance(MINUTE)
  await runDue(app.ctx, [chainAudit])
  await app.write((tx) => eraseUser(tx, scopeOf(app), id))
  const isFinished = async () => {
    const row = await app.ctx.db
      .selectFrom('erasures')
      .select('finished_at')
      .where('user_id', '=', id)
      .executeTakeFirst()
    return row?.finished_at !== null
  }
  let deaths = 0
  // Each process dies a few statements later than the one before, and begins with what that has left.
  for (let n = 3; !(await isFinished()); n = n > 40 ? 3 : n + 3) {
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [eraseUsers]).catch(() => undefined)
    if (dying.isDead()) deaths++
    await dying.close()
    // Longer than the lease of who died, and soon the second round is due.
    app.ctx.clock.advance(HOUR + MINUTE)
    await runDue(app.ctx, [chainAudit])
    assert.ok(deaths < 500)
  }
  assert.ok(deaths > 20, String(deaths))
  assert.deepEqual(await placesOf(app.ctx, [who.email, who.last]), ['invoices.content'])
  assert.deepEqual(await ledgerFaults(app), [])
  assert.equal((await verifyAuditChain(app.ctx.db)).firstBadSeq, null)
})
