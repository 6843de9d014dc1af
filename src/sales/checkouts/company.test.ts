import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { textOfPdf } from '../../../test/pdf.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_company')
  shop = await changeShop(app)
})
after(() => app.close())

const COMPANY = {
  business_name: 'Acme GmbH',
  address_street: 'Hauptstr. 1',
  address_apt: 'Hinterhaus',
  address_city: 'Berlin',
  zip_postal_code: '10115',
  region: 'BE',
  country_code: 'de',
  vat_id: 'DE136695976',
}
const NONE = { business_name: null, address_street: null, address_apt: null, address_city: null }

let people = 0
const anybody = () => `company${++people}@example.com`

async function opened(body: object) {
  const { json, status, text } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, ...body })
  assert.equal(status, 201, text)
  return json
}

async function bought(body: object) {
  const { id } = await opened(body)
  const { json, text } = await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })
  assert.equal(json.state, 'paid', text)
  const payments = await shop.paymentsOf(String(await licenseOf(id)))
  return { json, paymentId: payments.at(-1)?.id ?? 0 }
}

async function licenseOf(token: string) {
  const { json } = await shop.call('GET', `/${token}.json`)
  assert.equal(json.state, 'paid')
  const row = await app.ctx.db
    .selectFrom('checkouts')
    .select('license_id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return row.license_id
}

async function pdf(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.address}/v1${path}`, { headers })
  assert.equal(response.status, 200)
  return textOfPdf(await response.bytes())
}
const bearer = () => ({ authorization: `Bearer ${app.seller.product.token}` })
const invoice = (id: number) => pdf(`${shop.base}/payments/${id}/invoice.pdf`, bearer())
const receipt = (address: string) => pdf(address.replace('http://keywright.test/v1', ''))

async function billingOf(email: string) {
  const { users } = await shop.get(`/users.json?email=${email}`)
  return app.call('GET', `${shop.base}/users/${users[0].id}/billing.json`)
}
async function putBilling(email: string, body: object) {
  const { users } = await shop.get(`/users.json?email=${email}`)
  const put = await app.call('PUT', `${shop.base}/users/${users[0].id}/billing.json`, { body })
  assert.equal(put.status, 200, put.text)
}

const ON_INVOICE = /Acme GmbH Ada Buyer Hauptstr\. 1 Hinterhaus 10115 Berlin BE Germany .*VAT ID DE136695976/

test('company and address of a checkout are shown, changed and taken back, and a wrong one is 400', async () => {
  const { id, buyer } = await opened({ user_email: anybody(), ...COMPANY })
  const { country_code: country, ...told } = COMPANY
  for (const [name, value] of Object.entries({ ...told, country_code: country }))
    assert.equal(buyer[name], value, name)
  const changed = await shop.call('PUT', `/${id}.json`, { business_name: '  Other Ltd ', address_apt: '' })
  assert.deepEqual([changed.json.buyer.business_name, changed.json.buyer.address_apt], ['Other Ltd', null])
  assert.equal(changed.json.buyer.address_street, 'Hauptstr. 1', 'what is left out stays')
  for (const field of ['business_name', 'address_street', 'address_apt', 'address_city']) {
    for (const value of ['x'.repeat(256), 'two\nlines', 'a\u0007b', 5]) {
      const { status, json, text } = await shop.call('PUT', `/${id}.json`, { [field]: value })
      assert.deepEqual([status, json.error?.details?.[0].field], [400, field], text)
    }
  }
  const long = await shop.call('PUT', `/${id}.json`, { zip_postal_code: 'x'.repeat(21) })
  assert.equal(long.status, 400)
  assert.equal((await shop.call('PUT', `/${id}.json`, { zip_postal_code: 'SW1A 2AA' })).status, 200)
})

test('the company of a purchase is on its invoice, and in the billing record of a buyer that the purchase made', async () => {
  const email = anybody()
  const who = { user_email: email, user_firstname: 'Ada', user_lastname: 'Buyer' }
  const { json, paymentId } = await bought({ ...who, ...COMPANY })
  assert.match(await invoice(paymentId), ON_INVOICE)
  assert.match(await receipt(json.receipt_url), ON_INVOICE)
  const { json: billing } = await billingOf(email)
  const { region, zip_postal_code, vat_id: _unchecked, country_code, ...same } = COMPANY
  const expected = { ...same, address_zip: zip_postal_code, address_state: region, tax_id: COMPANY.vat_id }
  for (const [name, value] of Object.entries({ ...expected, address_country_code: country_code }))
    assert.equal(billing[name], value, name)
})

test('who types the address of somebody else neither sees nor changes the billing record, and has the own company on the invoice alone', async () => {
  const email = anybody()
  const who = { user_email: email, user_firstname: 'Ada', user_lastname: 'Buyer', country_code: 'us' }
  await bought(who)
  const own = { business_name: 'Own Ltd', address_street: 'Secret 1', address_city: 'Bonn', tax_id: 'XX1' }
  await putBilling(email, { ...own, first: 'Olga', last: 'Own', address_country_code: 'de' })
  const before = (await billingOf(email)).json
  const typed = { ...who, user_firstname: 'Mallory', plan_id: shop.plans.pro, country_code: 'de' }
  const { buyer } = await opened({ ...typed, vat_id: COMPANY.vat_id })
  for (const name of Object.keys(NONE)) assert.equal(buyer[name], null, name)
  const { json, paymentId } = await bought({ ...typed, ...COMPANY, plan_id: shop.plans.pro })
  const [shown, issued] = [await receipt(json.receipt_url), await invoice(paymentId)]
  for (const text of [shown, issued]) {
    assert.match(text, /Acme GmbH .*Hauptstr\. 1 .*Berlin/)
    assert.doesNotMatch(text, /Own Ltd|Secret|Bonn|Olga|VAT ID XX1 /)
  }
  assert.match(shown, /Mallory Buyer/)
  assert.deepEqual((await billingOf(email)).json, before)
})

test('a buyer who has proven who that is begins with the billing record, and what is changed is written to it', async () => {
  const email = anybody()
  await bought({ user_email: email, user_firstname: 'Ada', user_lastname: 'Buyer', ...COMPANY })
  await putBilling(email, { address_state: 'Berlin' })
  const proven = async () => proofOf(app, email)
  const { buyer } = await opened(await proven())
  const { region: _by_name, ...known } = COMPANY
  for (const [name, value] of Object.entries(known)) assert.equal(buyer[name], value, name)
  assert.equal(buyer.region, null, 'a state that is no code is left out')
  const pro = { ...(await proven()), plan_id: shop.plans.pro }
  const { paymentId } = await bought({ ...pro, ...COMPANY, business_name: 'Moved AG', address_city: 'Köln' })
  assert.match(await invoice(paymentId), /Moved AG Ada Buyer .*10115 Köln/)
  const { json } = await billingOf(email)
  assert.deepEqual([json.business_name, json.address_city, json.address_state], ['Moved AG', 'Köln', 'BE'])
})

test('in another country than that of the billing record a checkout begins with the name of the company alone', async () => {
  const email = anybody()
  await bought({ user_email: email, user_firstname: 'Ada', ...COMPANY })
  const { buyer } = await opened({ ...(await proofOf(app, email)), country_code: 'fr' })
  assert.deepEqual(
    [buyer.business_name, buyer.address_street, buyer.zip_postal_code, buyer.vat_id, buyer.country_code],
    ['Acme GmbH', null, null, null, 'fr'],
  )
})

test('who shows a license key is told nothing of the owner’s company, and changes it no more than the owner’s invoices', async () => {
  const email = anybody()
  const first = await bought({ user_email: email, user_firstname: 'Ada', user_lastname: 'Buyer', ...COMPANY })
  const before = [await invoice(first.paymentId), (await billingOf(email)).json]
  const change = { license_key: first.json.license_key, plan_id: shop.plans.pro, country_code: 'us' }
  const { buyer } = await opened(change)
  for (const name of Object.keys(NONE)) assert.equal(buyer[name], null, name)
  const { paymentId } = await bought({ ...change, business_name: 'Agency Inc' })
  assert.match(await invoice(paymentId), /Agency Inc/)
  assert.doesNotMatch(await invoice(paymentId), /Acme/)
  assert.deepEqual([await invoice(first.paymentId), (await billingOf(email)).json], before)
})

test('a license by a link of the seller begins with the billing record of its owner', async () => {
  const email = anybody()
  const { json } = await bought({ user_email: email, user_firstname: 'Ada', ...COMPANY })
  const { json: linked } = await shop.openFor(String(await licenseIdOf(json.license_key)))
  assert.equal(linked.buyer.business_name, 'Acme GmbH')
  assert.equal(linked.buyer.address_city, 'Berlin')
})

async function licenseIdOf(key: string) {
  const { licenses } = await shop.get(`/licenses.json?license_key=${encodeURIComponent(key)}`)
  return licenses[0].id
}

test('the credit note of a purchase names the buyer of its invoice, whatever became of the billing record', async () => {
  const email = anybody()
  const { paymentId } = await bought({ user_email: email, user_firstname: 'Ada', ...COMPANY })
  await putBilling(email, { business_name: 'Changed', address_city: 'Elsewhere' })
  const developer = await asDeveloper(app)
  const refund = await developer('POST', `${shop.base}/payments/${paymentId}/refunds.json`, {})
  assert.ok(refund.status < 300, refund.text)
  const note = await app.ctx.db
    .selectFrom('payments')
    .select('id')
    .where('bound_payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const text = await invoice(note.id)
  assert.match(text, /Acme GmbH .*Berlin/)
  assert.doesNotMatch(text, /Changed|Elsewhere/)
})
