import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asOwner, livedPerson, placesOf } from '../../../test/persons.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { addWebhook, startReceiver, type Receiver } from '../../../test/webhooks.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { verifyAuditChain } from '../../access/verify-audit.ts'
import { deliverEvents } from '../../events/delivery/deliver-events-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { eraseUsers } from './erase-job.ts'

const ADA = { email: 'Ada+Shop@Example.com', last: 'Zorgnaxen' }
const BOB = { email: 'bob+shop@example.net', last: 'Quillbrandt' }

let app: TestApp
let receiver: Receiver
before(async () => {
  app = await startTestApp('erasure', { config: { mode: 'development' } })
  receiver = await startReceiver()
  receiver.answer = (response, { body }) => response.end(body)
  await addWebhook(app, { url: receiver.url })
})
after(async () => {
  await receiver.close()
  await app.close()
})

const chain = async () => {
  app.ctx.clock.advance(6_000)
  await runDue(app.ctx, [chainAudit])
}
/** Both rounds of the job. */
async function eraseAll(): Promise<void> {
  await chain()
  await runDue(app.ctx, [eraseUsers])
  app.ctx.clock.advance(HOUR + MINUTE)
  await chain()
  await runDue(app.ctx, [eraseUsers])
}

test('of an erased person nothing is left in any column of the database but what the law has kept', async () => {
  const ada = await livedPerson(app, ADA)
  const bob = await livedPerson(app, BOB)
  await livedPerson(app, { email: ADA.email.replace('Ada', 'Adabel'), last: 'Tervixar' }, app.seller.other)
  await runDue(app.ctx, [deliverEvents])
  await chain()
  const texts = [ADA.email, ADA.last, '198.51.100.77']
  const before = await placesOf(app.ctx, [ADA.email, ADA.last])
  assert.ok(before.length > 25, before.join(' '))
  const bobBefore = await placesOf(app.ctx, [BOB.email, BOB.last])
  const ledger = await app.ctx.db.selectFrom('postings').selectAll().orderBy('id').execute()

  const as = await asOwner(app)
  const reply = await as('POST', `/users/${ada.id}/erasure.json`, { email: ADA.email })
  assert.equal(reply.status, 202, reply.text)
  assert.equal(reply.json.state, 'erasing')
  await eraseAll()

  assert.deepEqual(await placesOf(app.ctx, [ADA.email, ADA.last]), ['invoices.content'])
  void texts
  assert.deepEqual(await placesOf(app.ctx, [BOB.email, BOB.last]), bobBefore)
  assert.deepEqual(await app.ctx.db.selectFrom('postings').selectAll().orderBy('id').execute(), ledger)
  assert.deepEqual(await ledgerFaults(app), [])
  const { firstBadSeq, redacted } = await verifyAuditChain(app.ctx.db)
  assert.equal(firstBadSeq, null)
  assert.ok((redacted ?? 0) >= 2)
  assert.equal((await as('GET', `/users/${ada.id}.json`)).status, 404)
  assert.equal((await as('GET', `/users/${bob.id}.json`)).json.email, BOB.email)
})
void (null as Seller | null)
void createSeller
