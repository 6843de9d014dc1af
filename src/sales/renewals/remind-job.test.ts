import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { offerFor } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { eventsAbout, scopeOf, sell, type Sale } from '../../../test/sales.ts'
import { advanceTo, timelineOf } from '../../../test/sandbox.ts'
import { subscriptionsToRemind } from './reminder-queries.ts'
import { giveRenewalReminders } from './reminders.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import { DAY, fromUtcTime, MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { moveNextPayment } from '../subscriptions/queries.ts'
import { remind } from './remind-job.ts'
import { runDue } from '../../jobs/worker.ts'

const SENT = 'subscription.renewal_reminder.sent'

let app: TestApp
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('remind')
  offer = await offerFor(app, 5)
})
after(() => app.close())

type Sold = Awaited<ReturnType<typeof sell>>

const sold = (subscription: Sale['subscription'] = {}) => sell(app, { offer, subscription })
const next = ({ subscription }: Sold) => fromUtcTime(subscription.next_payment ?? toUtcTime(0))
async function at(ms: number): Promise<void> {
  app.ctx.clock.set(ms)
  await runDue(app.ctx, [remind])
}
const remindersTo = async ({ owner }: Sold) =>
  (await mailsTo(app, owner.email)).filter(({ kind }) => kind === 'renewal_reminder').length
const told = async ({ subscription }: Sold) =>
  (await eventsAbout(app, 'subscription_id', subscription.id)).filter((type) => type === SENT).length

test('the buyer of a yearly subscription is reminded once, 30 days before each renewal', async () => {
  const sale = await sold()
  const monthly = await sold({ billing_cycle: 1 })
  const day = next(sale) - 30 * DAY
  await at(day - SECOND)
  assert.equal(await remindersTo(sale), 0)
  for (const ms of [day + 10 * MINUTE, day + DAY, day + 29 * DAY]) await at(ms)
  assert.deepEqual([await remindersTo(sale), await told(sale), await told(monthly)], [1, 1, 0])
  const later = toUtcTime(next(sale) + 365 * DAY)
  const updated = app.ctx.clock.now()
  await app.write((tx) =>
    moveNextPayment(tx.db, scopeOf(app), { id: sale.subscription.id, at: later, updated }),
  )
  await at(next(sale) + 334 * DAY)
  assert.equal(await told(sale), 1)
  await at(next(sale) + 336 * DAY)
  assert.equal(await told(sale), 2)
})

test('a reminder leads to where the renewal is cancelled, into its product alone, until it is due', async () => {
  const sale = await sold()
  await at(next(sale) - 30 * DAY)
  const mail = (await mailsTo(app, sale.owner.email)).find(({ kind }) => kind === 'renewal_reminder')
  const [, token = ''] = /\/portal\/login\?token=(\S+)/.exec(mail?.text ?? '') ?? []
  const follow = () => fetch(`${app.address}/portal/login?token=${token}`, { method: 'POST' })
  app.ctx.clock.set(next(sale) - SECOND)
  const entered = (await (await follow()).json()) as { user_token: { token: { access: string } } }
  const authorization = `FSA ${sale.owner.id}:${entered.user_token.token.access}`
  const cancelled = await app.call(
    'DELETE',
    `/users/${sale.owner.id}/products/${app.seller.product.id}/subscriptions/${sale.subscription.id}.json`,
    { token: null, headers: { authorization } },
  )
  assert.equal(cancelled.status, 200, cancelled.text)
  app.ctx.clock.set(next(sale) + SECOND)
  assert.equal((await follow()).status, 404)
  await app.write(({ db }) =>
    db.updateTable('products').set({ enable_after_purchase_email_login_link: false }).execute(),
  )
  const other = await sold()
  await at(next(other) - 30 * DAY)
  const [plain] = (await mailsTo(app, other.owner.email)).filter(({ kind }) => kind === 'renewal_reminder')
  assert.doesNotMatch(plain?.text ?? '', /\/portal\//)
})

test('after a standstill a renewal that is still to come is told of, one that is past is not', async () => {
  const late = await sold()
  const missed = await sold({ next_payment: toUtcTime(app.ctx.clock.real() + 300 * DAY) })
  await at(next(late) - DAY)
  assert.deepEqual([await told(late), await told(missed)], [1, 0])
  await at(next(late) - DAY / 2)
  assert.equal(await told(late), 1)
})

test('a subscription that goes on as another one is not told of again', async () => {
  const ends = toUtcTime(app.ctx.clock.real() + 20 * DAY)
  const sale = await sold({ next_payment: ends, reminded_for: ends })
  await at(app.ctx.clock.real() + DAY)
  assert.equal(await told(sale), 0)
})

test('what was cancelled, tries the plan, or is charged elsewhere is not told of', async () => {
  const now = app.ctx.clock.real()
  const ends = toUtcTime(now + 20 * DAY)
  const none = [
    await sold({ trial_ends: ends, next_payment: ends }),
    await sold({ source: 3, gateway: null, next_payment: ends }),
  ]
  const cancelled = await sold({ next_payment: ends })
  await app.write((tx) => endSubscription(tx, scopeOf(app), cancelled.subscription))
  await at(now + 15 * DAY)
  for (const sale of [...none, cancelled]) assert.equal(await told(sale), 0)
})

test('of any number of processes one sends a reminder, and none when it is cancelled at that moment', async () => {
  const now = app.ctx.clock.real()
  const soon = { next_payment: toUtcTime(now + 20 * DAY) }
  const [kept, cancelled] = [await sold(soon), await sold(soon)]
  const place = { environment: 0, now: toUtcTime(now), real: now, limit: 100 } as const
  const found = await subscriptionsToRemind(app.ctx.db, place)
  const ids = found.map(({ id }) => id)
  assert.ok(ids.includes(kept.subscription.id) && ids.includes(cancelled.subscription.id))
  await app.write((tx) => endSubscription(tx, scopeOf(app), cancelled.subscription))
  await Promise.all(
    Array.from({ length: 4 }, () => app.write((tx) => giveRenewalReminders(tx, found, place.now))),
  )
  assert.deepEqual([await remindersTo(kept), await told(kept), await told(cancelled)], [1, 1, 0])
})

test('while the clock of a sandbox is moved the reminder comes at its time, and stands in the timeline', async () => {
  const now = app.ctx.clock.of(app.seller.product.id, 1)
  const sale = await sold({ environment: 1, gateway: 'test', next_payment: toUtcTime(now + 100 * DAY) })
  await advanceTo(app, toUtcTime(now + 80 * DAY))
  const mailed = (await timelineOf(app)).filter(({ type }) => type === SENT)
  assert.deepEqual(
    mailed.map(({ at: time, what, data }) => [time, what, data]),
    [
      [
        toUtcTime(now + 70 * DAY),
        'mailed',
        { subscription_id: String(sale.subscription.id), license_id: sale.license.id },
      ],
    ],
  )
  assert.equal(await remindersTo(sale), 1)
})
