import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import { eventsAbout, scopeOf } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { startSubscription } from './start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('resume')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`

type Sold = Awaited<ReturnType<typeof subscribed>>

/** A buyer of a subscription, in the portal. */
async function bought(given: Parameters<typeof subscribed>[1] = {}) {
  const sold = await subscribed(app, given)
  const { call } = await inPortal(app, { id: sold.userId })
  const path = own(`/subscriptions/${sold.subscription.id}`)
  return {
    ...sold,
    cancel: async () => expectOk(await call('DELETE', `${path}.json`)),
    resume: () => call('POST', `${path}/resume.json`),
    resumesAt: async () => expectOk(await call('GET', `${path}/choices.json`)).json.resumes_at,
  }
}

const rowOf = ({ subscription: { id } }: Pick<Sold, 'subscription'>) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const paymentsOf = async ({ subscription: { id } }: Pick<Sold, 'subscription'>) =>
  (await app.ctx.db.selectFrom('payments').select('id').where('subscription_id', '=', id).execute()).length

const answer = async (reply: ReturnType<TestApp['call']>) => {
  const { status, json } = await reply
  return `${status} ${json.error?.code ?? 'ok'}`
}
const REFUSED = '400 subscription_not_resumable'

test('what was cancelled goes on as it was, is charged once when it would have been, and its buyer is told', async () => {
  const sold = await bought()
  const before = await rowOf(sold)
  await sold.cancel()
  assert.equal(await sold.resumesAt(), sold.next)
  const { json } = expectOk(await sold.resume())
  assert.deepEqual([json.canceled_at, json.next_payment], [null, sold.next])
  const { updated: _updated, ...after } = await rowOf(sold)
  const { updated: _before, ...kept } = before
  assert.deepEqual(after, kept, 'it is as it was')
  assert.deepEqual(await eventsAbout(app, 'subscription_id', sold.subscription.id), [
    'subscription.created',
    'subscription.cancelled',
    'subscription.resumed',
  ])
  assert.match(kindsOf(await mailsTo(app, sold.email)), /subscription_cancelled,? ?subscription_resumed$/)
  assert.equal((await auditOf(app, 'keywright/resume-subscription')).at(-1)?.actor_kind, 'user')
  await renewAt(app, sold.next)
  assert.equal(await paymentsOf(sold), 1)
  assert.equal((await rowOf(sold)).next_payment, addMonths(toUtcTime(START), 2))
})

test('the event of what goes on names the install that it was bought on', async () => {
  const sold = await bought()
  const install = await createInstallOf(app, { id: sold.userId })
  const set = { install_id: Number(install.id) }
  const { id } = sold.subscription
  await app.write(({ db }) => db.updateTable('subscriptions').set(set).where('id', '=', id).execute())
  await sold.cancel()
  expectOk(await sold.resume())
  const told = await app.ctx.db
    .selectFrom('events')
    .select('install_id')
    .where('type', '=', 'subscription.resumed')
    .where('user_id', '=', sold.userId)
    .execute()
  assert.deepEqual(told, [set])
})

test('of ten who resume at once one does, and one that goes on stays as it is', async () => {
  const sold = await bought()
  await sold.cancel()
  const replies = await Promise.all(Array.from({ length: 10 }, () => sold.resume()))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const types = await eventsAbout(app, 'subscription_id', sold.subscription.id)
  assert.equal(types.filter((type) => type === 'subscription.resumed').length, 1)
  assert.equal(await answer(sold.resume()), '200 ok')
})

test('when the paid period is over nothing is resumed', async () => {
  const sold = await bought()
  await sold.cancel()
  app.ctx.clock.set(fromUtcTime(sold.next))
  const path = own(`/subscriptions/${sold.subscription.id}`)
  assert.equal(expectOk(await app.call('GET', `${path}/choices.json`)).json.resumes_at, null)
  assert.equal(await answer(app.call('POST', `${path}/resume.json`, { body: {} })), REFUSED)
})

test('what owes, is on trial, is paid elsewhere or has no method of payment ends for good', async () => {
  const next = addMonths(toUtcTime(START), 1)
  for (const more of [
    { failed_payments: 1, outstanding_balance: 1_000 },
    { trial_ends: next },
    { is_elsewhere: true },
  ]) {
    const sold = await bought()
    await app.ctx.database.transaction((db) =>
      db.updateTable('subscriptions').set(more).where('id', '=', sold.subscription.id).execute(),
    )
    await sold.cancel()
    assert.equal(await answer(sold.resume()), REFUSED, JSON.stringify(more))
  }
  const free = await bought({ token: null })
  await free.cancel()
  assert.equal(await answer(free.resume()), REFUSED)
})

test('what another subscription came after is not resumed, also when that is cancelled too', async () => {
  const sold = await bought()
  await sold.cancel()
  const { id: _id, ...row } = sold.subscription
  const later = await app.write((tx) =>
    startSubscription(tx, scopeOf(app), { ...row, period_start: row.period_start, next_payment: sold.next }),
  )
  assert.equal(await answer(sold.resume()), REFUSED)
  expectOk(await app.call('DELETE', own(`/subscriptions/${later.id}.json`)))
  assert.equal(await answer(sold.resume()), REFUSED)
})

test('a license that is cancelled, over or without an end is not renewed again', async () => {
  for (const change of [
    { is_cancelled: true },
    { expiration: toUtcTime(START - DAY) },
    { expiration: null },
  ]) {
    const sold = await bought()
    await sold.cancel()
    await app.ctx.database.transaction((db) =>
      db.updateTable('licenses').set(change).where('id', '=', sold.licenseId).execute(),
    )
    assert.equal(await answer(sold.resume()), REFUSED, JSON.stringify(change))
  }
})

test('what was paid last and given back is not resumed', async () => {
  const sold = await bought()
  await renewAt(app, sold.next)
  const path = own(`/subscriptions/${sold.subscription.id}`)
  expectOk(await app.call('DELETE', `${path}.json`))
  const { resumes_at: at } = await rowOf(sold)
  assert.equal(at, addMonths(toUtcTime(START), 2))
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('payments')
      .set(({ ref }) => ({ refunded_gross: ref('gross') }))
      .where('subscription_id', '=', sold.subscription.id)
      .execute(),
  )
  assert.equal(await answer(app.call('POST', `${path}/resume.json`, { body: {} })), REFUSED)
})

test('a subscription that ended by itself or was replaced is not resumed', async () => {
  const sold = await bought()
  const path = own(`/licenses/${sold.licenseId}.json`)
  expectOk(await app.call('PUT', path, { body: { expiration: null } }))
  assert.notEqual((await rowOf(sold)).canceled_at, null)
  expectOk(await app.call('PUT', path, { body: { expiration: toUtcTime(START + 90 * DAY) } }))
  assert.equal(await answer(sold.resume()), REFUSED)
})

test('another buyer resumes nothing; the seller does', async () => {
  const sold = await bought()
  await sold.cancel()
  const path = own(`/subscriptions/${sold.subscription.id}`)
  const stranger = await inPortal(app, { id: await userOf(app, 'stranger@example.com') })
  assert.equal(await answer(stranger.call('POST', `${path}/resume.json`)), '404 not_found')
  assert.equal(await answer(stranger.call('GET', `${path}/choices.json`)), '404 not_found')
  assert.equal(await answer(app.call('POST', `${path}/resume.json`, { body: {} })), '200 ok')
})
