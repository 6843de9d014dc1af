import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOwner } from '../../../test/installs.ts'
import { asOwner, livedPerson } from '../../../test/persons.ts'
import { placesOf } from '../../../test/places-of-texts.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { addWebhook, startReceiver, type Receiver } from '../../../test/webhooks.ts'
import { createSeller } from '../../../test/factories.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { verifyAuditChain } from '../../access/verify-audit.ts'
import { deliverEvents } from '../../events/delivery/deliver-events-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { eraseUsers } from './erase-job.ts'

const ADA = { email: 'Ada+Shop@Example.com', last: 'Zorgnaxen', ip: '198.51.100.77' }
const BOB = { email: 'bob+shop@example.net', last: 'Quillbrandt' }

/** What the law has kept: the text of invoices, as they were issued. */
const KEPT = ['invoices.content']

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
  const before = await placesOf(app.ctx, [ADA.email, ADA.last, ADA.ip])
  assert.ok(before.length > 25, before.join(' '))
  const bobBefore = await placesOf(app.ctx, [BOB.email, BOB.last])
  const ledger = await app.ctx.db.selectFrom('postings').selectAll().orderBy('id').execute()

  const as = await asOwner(app)
  const reply = await as('POST', `/users/${ada.id}/erasure.json`, { email: ADA.email })
  assert.equal(reply.status, 202, reply.text)
  assert.equal(reply.json.state, 'erasing')
  await eraseAll()

  assert.deepEqual(await placesOf(app.ctx, [ADA.email, ADA.last, ADA.ip]), KEPT)
  assert.deepEqual(await placesOf(app.ctx, [BOB.email, BOB.last]), bobBefore)
  assert.deepEqual(await app.ctx.db.selectFrom('postings').selectAll().orderBy('id').execute(), ledger)
  assert.deepEqual(await ledgerFaults(app), [])
  const { firstBadSeq, redacted } = await verifyAuditChain(app.ctx.db)
  assert.equal(firstBadSeq, null)
  assert.ok((redacted ?? 0) >= 2)
  assert.equal((await as('GET', `/users/${ada.id}.json`)).status, 404)
  assert.equal((await as('GET', `/users/${bob.id}.json`)).json.email, BOB.email)
})

test('a person of another seller with the same address stays as it is', async () => {
  const who = { email: 'carol+both@example.org', last: 'Mirkwelder' }
  const other = await app.write((tx) => createSeller(tx, 'other-seller@example.com'))
  const { product } = other
  const { id } = await createOwner(app, who.email, product)
  const path = `/products/${product.id}/users/${id}`
  const body = { first: 'Carol', last: who.last, email: who.email }
  await app.call('PUT', `${path}/billing.json`, { token: product.token, body })
  await app.call('POST', `${path}/note.json`, { token: product.token, body: { note: who.email } })
  const theirs = await placesOf(app.ctx, [who.email, who.last])
  const carol = await livedPerson(app, who)
  const as = await asOwner(app)
  assert.equal((await as('POST', `/users/${carol.id}/erasure.json`, { email: who.email })).status, 202)
  await eraseAll()
  assert.deepEqual(await placesOf(app.ctx, [who.email, who.last]), [...theirs, ...KEPT].toSorted())
  const { json } = await app.call('GET', `${path}.json`, { token: product.token })
  assert.equal(json.email, who.email)
})
