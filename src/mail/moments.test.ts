import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper } from '../../test/callers.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { createInstallOf, createOwner } from '../../test/installs.ts'
import { offerFor } from '../../test/licenses.ts'
import { FROM_ANYWHERE, logIn, setPassword } from '../../test/logins.ts'
import { mailsTo } from '../../test/mails.ts'
import { chargedInSandbox, scopeOf, sell } from '../../test/sales.ts'
import { mailReceipt } from '../sales/payments/mail-receipt.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('mail_moments', { config: FROM_ANYWHERE })
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
async function ok(method: 'POST' | 'PUT' | 'DELETE', rest: string, body?: object) {
  const reply = await app.call(method, path(rest), body === undefined ? {} : { body })
  assert.ok(reply.status < 300, reply.text)
  return reply
}

const kindsTo = async (email: string) =>
  (await mailsTo(app, email)).map(({ kind }) => kind).filter((kind) => kind !== 'confirm_email')

test('a purchase is mailed with its key and a receipt that names invoice, parts and method, each once', async () => {
  const { pricingId } = await offerFor(app, 3)
  const email = 'moments-buyer@example.com'
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  const pay = () =>
    app.call('POST', `/checkout/sessions/${token}/pay.json`, {
      token: null,
      body: { payment_token: 'test_succeeds' },
    })
  const { status, json, text } = await pay()
  assert.equal(status, 200, text)
  await pay()
  assert.deepEqual((await kindsTo(email)).toSorted(), ['license', 'receipt'])
  const receipt = (await mailsTo(app, email)).find(({ kind }) => kind === 'receipt')?.text ?? ''
  const { amount } = /payment of (?<amount>\d+\.\d\d USD)/.exec(receipt)?.groups ?? {}
  assert.ok(amount, receipt)
  for (const line of ['Licenses: 3', `Total: ${amount}`, 'Invoice: \\S+', 'Paid by: .*4242', 'Date: 2026-']) {
    assert.match(receipt, new RegExp(`^${line}`, 'm'))
  }
  assert.doesNotMatch(receipt, /^Tax/m)
  assert.ok(json)
})

test('who cancels a subscription is mailed until when the license works, once', async () => {
  const { subscription, owner, license } = await sell(app)
  const before = await kindsTo(owner.email)
  await ok('DELETE', `/subscriptions/${subscription.id}.json`)
  await ok('DELETE', `/subscriptions/${subscription.id}.json`)
  assert.deepEqual((await kindsTo(owner.email)).slice(before.length), ['subscription_cancelled'])
  const text = (await mailsTo(app, owner.email)).at(-1)?.text ?? ''
  assert.equal(text.includes('Your license works until'), license.expiration !== null)
})

test('the owner of a license that is cancelled, or whose payment goes back, is mailed once', async () => {
  const cancelled = await sell(app)
  const before = await kindsTo(cancelled.owner.email)
  await ok('DELETE', `/licenses/${cancelled.license.id}.json`)
  await ok('DELETE', `/licenses/${cancelled.license.id}.json`)
  assert.deepEqual((await kindsTo(cancelled.owner.email)).slice(before.length), ['license_cancelled'])
  const refunded = await sell(app, { payment: await chargedInSandbox() })
  const developer = await asDeveloper(app)
  const reply = await developer('POST', path(`/payments/${refunded.payment.id}/refunds.json`), {})
  assert.ok(reply.status < 300, reply.text)
  assert.deepEqual((await kindsTo(refunded.owner.email)).slice(-1), ['license_cancelled'])
})

test('a link into the portal is mailed on demand only', async () => {
  const { email } = await createOwner(app)
  await ok('POST', '/portal/login.json', { email })
  assert.deepEqual(await kindsTo(email), [])
  const { link } = (await ok('POST', '/portal/login.json', { email, send_email: true })).json
  const [mail] = (await mailsTo(app, email)).filter(({ kind }) => kind === 'portal_link')
  assert.ok(mail?.text.includes(link))
})

test('a login from an address that was not used before is mailed, the first one and one from a known address are not', async () => {
  await setPassword(app)
  const email = 'seller@example.com'
  for (const [from, mails] of [
    ['192.0.2.1', 0],
    ['192.0.2.1', 0],
    ['198.51.100.7', 1],
    ['198.51.100.7', 1],
    ['192.0.2.1', 1],
  ] as const) {
    await logIn(app, { from })
    assert.equal((await kindsTo(email)).length, mails, from)
  }
  const [mail] = await mailsTo(app, email)
  assert.equal(mail?.kind, 'new_sign_in')
  assert.match(mail?.text ?? '', /^Address: 198\.51\.100\.7$/m)
})

test('a mail shows name and picture of its product', async () => {
  const { id } = app.seller.product
  await app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ icon: '/pictures/of-the-product', title: 'Größe & <b>' })
      .where('id', '=', id)
      .execute(),
  )
  const { email } = await createOwner(app)
  await ok('POST', '/portal/login.json', { email, send_email: true })
  const mail = (await mailsTo(app, email)).at(-1)
  assert.equal(mail?.subject, 'Your link to Größe & <b>')
  assert.match(
    mail?.html ?? '',
    /<img src="http:\/\/keywright\.test\/pictures\/of-the-product" alt="Größe &amp; &lt;b>"|&lt;b&gt;"/,
  )
})

test('a German buyer is told what was paid as German writes it', async () => {
  const { owner, payment } = await sell(app, { payment: await chargedInSandbox() })
  const install = await createInstallOf(app, { id: owner.id })
  await app.write(({ db }) =>
    db.updateTable('installs').set({ language: 'de_AT' }).where('id', '=', Number(install.id)).execute(),
  )
  await app.write((tx) => mailReceipt(tx, scopeOf(app), payment))
  const mail = (await mailsTo(app, owner.email)).at(-1)
  const total = (payment.gross + payment.tax) / 100
  const amount = new Intl.NumberFormat('de', { style: 'currency', currency: payment.currency }).format(total)
  assert.match(amount, /^\d+,\d\d\u00A0\S$/)
  assert.ok(mail?.text.includes(`Vielen Dank für Ihre Zahlung von ${amount}.`), mail?.text)
  assert.match(mail?.text ?? '', /^Datum: \d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC$/m)
})

test('a mail is in the language of the last install of its user in the product', async () => {
  const { email, id } = await createOwner(app)
  const { id: installId } = await createInstallOf(app, { id })
  await app.write(({ db }) =>
    db.updateTable('installs').set({ language: 'de_DE' }).where('id', '=', Number(installId)).execute(),
  )
  await ok('POST', '/portal/login.json', { email, send_email: true })
  const { email: other } = await createOwner(app)
  await ok('POST', '/portal/login.json', { email: other, send_email: true })
  const subjects = [await mailsTo(app, email), await mailsTo(app, other)].map(
    (mails) => mails.at(-1)?.subject,
  )
  assert.deepEqual(
    subjects.map((subject) => subject?.split(' ').slice(0, 3).join(' ')),
    ['Ihr Link zu', 'Your link to'],
  )
})
