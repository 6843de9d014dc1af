import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser, type CallAs } from '../../../test/callers.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { createOwner } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { asOwner } from '../../../test/persons.ts'
import { asEntered } from '../../../test/portal-sessions.ts'
import { payCheckout } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { chainAudit } from '../../access/chain-audit-job.ts'
import type { TxContext } from '../../context.ts'
import type { MailRow } from '../../mail/mail-rows.ts'
import type { Role } from '../../access/roles.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import { invoiceOfPayment } from '../invoices/of-payment.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { addMember } from '../../accounts/team/members.ts'
import { eraseUsers } from './erase-job.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('erase_rules')
  owner = await asOwner(app)
})
after(() => app.close())

const erase = (id: number, email: string, as = owner) => as('POST', `/users/${id}/erasure.json`, { email })
const codeOf = ({ status, json }: Awaited<ReturnType<CallAs>>) => [status, json?.error?.code]
async function finish(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    app.ctx.clock.advance(HOUR + MINUTE)
    await runDue(app.ctx, [chainAudit])
    await runDue(app.ctx, [eraseUsers])
  }
}
/** A mail of a user. */
const mailed = ({ db, clock }: TxContext, user_id: number, mail: Mailed) =>
  db
    .insertInto('mails')
    .values({
      ...mail,
      user_id,
      developer_id: app.seller.developer.id,
      product_id: app.seller.product.id,
      created_at: clock.real(),
      lease_until: 0,
      fence: 0,
    })
    .execute()
type Mailed = Pick<MailRow, 'kind' | 'recipient' | 'state' | 'attempts'>
const countMails = async (userId: number) =>
  (await app.ctx.db.selectFrom('mails').select('id').where('user_id', '=', userId).execute()).length

/** As a person who has followed a link that opens all products of the seller. */
async function asPerson(id: number, of = id): Promise<CallAs> {
  const { access } = await app.write((tx) =>
    issueAccessToken(tx, { developerId: app.seller.developer.id, userId: id }),
  )
  const headers = { authorization: `FSA ${id}:${access}` }
  return (method, path, body) =>
    app.call(method, `/users/${of}${path}`, { token: null, headers, ...(body !== undefined && { body }) })
}
/** As a member of the team, in the first product. */
async function asMember(role: Role): Promise<CallAs> {
  const { developer, product } = app.seller
  const access = await app.write(async (tx) => {
    const { id } = await addMember(tx, scopeOf(app), { email: `${role}@example.com`, role })
    const { person_id: personId } = await tx.db
      .updateTable('members')
      .set({ accepted_at: tx.clock.now() })
      .where('id', '=', Number(id))
      .returning('person_id')
      .executeTakeFirstOrThrow()
    return (await issueAccessToken(tx, { developerId: developer.id, userId: null, personId })).access
  })
  const headers = { authorization: `FSA ${developer.id}:${access}` }
  return (method, path, body) =>
    app.call(method, `/developers/${developer.id}/products/${product.id}${path}`, {
      token: null,
      headers,
      ...(body !== undefined && { body }),
    })
}

test('nobody is erased by another address than their own, and an address in other letters is the same', async () => {
  const { id } = await createOwner(app, 'typed@example.com')
  assert.equal((await erase(id, 'other@example.com')).status, 400)
  assert.equal((await owner('GET', `/users/${id}.json`)).status, 200)
  assert.equal((await erase(id, ' Typed@EXAMPLE.com')).status, 202)
  assert.equal((await owner('GET', `/users/${id}.json`)).status, 404)
})

test('a person is erased once, however often it is asked for, and told as erased when nothing is left', async () => {
  const { id } = await createOwner(app, 'once@example.com')
  const replies = await Promise.all(Array.from({ length: 5 }, () => erase(id, 'once@example.com')))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202]))
  assert.equal((await erase(id, 'once@example.com')).json.state, 'erasing')
  await finish()
  const after = await erase(id, 'whatever')
  assert.equal(after.json.state, 'erased')
  assert.equal(typeof after.json.finished, 'string')
  const events = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'user.erased')
    .where('user_id', '=', id)
    .execute()
  assert.deepEqual(
    events.map(({ data }) => data),
    [`{"user_id":"${id}"}`],
  )
  const row = await app.ctx.db.selectFrom('erasures').selectAll().where('user_id', '=', id).executeTakeFirst()
  assert.equal(row?.addresses, null)
})

test('while a payment is under way nobody is erased, and nothing has changed', async () => {
  const { owner: buyer, subscription } = await sell(app)
  const offer = await offerFor(app, 3)
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId: offer.pricingId, email: buyer.email }),
  )
  await app.write(({ db }) =>
    db.updateTable('checkouts').set({ state: 'paying' }).where('email', '=', buyer.email).execute(),
  )
  assert.deepEqual(codeOf(await erase(buyer.id, buyer.email)), [400, 'payment_under_way'])
  const { canceled_at } = await app.ctx.db
    .selectFrom('subscriptions')
    .select('canceled_at')
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  assert.equal(canceled_at, null)
  await app.write(({ db }) =>
    db.updateTable('checkouts').set({ state: 'open' }).where('email', '=', buyer.email).execute(),
  )
  assert.equal((await erase(buyer.id, buyer.email)).status, 202)
  assert.equal((await payCheckout(app, token, 'test_succeeds')).status, 404)
})

test('a purchase and an erasure at the same moment: one of both is refused, or the buyer is somebody else', async () => {
  const offer = await offerFor(app, 3)
  for (let round = 0; round < 4; round++) {
    const { id, email } = await createOwner(app, `race${round}@example.com`)
    const token = await app.write((tx) =>
      openSandboxCheckout(tx, scopeOf(app), { pricingId: offer.pricingId, email }),
    )
    const [paid, erased] = await Promise.all([payCheckout(app, token, 'test_succeeds'), erase(id, email)])
    if (erased.status !== 202) assert.deepEqual(codeOf(erased), [400, 'payment_under_way'])
    await finish()
    const user = await app.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(user.email, erased.status === 202 ? '' : email)
    if (paid.status === 200 && erased.status === 202) {
      const left = await app.ctx.db
        .selectFrom('licenses')
        .select('id')
        .where('user_id', '=', id)
        .where('is_cancelled', '=', false)
        .execute()
      assert.deepEqual(left, [])
    }
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

const resumesAt = async (id: number) => {
  const row = await app.ctx.db
    .selectFrom('subscriptions')
    .select('resumes_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.resumes_at
}

test('subscriptions of an erased person end without a mail for good, licenses with them, and nothing is mailed later', async () => {
  const { owner: buyer, subscription, license, payment } = await sell(app)
  const { subscription: earlier } = await sell(app, { owner: buyer })
  const elsewhere = await sell(app, { owner: buyer, payment: { gateway: null } })
  assert.equal((await owner('DELETE', `/subscriptions/${earlier.id}.json`)).status, 200)
  assert.notEqual(await resumesAt(earlier.id), null)
  assert.equal((await erase(buyer.id, buyer.email)).status, 202)
  assert.equal(await resumesAt(earlier.id), null)
  await finish()
  assert.equal((await owner('GET', `/licenses/${license.id}.json`)).json.is_cancelled, true)
  assert.notEqual((await owner('GET', `/subscriptions/${subscription.id}.json`)).json.canceled_at, null)
  await app.write((tx) => openDispute(tx, scopeOf(app), { paymentId: payment.id, minor: 5999, fee: 0 }))
  await app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId: payment.id, isWon: false }))
  const back = await owner('POST', `/payments/${elsewhere.payment.id}/refunds.json`, {})
  assert.equal(back.status, 201, back.text)
  const mails = await app.ctx.db
    .selectFrom('mails')
    .select(['id', 'recipient'])
    .where('user_id', '=', buyer.id)
    .execute()
  assert.deepEqual(mails, [])
})

test('what corrects an invoice of an erased person names the buyer as the invoice does', async () => {
  const { owner: buyer, payment } = await sell(app, { payment: { gateway: null, gross: 0, tax: 0 } })
  const disputed = await sell(app, { owner: buyer })
  assert.equal((await erase(buyer.id, buyer.email)).status, 202)
  await finish()
  await app.write((tx) =>
    openDispute(tx, scopeOf(app), { paymentId: disputed.payment.id, minor: 5999, fee: 0 }),
  )
  const lost = await app.write((tx) =>
    settleDispute(tx, scopeOf(app), { paymentId: disputed.payment.id, isWon: false }),
  )
  const sold = await invoiceOfPayment(app.ctx, scopeOf(app), { paymentId: disputed.payment.id })
  const credited = await invoiceOfPayment(app.ctx, scopeOf(app), { paymentId: lost.id })
  assert.equal(sold.buyer.name, 'Some Body')
  assert.deepEqual(credited.buyer, sold.buyer)
  void payment
})

test('who buys again with the address of an erased person is somebody else, whose data stays', async () => {
  const email = 'again@example.com'
  const { id } = await createOwner(app, email)
  assert.equal((await erase(id, email)).status, 202)
  const other = await createOwner(app, email)
  assert.notEqual(other.id, id)
  await sell(app, { owner: other })
  const keys = { kind: 'license', recipient: email, state: 'sent', attempts: 1 } as const
  await app.write((tx) => mailed(tx, other.id, keys))
  await finish()
  const { json } = await owner('GET', `/users/${other.id}.json`)
  assert.deepEqual([json.email, json.first, json.last], [email, 'Some', 'Body'])
  const { json: listed } = await owner('GET', `/users/${other.id}/licenses.json`)
  assert.equal(listed.licenses.length, 1)
  assert.equal(listed.licenses[0].is_cancelled, false)
  assert.equal(await countMails(other.id), 1)
})

test('what a request that had begun before writes after the erasure is gone with the second round', async () => {
  const { id, email } = await createOwner(app, 'late@example.com')
  assert.equal((await erase(id, email)).status, 202)
  await app.write(async ({ db }) => {
    const late = { first: 'Late', last: 'Comer', email, email_folded: email }
    await db.updateTable('users').set(late).where('id', '=', id).execute()
  })
  await app.write((tx) => mailed(tx, id, { kind: 'receipt', recipient: email, state: 'sent', attempts: 1 }))
  await finish()
  const user = await app.ctx.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual([user.first, user.last, user.email], ['', '', ''])
  assert.equal(await countMails(id), 0)
})

test('a person erases the own data when signed in to all of the seller, and is signed out everywhere', async () => {
  const { owner: buyer } = await sell(app)
  const other = await createOwner(app)
  const as = await asPerson(buyer.id)
  assert.equal((await as('GET', '/licenses.json')).status, 200)
  assert.equal((await as('POST', '/erasure.json', { email: other.email })).status, 400)
  const asOther = await asPerson(other.id, buyer.id)
  assert.equal((await asOther('POST', '/erasure.json', { email: buyer.email })).status, 401)
  assert.equal((await as('POST', '/erasure.json', { email: buyer.email })).status, 202)
  assert.equal((await as('GET', '/licenses.json')).status, 401)
  assert.equal((await owner('GET', `/users/${other.id}.json`)).status, 200)
})

test('keys and visits that do not prove the person for all products neither read nor erase the data', async () => {
  const { email, ...keys } = await createOwner(app)
  for (const as of [asUser(app, keys), await asEntered(app, keys)]) {
    assert.equal((await as('GET', '.json')).status, 200)
    assert.equal((await as('GET', '/export.json')).status, 401)
    assert.equal((await as('POST', '/erasure.json', { email })).status, 401)
  }
  assert.equal((await owner('GET', `/users/${keys.id}.json`)).status, 200)
})

test('a member whose role is limited neither reads nor erases', async () => {
  const { id, email } = await createOwner(app)
  for (const role of ['support', 'developer', 'accountant'] as const) {
    const as = await asMember(role)
    assert.deepEqual(codeOf(await as('GET', `/users/${id}/export.json`)), [401, 'role_not_allowed'])
    assert.deepEqual(codeOf(await erase(id, email, as)), [401, 'role_not_allowed'])
  }
  const admin = await asMember('admin')
  assert.equal((await admin('GET', `/users/${id}/export.json`)).status, 200)
  assert.equal((await erase(id, email, admin)).status, 202)
})
