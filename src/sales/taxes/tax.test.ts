import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { taxOn, type Tax, type TaxedBuyer, type TaxSettings, type VatId } from './tax.ts'
import { taxRatesOf } from './tax-rates.ts'
import type { UtcTime } from '../../lib/time.ts'

const time = (text: string) => text as UtcTime

/** In the form of the library. */
const rates = taxRatesOf({
  rates: {
    AT: { rate: 0.2 },
    CA: { rate: 0.05, states: { ON: { rate: 0.08 } } },
    DE: {
      rate: 0.19,
      before: { '2020-12-31T22:00:00.000Z': { rate: 0.16 }, '2020-06-30T22:00:00.000Z': { rate: 0.19 } },
    },
    ES: { rate: 0.21 },
    FI: { rate: 0.255, before: { '2024-08-31T22:00:00.000Z': { rate: 0.24 } } },
    FR: { rate: 0.2 },
    GB: { rate: 0.2 },
    GR: { rate: 0.24 },
    IT: { rate: 0.22 },
    NO: { rate: 0.25 },
    US: { rate: 0, states: { CA: { rate: 0.0825 }, TX: { rate: 0.0625 } } },
  },
  union: ['AT', 'DE', 'ES', 'FI', 'FR', 'GR', 'IT', 'SK'],
})

const seller = (country: string | null, ...registrations: string[]): TaxSettings => ({
  country,
  registrations,
  isFormatEnough: false,
})
const buyer = (country: string, more: Partial<TaxedBuyer> = {}): TaxedBuyer => ({
  country,
  region: null,
  zip: null,
  vatId: null,
  ...more,
})
const business = (country: string, check: VatId['check'] = 'valid', prefix = country) =>
  buyer(country, { vatId: { country: prefix, check } })

const on = (settings: TaxSettings, to: TaxedBuyer, at = '2026-01-31 10:00:00') =>
  taxOn({ settings, buyer: to, at: time(at) }, rates)
/** Rule and millionths. */
const short = ({ rule, rate }: Tax) => `${rule} ${rate}`

test('who has said nothing, or is registered nowhere, taxes nothing', () => {
  assert.equal(short(on(seller(null, 'DE', 'EU'), buyer('DE'))), 'unregistered 0')
  for (const country of ['DE', 'FR', 'GB']) {
    assert.equal(short(on(seller('DE'), buyer(country))), 'unregistered 0')
    assert.equal(on(seller('DE'), buyer(country)).country, null)
  }
  assert.equal(short(on(seller('DE'), business('FR'))), 'unregistered 0')
})

test('at home everybody pays the tax of the country, businesses too', () => {
  assert.equal(short(on(seller('DE', 'DE', 'EU'), buyer('de'))), 'domestic 190000')
  assert.equal(short(on(seller('DE', 'DE', 'EU'), business('DE'))), 'domestic 190000')
  assert.equal(short(on(seller('GB', 'GB'), buyer('GB'))), 'domestic 200000')
  assert.equal(short(on(seller('GB', 'GB'), business('GB'))), 'domestic 200000')
})

test('elsewhere in the union a consumer pays the rate there with the one-stop shop, that at home without', () => {
  const shop = on(seller('DE', 'DE', 'EU'), buyer('FI'))
  assert.deepEqual(shop, { rate: 255_000, rule: 'destination', country: 'FI', isProvisional: false })
  const small = on(seller('DE', 'DE'), buyer('FI'))
  assert.deepEqual(small, { rate: 190_000, rule: 'origin', country: 'DE', isProvisional: false })
  assert.equal(short(on(seller('DE', 'DE', 'FI'), buyer('FI'))), 'destination 255000')
  assert.equal(short(on(seller('US', 'EU'), buyer('FI'))), 'destination 255000')
  assert.equal(short(on(seller('US'), buyer('FI'))), 'unregistered 0')
  assert.equal(short(on(seller('US', 'US'), buyer('FI'))), 'unregistered 0')
})

test('a business elsewhere in the union whose VAT id is valid pays the tax itself', () => {
  for (const settings of [seller('DE', 'DE', 'EU'), seller('DE', 'DE'), seller('US', 'EU'), seller('US')])
    assert.equal(short(on(settings, business('FR'))), 'reverse_charge 0')
  assert.equal(short(on(seller('DE', 'DE'), business('GR', 'valid', 'EL'))), 'reverse_charge 0')
})

test('a VAT id of another country, a false or a malformed one changes nothing', () => {
  const settings = { ...seller('DE', 'DE', 'EU'), isFormatEnough: true }
  for (const one of [business('FR', 'valid', 'IT'), business('FR', 'invalid'), business('FR', 'malformed')])
    assert.deepEqual(on(settings, one), {
      rate: 200_000,
      rule: 'destination',
      country: 'FR',
      isProvisional: false,
    })
})

test('a VAT id that could not be checked is taxed until it is, or believed where its form is enough', () => {
  const settings = seller('DE', 'DE', 'EU')
  const unchecked = on(settings, business('FR', 'unchecked'))
  assert.deepEqual(unchecked, { rate: 200_000, rule: 'destination', country: 'FR', isProvisional: true })
  const believed = on({ ...settings, isFormatEnough: true }, business('FR', 'unchecked'))
  assert.equal(short(believed), 'reverse_charge 0')
  assert.equal(on(settings, business('DE', 'unchecked')).isProvisional, false)
})

test('the United Kingdom is taxed by who is registered there, and its businesses tax themselves', () => {
  assert.equal(short(on(seller('DE', 'DE', 'EU', 'GB'), buyer('GB'))), 'destination 200000')
  assert.equal(short(on(seller('DE', 'DE', 'EU'), buyer('GB'))), 'unregistered 0')
  assert.equal(short(on(seller('DE', 'DE', 'EU', 'GB'), business('GB'))), 'reverse_charge 0')
  assert.equal(short(on(seller('DE', 'DE', 'GB'), business('GB', 'valid', 'XI'))), 'reverse_charge 0')
  assert.equal(short(on(seller('GB', 'GB', 'EU'), buyer('DE'))), 'destination 190000')
})

test('states and provinces are off until the seller is registered there', () => {
  const californian = buyer('US', { region: 'ca' })
  assert.equal(short(on(seller('DE', 'DE', 'EU'), californian)), 'outside 0')
  assert.equal(short(on(seller('US', 'US-CA'), californian)), 'domestic 82500')
  assert.equal(short(on(seller('US', 'US-CA'), buyer('US', { region: 'TX' }))), 'unregistered 0')
  assert.equal(short(on(seller('DE', 'US-CA'), californian)), 'destination 82500')
  const ontarian = buyer('CA', { region: 'ON' })
  assert.equal(short(on(seller('DE', 'CA'), ontarian)), 'destination 50000')
  assert.equal(short(on(seller('DE', 'CA-ON'), ontarian)), 'destination 130000')
})

test('any other country is taxed by who is registered there only', () => {
  assert.equal(short(on(seller('DE', 'DE', 'EU'), buyer('NO'))), 'outside 0')
  assert.equal(short(on(seller('DE', 'DE', 'EU', 'NO'), business('NO'))), 'destination 250000')
})

test('parts of a member state that its VAT does not reach are outside, Monaco and Man are inside', () => {
  const settings = seller('AT', 'AT', 'EU', 'GB')
  for (const [country, zip] of [
    ['ES', '35001'],
    ['ES', '52 004'],
    ['DE', '27498'],
    ['FI', '22100'],
    ['FR', '97400'],
    ['IT', '23041'],
    ['GR', '630 86'],
  ] as const)
    assert.equal(short(on(settings, buyer(country, { zip }))), 'outside 0', zip)
  assert.equal(short(on(settings, buyer('ES', { zip: '28001' }))), 'destination 210000')
  assert.equal(short(on(settings, buyer('MC'))), 'destination 200000')
  assert.equal(short(on(settings, buyer('IM'))), 'destination 200000')
})

test('the rate is that of the day', () => {
  const rate = (country: string, at: string) => on(seller('AT', 'AT', 'EU'), buyer(country), at).rate
  assert.equal(rate('FI', '2024-08-31 21:59:59'), 240_000)
  assert.equal(rate('FI', '2024-08-31 22:00:00'), 255_000)
  assert.deepEqual(
    ['2020-06-30 21:59:59', '2020-06-30 22:00:00', '2020-12-31 21:59:59', '2020-12-31 22:00:00'].map((at) =>
      rate('DE', at),
    ),
    [190_000, 160_000, 160_000, 190_000],
  )
})

test('a member without a known rate is not taxed', () => {
  assert.equal(short(on(seller('DE', 'DE', 'EU'), buyer('SK'))), 'unregistered 0')
})

test('whoever sells to whom, there is a tax exactly where there is a rate, and never after reverse charge', () => {
  const country = fc.constantFrom(
    'AT',
    'CA',
    'DE',
    'ES',
    'FI',
    'FR',
    'GB',
    'GR',
    'IM',
    'NO',
    'SK',
    'US',
    'JP',
  )
  const settings = fc.record({
    country: fc.option(country),
    registrations: fc.uniqueArray(fc.oneof(country, fc.constantFrom('EU', 'US-CA', 'CA-ON'))),
    isFormatEnough: fc.boolean(),
  })
  const vatId = fc.record({
    country,
    check: fc.constantFrom('valid' as const, 'invalid' as const, 'malformed' as const, 'unchecked' as const),
  })
  const buyers = fc.record({
    country,
    region: fc.constantFrom(null, 'CA', 'ON', 'TX'),
    zip: fc.constantFrom(null, '35001', '10115'),
    vatId: fc.option(vatId),
  })
  fc.assert(
    fc.property(settings, buyers, (given, to) => {
      const tax = on(given, to)
      assert.ok(Number.isSafeInteger(tax.rate) && tax.rate >= 0 && tax.rate <= 1_000_000)
      const isTaxed = ['domestic', 'destination', 'origin'].includes(tax.rule)
      assert.equal(tax.country !== null, isTaxed)
      if (!isTaxed) assert.deepEqual([tax.rate, tax.isProvisional], [0, false])
      if (tax.rule === 'reverse_charge') assert.ok(to.vatId?.check === 'valid' || given.isFormatEnough)
      if (given.registrations.length === 0) assert.equal(isTaxed, false)
      if (tax.isProvisional && to.vatId) {
        const checked = { ...to, vatId: { ...to.vatId, check: 'valid' as const } }
        assert.equal(on(given, checked).rule, 'reverse_charge')
      }
    }),
    { numRuns: 20_000 },
  )
})
