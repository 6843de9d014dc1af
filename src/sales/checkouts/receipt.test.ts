import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { textOfPdf } from '../../../test/pdf.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_receipt')
  shop = await changeShop(app)
})
after(() => app.close())

const whoIs = (name: string) => ({
  user_email: `${name.toLowerCase()}@example.com`,
  user_firstname: name,
  user_lastname: 'Buyer',
  country_code: 'us',
})

async function bought(body: object) {
  const opened = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, ...body })
  const { json, text } = await shop.pay(opened.json.id)
  assert.equal(json.state, 'paid', text)
  return { json, id: opened.json.id as string }
}

async function read(address: string) {
  const response = await fetch(address.replace('http://keywright.test', app.address))
  const isRead = response.status === 200
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: isRead ? await textOfPdf(await response.bytes()) : '',
  }
}

test('receipt_url shows the invoice for a day to who has just paid, and names nobody but who was typed', async () => {
  const first = await bought(whoIs('Grace'))
  await bought(whoIs('Other'))
  const address = first.json.receipt_url as string
  assert.ok(!address.includes(first.id), 'it opens nothing of the checkout')
  const { status, type, text } = await read(address)
  assert.deepEqual([status, type], [200, 'application/pdf'])
  assert.match(text, /Grace Buyer/)
  assert.match(text, /100\.00/)
  const again = await bought({ ...whoIs('Grace'), user_firstname: 'Mallory', plan_id: shop.plans.pro })
  const typed = await read(again.json.receipt_url)
  assert.match(typed.text, /Mallory Buyer/)
  assert.doesNotMatch(typed.text, /Grace|grace@example/)
  assert.equal((await read(`${address}x`)).status, 404)
  const resend = new URL(first.json.user.resend_email_endpoint).searchParams.get('token')
  assert.equal((await read(address.replace(/token=.*/, `token=${resend}`))).status, 404, 'of another purpose')
  app.ctx.clock.advance(DAY)
  assert.equal((await read(address)).status, 404)
})

test('a proven buyer reads the invoice as it is, with the address it was issued to', async () => {
  await bought(whoIs('Ada'))
  const proven = await bought({
    ...(await proofOf(app, 'ada@example.com')),
    country_code: 'us',
    plan_id: shop.plans.pro,
  })
  assert.match((await read(proven.json.receipt_url)).text, /ada@example\.com/)
})

test('what costs nothing, and what was paid for a license key alone, has no receipt to show', async () => {
  const code = 'ALLOFIT'
  const coupon = { code, discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status, 201)
  const free = await bought({ ...whoIs('Free'), coupon: code, billing_cycle: 'lifetime' })
  assert.equal(free.json.receipt_url, null)
  const { key } = await shop.buy()
  const changed = await bought({ license_key: key, plan_id: shop.plans.pro, country_code: 'us' })
  assert.equal(changed.json.receipt_url, null)
})
