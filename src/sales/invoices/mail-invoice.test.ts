import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { salesOf, type Sales } from '../../../test/invoices.ts'
import { mailsTo } from '../../../test/mails.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import type { PaymentRow } from '../payments/schema.ts'

let app: TestApp
let sales: Sales
let paid: PaymentRow
let email: string
before(async () => {
  app = await startTestApp('mail_invoice')
  sales = await salesOf(app)
  paid = await sales.pay()
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${sales.userId}.json`)
  email = json.email
})
after(() => app.close())

const pathOf = (id: number, userId = sales.userId) =>
  `/products/${app.seller.product.id}/users/${userId}/payments/${id}/invoice/mail.json`
const invoices = async () => (await mailsTo(app, email)).filter(({ kind }) => kind === 'invoice')

test('an invoice is mailed again to its buyer, attached as it was issued', async () => {
  const { status } = await app.call('POST', pathOf(paid.id))
  assert.equal(status, 202)
  const [mail, ...others] = await invoices()
  assert.deepEqual([others.length, mail?.invoiceOf], [0, paid.id])
  assert.match(mail?.subject ?? '', /^Your invoice INV-000001 for /)
})

test('a credit note is called one', async () => {
  const refund = await sales.pay({
    bound_payment_id: paid.id,
    gateway_fee: 0,
    type: 'refund',
    gross: -100,
    tax: -19,
  })
  assert.equal((await app.call('POST', pathOf(refund.id))).status, 202)
  const mail = (await invoices()).at(-1)
  assert.equal(mail?.invoiceOf, refund.id)
  assert.match(mail?.subject ?? '', /^Your credit note /)
})

test('of another user, or of what has no invoice, none is mailed', async () => {
  const before = await invoices()
  const other = await salesOf(app, { email: 'another@example.com' })
  const theirs = await other.pay()
  for (const path of [pathOf(theirs.id), pathOf(paid.id, other.userId), pathOf(987_654)])
    assert.equal((await app.call('POST', path)).status, 404, path)
  assert.deepEqual(await invoices(), before)
})

test('a buyer asks as often as an address is mailed in an hour, also at once, and then it is 429; a seller goes on', async () => {
  const { call } = await inPortal(app, { id: sales.userId })
  const replies = await Promise.all(
    Array.from({ length: 14 }, () => call('POST', `/payments/${paid.id}/invoice/mail.json`)),
  )
  const sent = replies.filter(({ status }) => status === 202).length
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202, 429]))
  assert.ok(replies.every(({ status, headers }) => status === 202 || Number(headers.get('retry-after')) > 0))
  assert.ok(sent >= 1 && sent <= 10, String(sent))
  assert.equal((await app.call('POST', pathOf(paid.id))).status, 202)
})
