import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import type { UtcTime } from '../../lib/time.ts'
import { checkVatId } from './vat-id.ts'
import { vatIdRegister } from './vat-ids.ts'
import { taxOfSale } from './tax-of-sale.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('tax_of_sale')
  developer = await asDeveloper(app)
})
after(() => app.close())

async function settings(country: string | null, registrations: string, isFormatEnough = false) {
  const body = { country, registrations, is_format_enough: isFormatEnough }
  const reply = await developer('PUT', '/tax_settings.json', body)
  assert.equal(reply.status, 200, reply.text)
}

interface Sale {
  readonly region?: string
  readonly zip?: string
  /** As it was typed. */
  readonly vatId?: string
  /** What the office says of it; null: it does not answer. */
  readonly isKnown?: boolean
  readonly at?: string
}

/** Rule, country and millionths, and whether a VAT id is still to be checked. */
async function taxFor(country: string, sale: Sale = {}): Promise<string> {
  const { region = null, zip = null, vatId: text = '', isKnown, at = '2026-01-31 10:00:00' } = sale
  const office = isKnown === undefined ? null : { isKnown: async () => isKnown }
  const vatId = await checkVatId(text, vatIdRegister(office))
  const asked = { buyer: { country, region, zip, vatId }, at: at as UtcTime }
  const tax = await taxOfSale(app.ctx, { developerId: app.seller.developer.id }, asked)
  return [tax.rule, tax.country, tax.rate, ...(tax.isProvisional ? ['provisional'] : [])].join(' ')
}

test('until the seller says where it is, nothing is taxed', async () => {
  assert.equal(await taxFor('de'), 'unregistered  0')
})

test('in the union: at home, at the destination with the one-stop shop, as at home without', async () => {
  await settings('DE', 'DE,EU')
  assert.equal(await taxFor('de'), 'domestic DE 190000')
  assert.equal(await taxFor('fr'), 'destination FR 200000')
  assert.equal(await taxFor('fi'), 'destination FI 255000')
  assert.equal(await taxFor('es', { zip: '35001' }), 'outside  0')
  await settings('DE', 'DE')
  assert.equal(await taxFor('fi'), 'origin DE 190000')
})

test('a business elsewhere in the union whose VAT id was found pays the tax itself', async () => {
  await settings('DE', 'DE,EU')
  const business = { vatId: 'fr 40 303 265 045' }
  assert.equal(await taxFor('fr', { ...business, isKnown: true }), 'reverse_charge  0')
  assert.equal(await taxFor('fr', { ...business, isKnown: false }), 'destination FR 200000')
  assert.equal(await taxFor('be', { ...business, isKnown: true }), 'destination BE 210000')
  assert.equal(await taxFor('de', { vatId: 'DE136695976', isKnown: true }), 'domestic DE 190000')
})

test('while a VAT id is not checked the tax is provisional, unless its form is enough for the seller', async () => {
  await settings('DE', 'DE,EU')
  const business = { vatId: 'FR40303265045' }
  assert.equal(await taxFor('fr', business), 'destination FR 200000 provisional')
  assert.equal(await taxFor('fr', { vatId: 'FR40303265046' }), 'destination FR 200000')
  await settings('DE', 'DE,EU', true)
  assert.equal(await taxFor('fr', business), 'reverse_charge  0')
  assert.equal(await taxFor('fr', { vatId: 'FR40303265046' }), 'destination FR 200000')
})

test('the United Kingdom is taxed by who is registered there; its VAT ids nobody can be asked about', async () => {
  await settings('DE', 'DE,EU')
  assert.equal(await taxFor('gb'), 'unregistered  0')
  await settings('DE', 'DE,EU,GB')
  assert.equal(await taxFor('gb'), 'destination GB 200000')
  const business = { vatId: 'GB980780684', isKnown: true }
  assert.equal(await taxFor('gb', business), 'destination GB 200000 provisional')
  await settings('DE', 'DE,EU,GB', true)
  assert.equal(await taxFor('gb', business), 'reverse_charge  0')
})

test('states are off until they are listed', async () => {
  await settings('US', '')
  assert.equal(await taxFor('us', { region: 'TX' }), 'unregistered  0')
  await settings('US', 'us-tx')
  assert.equal(await taxFor('us', { region: 'TX' }), 'domestic US 62500')
  assert.equal(await taxFor('us', { region: 'CA' }), 'unregistered  0')
  assert.equal(await taxFor('us'), 'unregistered  0')
})

test('the rate is that of the day of the sale', async () => {
  await settings('DE', 'DE,EU')
  const on = (at: string) => taxFor('fi', { at })
  assert.equal(await on('2024-08-31 20:00:00'), 'destination FI 240000')
  assert.equal(await on('2024-09-01 00:00:00'), 'destination FI 255000')
})
