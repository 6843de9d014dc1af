import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { salesOf, type Sales } from '../../../test/invoices.ts'
import { glyphsOfPdf, textOfPdf } from '../../../test/pdf.ts'
import { keepInvoices } from './keep-invoices-job.ts'
import { runDue } from '../../jobs/worker.ts'
import type { PaymentRow } from '../payments/schema.ts'

let app: TestApp
let sales: Sales
let paid: PaymentRow
before(async () => {
  app = await startTestApp('invoices')
  sales = await salesOf(app)
  paid = await sales.pay()
})
after(() => app.close())

async function pdfAt(path: string, token = app.seller.product.token) {
  const response = await fetch(`${app.address}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

const product = () => `/products/${app.seller.product.id}`
const invoicePath = (id: number) => `${product()}/payments/${id}/invoice.pdf`
const userPath = (userId: string, id: number) => `${product()}/users/${userId}/payments/${id}/invoice.pdf`

async function textAt(path: string): Promise<string> {
  const { status, bytes } = await pdfAt(path)
  assert.equal(status, 200, bytes.toString())
  assert.equal(glyphsOfPdf(bytes).missing, 0)
  return textOfPdf(bytes)
}

const putBilling = async (body: object) => {
  const reply = await app.call('PUT', `${product()}/users/${sales.userId}/billing.json`, { body })
  assert.equal(reply.status, 200, reply.text)
}

test('an invoice is a PDF with a name, in product scope and for its user', async () => {
  for (const path of [invoicePath(paid.id), userPath(sales.userId, paid.id)]) {
    const { status, headers, bytes } = await pdfAt(path)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal(headers.get('content-disposition'), 'inline; filename="INV-000001.pdf"')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(Number(headers.get('content-length')), bytes.length)
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  }
})

test('it says what was bought, by whom, and what was paid', async () => {
  const text = await textAt(invoicePath(paid.id))
  for (const part of [
    'Invoice Number INV-000001 Date 2026-01-31',
    'PAID test',
    'Sam Seller',
    'Some Body',
    'Germany',
    'First product',
    'licenses: 5, a year',
    '100.00 EUR',
    'VAT 19 %',
    '119.00 EUR',
  ])
    assert.ok(text.includes(part), `${part} in: ${text}`)
})

const JAPANESE = {
  business_name: '株式会社サンプル',
  first: 'Ελένη',
  last: 'Жукова',
  address_street: '神南1-2-3',
  address_city: '東京',
  address_zip: '150-0041',
  address_country_code: 'jp',
  tax_id: 'JP123',
}

test('it names the buyer as the billing address says', async () => {
  await putBilling(JAPANESE)
  const text = await textAt(invoicePath((await sales.pay()).id))
  for (const part of [
    '株式会社サンプル',
    'Ελένη Жукова',
    '神南1-2-3',
    '150-0041 東京',
    'Japan',
    'VAT ID JP123',
  ])
    assert.ok(text.replaceAll(' ', '').includes(part.replaceAll(' ', '')), `${part} in: ${text}`)
})

test('the seller is named as its tax settings say', async () => {
  const developer = await asDeveloper(app)
  const settings = { country: 'DE', legal_name: 'Müller & Söhne GmbH', address: 'Hauptstr. 1\n10115 Berlin' }
  await developer('PUT', '/tax_settings.json', { ...settings, vat_id: 'DE136695976' })
  assert.match(
    await textAt(invoicePath((await sales.pay()).id)),
    /Müller & Söhne GmbH Hauptstr\. 1 10115 Berlin Germany VAT ID DE136695976/,
  )
})

/** Changes whatever an invoice tells of: buyer, seller, what was sold, and how much of it is left. */
async function changeAll(payment: PaymentRow): Promise<void> {
  await putBilling({ business_name: `Changed ${payment.id}`, address_country_code: 'fr', tax_id: 'JP1' })
  const developer = await asDeveloper(app)
  const settings = { country: 'FR', legal_name: `Other ${payment.id}`, address: 'Elsewhere 2', vat_id: '' }
  for (const reply of [
    await developer('PUT', '/tax_settings.json', settings),
    await developer('PUT', `${product()}.json`, { title: `Renamed ${payment.id}` }),
    await developer('PUT', `${product()}/plans/${payment.plan_id}.json`, { title: `Plan ${payment.id}` }),
    await app.call('PUT', `${product()}/users/${sales.userId}.json`, { body: { name: 'Other Name' } }),
  ])
    assert.equal(reply.status, 200, reply.text)
  await sales.pay({
    bound_payment_id: payment.id,
    gateway_fee: 0,
    type: 'refund',
    gross: 0 - payment.gross,
    tax: 0 - payment.tax,
  })
  app.ctx.clock.advance(40 * 86_400_000)
}

test('an issued invoice never changes: its bytes are the same after all that it tells of has changed', async () => {
  const sold = await sales.pay({ discounts: [{ type: 'prorate', discount: 2_500, coupon_id: null }] })
  const refund = await sales.pay({
    bound_payment_id: sold.id,
    gateway_fee: 0,
    type: 'refund',
    gross: -100,
    tax: -19,
  })
  const read = async () => {
    const pages = [invoicePath(sold.id), userPath(sales.userId, sold.id), invoicePath(refund.id)]
    return Promise.all(pages.map(async (path) => (await pdfAt(path)).bytes.toString('base64')))
  }
  const before = await read()
  await changeAll(sold)
  assert.deepEqual(await read(), before)
  assert.match(await textAt(invoicePath((await sales.pay()).id)), new RegExp(`Changed ${sold.id}`))
})

test('an invoice that was issued before this was kept is kept once, as it is then', async () => {
  const [sold, kept] = [await sales.pay(), await sales.pay()]
  const expected = await textAt(invoicePath(sold.id))
  await app.write(({ db }) =>
    db.updateTable('invoices').set({ content: null }).where('payment_id', '=', sold.id).execute(),
  )
  const other = anotherProcess(app)
  await Promise.all([runDue(app.ctx, [keepInvoices]), runDue({ ...app.ctx, ...other.ctx }, [keepInvoices])])
  await other.close()
  const before = await textAt(invoicePath(kept.id))
  await changeAll(sold)
  app.ctx.clock.advance(86_400_000)
  await runDue(app.ctx, [keepInvoices])
  assert.equal(await textAt(invoicePath(sold.id)), expected)
  assert.equal(await textAt(invoicePath(kept.id)), before)
})

test('addresses that change while payments are made are on each invoice as before or as after', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `Racing ${n}`)
  const paid = await Promise.all(
    names.map(async (business_name) => {
      const [payment] = await Promise.all([sales.pay(), putBilling({ business_name })])
      return payment
    }),
  )
  const read = () => Promise.all(paid.map(({ id }) => textAt(invoicePath(id))))
  const texts = await read()
  await putBilling({ business_name: 'After the race' })
  assert.deepEqual(await read(), texts)
})

test('reverse charge is noted, with the VAT id that the tax went by', async () => {
  const sold = await sales.pay({
    tax: 0,
    tax_rate: 0,
    tax_rule: 'reverse_charge',
    country_code: 'fr',
    vat_id: 'FR40303265045',
  })
  const text = await textAt(invoicePath(sold.id))
  assert.match(text, /VAT ID FR40303265045/)
  assert.match(text, /Reverse charge/)
})

test('what was taken off is a line of its own', async () => {
  const sold = await sales.pay({ discounts: [{ type: 'prorate', discount: 2_500, coupon_id: null }] })
  const text = await textAt(invoicePath(sold.id))
  assert.match(text, /125\.00 EUR.*-25\.00 EUR.*100\.00 EUR/)
})

test('the card that paid is named by its last digits', async () => {
  const { keys } = app.ctx
  const { id } = await app.write((tx) =>
    tx.db
      .insertInto('payment_methods')
      .values({
        product_id: app.seller.product.id,
        user_id: Number(sales.userId),
        gateway: 'test',
        kind: 'card',
        token: keys.seal('a token', 'payment_methods.token'),
        brand: 'visa',
        last4: '4242',
        expiry_month: 12,
        expiry_year: 2099,
        environment: 0,
        created: paid.created,
        updated: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const sold = await sales.pay({ payment_method_id: id })
  assert.match(await textAt(invoicePath(sold.id)), /PAID Visa •••• 4242/)
})

test('a refund has a credit note that names the invoice; a lost dispute too', async () => {
  const sold = await sales.pay()
  const number = /Number (INV-\d+)/.exec(await textAt(invoicePath(sold.id)))?.[1]
  const back = { bound_payment_id: sold.id, gateway_fee: 0 } as const
  const refund = await sales.pay({ ...back, type: 'refund', gross: -1_000, tax: -190 })
  const text = await textAt(invoicePath(refund.id))
  assert.match(text, new RegExp(`Credit note Number CN-\\d+ .*For invoice ${number} .*REFUNDED`))
  assert.match(text, /10\.00 EUR.*1\.90 EUR.*11\.90 EUR/)
  const lost = { gross: 9_000, tax: 1_710 }
  const dispute = await sales.pay({ ...back, type: 'lost_dispute', gross: 0, tax: 0, lost })
  assert.match(await textAt(invoicePath(dispute.id)), /90\.00 EUR.*17\.10 EUR.*107\.10 EUR/)
})

test('one of the sandbox says so', async () => {
  const sold = await sales.pay({ environment: 1 })
  assert.match(await textAt(invoicePath(sold.id)), /Number TEST-INV-000001 .*no money was moved/)
})

test('extended says which document each payment has here, which is the one that is downloaded', async () => {
  const { userId, pay } = await salesOf(app, { email: 'documents@example.com' })
  const elsewhere = { gateway: null, source: 2 } as const
  const bought = await pay()
  const free = await pay({ gateway: null, gross: 0, tax: 0, gateway_fee: 0 })
  const brought = await pay({ ...elsewhere, external_id: 'brought' })
  const back = { bound_payment_id: bought.id, external_id: null, gateway_fee: 0 }
  const refund = await pay({ ...back, type: 'refund', gross: -100, tax: -19 })
  const disputed = await pay({ ...back, type: 'disputed', gross: -100, tax: -19 })
  const lost = { type: 'lost_dispute', gross: 0, tax: 0, lost: { gross: 100, tax: 19 } } as const
  const lostElsewhere = await pay({ ...elsewhere, ...back, ...lost, bound_payment_id: brought.id })
  const path = `/products/${app.seller.product.id}/users/${userId}/payments.json?extended=true`
  const { json } = await app.call('GET', path)
  const documents = new Map(
    json.payments.map(({ id, document }: { id: string; document: unknown }) => [Number(id), document]),
  )
  for (const [{ id }, document] of [
    [bought, 'invoice'],
    [free, 'invoice'],
    [refund, 'credit_note'],
    [disputed, null],
    [brought, null],
    [lostElsewhere, null],
  ] as const) {
    assert.equal(documents.get(id), document)
    assert.equal((await pdfAt(invoicePath(id))).status, document === null ? 404 : 200)
  }
})

test("what is not there, is another product's or another user's, or has no invoice here is 404", async () => {
  const elsewhere = await sales.pay({ gateway: null, external_id: 'elsewhere', source: 2 })
  const other = await salesOf(app, { product: app.seller.other, email: 'other@example.com' })
  const foreign = await other.pay()
  const second = await salesOf(app, { email: 'second@example.com' })
  for (const path of [
    invoicePath(999_999),
    invoicePath(elsewhere.id),
    invoicePath(foreign.id),
    userPath(second.userId, paid.id),
  ]) {
    const { status, headers } = await pdfAt(path)
    assert.equal(status, 404, path)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }
  assert.equal((await pdfAt(invoicePath(paid.id), app.seller.other.token)).status, 401)
})
