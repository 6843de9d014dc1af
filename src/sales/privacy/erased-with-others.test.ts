import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { asOwner } from '../../../test/persons.ts'
import { scopeOf, sell } from '../../../test/sales.ts'
import { audit } from '../../access/audit.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { WORK_PLACE } from '../../licensing/activation/pending-activations.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { invoiceOfPayment } from '../invoices/of-payment.ts'
import { eraseUsers } from './erase-job.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('erased_with_others')
  owner = await asOwner(app)
})
after(() => app.close())

async function erase({ id, email }: { readonly id: number; readonly email: string }): Promise<void> {
  assert.equal((await owner('POST', `/users/${id}/erasure.json`, { email })).status, 202)
  for (let round = 0; round < 2; round++) {
    app.ctx.clock.advance(HOUR + MINUTE)
    await runDue(app.ctx, [chainAudit])
    await runDue(app.ctx, [eraseUsers])
  }
}

test('an invoice whose text was not kept yet names its buyer after the erasure', async () => {
  const { owner: buyer, payment } = await sell(app)
  await app.write(({ db }) =>
    db.updateTable('invoices').set({ content: null }).where('payment_id', '=', payment.id).execute(),
  )
  await erase(buyer)
  const { buyer: named } = await invoiceOfPayment(app.ctx, scopeOf(app), { paymentId: payment.id })
  assert.equal(named.name, 'Some Body')
})

test('an opt-in that waits for its link is gone with whose address it has, and that of anybody else stays', async () => {
  const person = await createOwner(app, 'waiting@example.com')
  const work = (email: string) => app.ctx.keys.seal(JSON.stringify({ email }), WORK_PLACE)
  const ids = await app.write(({ db, clock }) =>
    db
      .insertInto('pending_activations')
      .values(
        [person.email, 'somebody@example.com'].map((email) => ({
          product_id: app.seller.product.id,
          user_id: null,
          token_hash: `hash of ${email}`,
          work: work(email),
          used_at: null,
          expires_at: toUtcTime(clock.real() + DAY),
          created: clock.now(),
        })),
      )
      .returning('id')
      .execute(),
  )
  await erase(person)
  const left = await app.ctx.db.selectFrom('pending_activations').select('id').execute()
  assert.deepEqual(left, ids.slice(1))
})

test('where the sites of an erased person called from is gone from the audit log, and of others is not', async () => {
  const person = await createOwner(app, 'site@example.com')
  const other = await createOwner(app, 'other@example.com')
  const sites = [await createInstallOf(app, person), await createInstallOf(app, other)]
  await app.write(async (tx) => {
    for (const { id } of sites) {
      const actor = { kind: 'install', id: Number(id), credential: 'install' } as const
      const of = { productId: app.seller.product.id, developerId: app.seller.developer.id }
      const how = { ip: '203.0.113.9', requestId: null, details: {} }
      await audit(tx, { action: 'called', actor, ...of, ...how })
    }
  })
  await erase(person)
  const rows = await app.ctx.db
    .selectFrom('audit_log')
    .select('ip')
    .where('action', '=', 'called')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ ip }) => ip),
    [null, '203.0.113.9'],
  )
})
