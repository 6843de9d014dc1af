import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { changeShop, type ChangeShop } from '../../test/license-changes.ts'
import { mailsTo } from '../../test/mails.ts'
import { advanceTo } from '../../test/sandbox.ts'
import { DAY, fromUtcTime, toUtcTime } from '../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('mail_links')
  shop = await changeShop(app)
})
after(() => app.close())

const now = () => app.ctx.clock.of(app.seller.product.id, 1)
const inDays = (days: number) => advanceTo(app, toUtcTime(now() + days * DAY))
const mailed = async (email: string, kind: string) =>
  (await mailsTo(app, email)).filter((mail) => mail.kind === kind)

/** Opens the checkout that a mail leads to, as its page does with what the address says. */
async function follow(mail: { readonly text: string; readonly html: string } | undefined) {
  const [link = ''] = /http:\/\/keywright\.test\/checkout\/\S+/.exec(mail?.text ?? '') ?? []
  assert.ok(mail?.html.includes(link.replaceAll('&', '&amp;')), 'the button of the HTML leads there too')
  const { is_payment_method_update: isMethod, ...query } = Object.fromEntries(new URL(link).searchParams)
  const opened = await shop.open({ ...query, ...(isMethod === '1' && { is_payment_method_update: true }) })
  assert.equal(opened.status, 201, opened.text)
  return opened.json
}

test('who renews by hand is mailed 30, 7 and 2 days before the end and after it, each time with the link that renews', async () => {
  const [sold, other] = [await shop.buy(), await shop.buy()]
  await app.call('DELETE', `${shop.base}/subscriptions/${sold.purchase.id}.json`)
  const before = (await shop.licenseOf(sold.id)).expiration
  const sent = await app.call('POST', `${shop.base}/licenses/${sold.id}/renewals.json`)
  assert.deepEqual(sent.json, { sent: true })
  await advanceTo(app, toUtcTime(fromUtcTime(before) - DAY))
  const reminders = await mailed(sold.email, 'license_expiring')
  assert.equal(reminders.length, 4)
  for (const mail of reminders) {
    const session = await follow(mail)
    assert.deepEqual(
      [session.action, session.change.kind, session.change.license_id, session.buyer.email],
      ['license_update', 'renewal', sold.id, sold.email],
    )
  }
  await inDays(3)
  const [after, ...more] = await mailed(sold.email, 'license_expired')
  assert.deepEqual(more, [])
  const session = await follow(after)
  const paid = await shop.pay(session.id)
  assert.equal(paid.json.state, 'paid', paid.text)
  assert.ok((await shop.licenseOf(sold.id)).expiration > before)
  assert.deepEqual(await mailed(other.email, 'license_expiring'), [])
})

test('each mail about a renewal that failed leads to the checkout in which another method pays what is owed', async () => {
  const sold = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  await inDays(28 + 5)
  const failed = await mailed(sold.email, 'renewal_failed')
  assert.equal(failed.length, 3)
  for (const mail of failed) {
    const { action, change, quote } = await follow(mail)
    assert.deepEqual([action, change.license_id, quote.total], ['payment_method_update', sold.id, 10])
  }
  const session = await follow(failed[2])
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  const { outstanding_balance: owed, canceled_at: ended } = await shop.subscriptionOf(sold.id)
  assert.deepEqual([owed, ended], [0, null])
})
