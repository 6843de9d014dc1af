import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { recoverCarts } from '../../sales/carts/recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, fromUtcTime, HOUR, toUtcTime } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('told_objects')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

interface Told {
  readonly type: string
  readonly objects: Readonly<Record<string, { readonly id: string } | null | false>>
}

const told = async (rest: string): Promise<Told[]> => expectOk(await app.call('GET', path(rest))).json.events

/** The id of what an event shows of a kind. */
const shown = ({ objects }: Told, kind: string) => (objects[kind] ? objects[kind].id : objects[kind])

/** A monthly subscription that runs on an install. */
async function onInstall(token: string) {
  const sold = await subscribed(app, { token })
  const install = await createInstallOf(app, { id: sold.userId })
  await app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ install_id: Number(install.id) })
      .where('id', '=', sold.subscription.id)
      .execute(),
  )
  const renewAfter = (days: number) => renewAt(app, toUtcTime(fromUtcTime(sold.next) + days * DAY))
  return { sold, install, renewAfter }
}

test('what is told of renewals that fail shows the install on which the subscription runs', async () => {
  const { sold, install, renewAfter } = await onInstall('test_renewal_declined')
  for (const days of [0, 1, 4, 9]) await renewAfter(days)
  for (const type of ['failed', 'failed_email.sent', 'retry', 'failed.last']) {
    const events = await told(`/events.json?count=50&type=subscription.renewal.${type}`)
    assert.ok(events.length > 0, type)
    for (const event of events) {
      assert.deepEqual(
        ['install', 'user', 'subscription', 'license'].map((kind) => shown(event, kind)),
        [install.id, sold.userId, sold.subscription.id, sold.licenseId].map(String),
        type,
      )
    }
  }
})

test('what is told of periods that are left out shows the install on which the subscription runs', async () => {
  const { install, renewAfter } = await onInstall('test_succeeds')
  await renewAfter(100)
  const [event] = await told('/events.json?type=subscription.periods.skipped')
  assert.equal(event && shown(event, 'install'), install.id)
})

test('what is told of a cart that was left shows its buyer, where that is known', async () => {
  const email = 'known@example.com'
  const userId = await userOf(app, email)
  const cart = await visit(app, { email, user_id: Number(userId) })
  const rest = `/carts/${cart.id}`
  for (const is_disabled of [true, false])
    expectOk(await app.call('PUT', path(`${rest}/recovery.json`), { body: { is_disabled } }))
  for (const ms of [HOUR, DAY, 4 * DAY]) {
    app.ctx.clock.set(START + ms)
    await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0 }).execute())
    await runDue(app.ctx, [recoverCarts])
  }
  const mail = (await mailsTo(app, email)).find(({ kind }) => kind === 'cart_recovery')
  const link = mail?.unsubscribe?.replace(app.ctx.baseUrl, app.address) ?? ''
  assert.equal((await fetch(link, { method: 'POST' })).status, 200)
  const events = (await told(`${rest}/events.json?count=50`)).toReversed()
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'cart.created',
      'cart.recovery.deactivated',
      'cart.recovery.reactivated',
      'cart.abandoned',
      'cart.recovery.email_1_sent',
      'cart.recovery.email_2_sent',
      'cart.recovery.email_3_sent',
      'cart.recovery.unsubscribed',
    ],
  )
  for (const event of events) {
    assert.deepEqual([shown(event, 'user'), shown(event, 'cart')], [userId, String(cart.id)], event.type)
  }
})
