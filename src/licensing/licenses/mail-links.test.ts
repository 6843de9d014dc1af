// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { textOfPdf } from '../../../test/pdf.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { startSmtp } from '../../../test/smtp.ts'
import { deliverMails } from '../../jobs/deliver-mails.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'

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

interface Entered {
  readonly user_token: { readonly person: { readonly email: string } }
}

const linkIn = (text: string, path: string) =>
  new RegExp(`http://keywright\\.test(${path}\\S*)`).exec(text)?.[1] ?? null

test('the mail of a purchase leads to the download and into the portal, once there is one and as the product wants it', async () => {
  const first = await shop.buy()
  const [early] = await mailed(first.email, 'license')
  assert.equal(linkIn(early?.text ?? '', '/downloads/'), null)
  const portal = linkIn(early?.text ?? '', '/portal/login')
  const entered = await fetch(`${app.address}${portal}`, { method: 'POST' })
  assert.deepEqual(
    [entered.status, ((await entered.json()) as Entered).user_token.person.email],
    [200, first.email],
  )

  const zip = await pluginZip({ version: '1.0' })
  const { id } = (await upload(app, zip)).json
  await app.call('PUT', `${shop.base}/tags/${id}.json`, {
    body: { release_mode: 'released', is_sandbox: true },
  })
  const off = { enable_after_purchase_email_login_link: false }
  assert.equal((await app.call('PUT', `${shop.base}.json`, { body: off })).status, 200)
  const second = await shop.buy()
  const [mail] = await mailed(second.email, 'license')
  assert.equal(linkIn(mail?.text ?? '', '/portal/login'), null)
  const download = `${app.address}${linkIn(mail?.text ?? '', '/downloads/latest')}`
  const got = await fetch(download)
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(zip), 'it is the premium build')
  assert.equal((await fetch(download.slice(0, -3))).status, 404)
  const { json } = await app.call('GET', `${shop.base}/tags/latest.json?is_premium=true`)
  const other = new URL(json.url).searchParams.get('token')
  assert.equal((await fetch(`${app.address}/downloads/latest?token=${other}`)).status, 404)
  await app.call('DELETE', `${shop.base}/licenses/${second.id}.json`)
  const left = Buffer.from(await (await fetch(download)).arrayBuffer())
  assert.ok(!left.equals(zip), 'a cancelled license downloads nothing that is sold')
  await app.call('PUT', `${shop.base}.json`, { body: { enable_after_purchase_email_login_link: true } })

  expectOk(await app.call('PUT', `${shop.base}/tags/${id}.json`, { body: { is_sandbox: false } }))
  await app.write(({ db }) => db.updateTable('deployments').set({ free_file: null }).execute())
  const [none] = await mailed((await shop.buy()).email, 'license')
  assert.equal(linkIn(none?.text ?? '', '/downloads/'), null, 'of the sandbox, which has no build')
})

test('a receipt has its invoice attached when it is delivered, and so it is mailed again with the key', async () => {
  const smtp = await startSmtp()
  try {
    const [sold, other] = [await shop.buy(), await shop.buy()]
    const again = await app.call('POST', `${shop.base}/licenses/${sold.id}/resend.json`)
    assert.equal(again.status, 200, again.text)
    const kinds = (await mailsTo(app, sold.email)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['license', 'receipt', 'license', 'receipt'])
    const config = { ...app.ctx.config, mail: { ...app.ctx.config.mail, smtp: smtp.settings } }
    await runDue({ ...app.ctx, config }, [deliverMails])
    const [payment] = await shop.paymentsOf(sold.id)
    const path = `${shop.base}/payments/${payment?.id}/invoice.pdf`
    const invoice = await fetch(`${app.address}/v1${path}`, {
      headers: { authorization: `Bearer ${app.seller.product.token}` },
    })
    const expected = await textOfPdf(new Uint8Array(await invoice.arrayBuffer()))
    const received = smtp.received.filter(({ to }) => to === sold.email)
    const attached = await Promise.all(received.flatMap(({ body }) => pdfsIn(body)).map(textOfPdf))
    assert.deepEqual([received.length, attached], [4, [expected, expected]])
    const theirs = smtp.received.filter(({ to }) => to === other.email).flatMap(({ body }) => pdfsIn(body))
    assert.notEqual(await textOfPdf(theirs[0] ?? new Uint8Array()), expected)
  } finally {
    await smtp.close()
  }
})

/** The PDFs that are attached to a mail as it came. */
const pdfsIn = (body: string): Buffer[] =>
  [...body.matchAll(/Content-Type: application\/pdf[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g)].map(
    ([, content = '']) => Buffer.from(content.replaceAll(/\s/g, ''), 'base64'),
  )
