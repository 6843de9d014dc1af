import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkVatId } from './vat-id.ts'
import type { UtcTime } from '../../lib/time.ts'
import { isTaxPlace, taxRates } from './rates.ts'
import { vatIdRegister } from './vat-ids.ts'

const at = '2026-01-31 10:00:00' as UtcTime
const rate = (country: string, region: string | null = null) => taxRates.rateOf({ country, region }, at)

test('every member of the union has a standard rate from 17 to 27 percent', () => {
  const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
    ' ',
  )
  for (const country of members) {
    assert.ok(taxRates.isInUnion(country), country)
    const found = rate(country) ?? 0
    assert.ok(found >= 170_000 && found <= 270_000, `${country} ${found}`)
  }
  for (const country of ['GB', 'CH', 'NO', 'US']) assert.equal(taxRates.isInUnion(country), false)
})

test('rates that changed of late are those of today', () => {
  assert.deepEqual(
    ['FI', 'SK', 'EE', 'RO', 'GB'].map((country) => rate(country)),
    [255_000, 230_000, 240_000, 210_000, 200_000],
  )
})

test('tax is collected in countries, their regions and the union, nowhere else', () => {
  for (const place of ['DE', 'EU', 'US', 'US-CA', 'CA-ON', 'GB']) assert.ok(isTaxPlace(place), place)
  for (const place of ['', 'QQ', 'US-QQ', 'DE-BE', 'EU-DE', 'toString', 'US-toString', 'US-'])
    assert.equal(isTaxPlace(place), false, place)
})

const check = async (id: string) => (await checkVatId(id, vatIdRegister(null)))?.check

test('form and check digit are those of the country', async () => {
  for (const id of [
    'DE136695976',
    'FR40303265045',
    'EL094259216',
    'NL004495445B01',
    'GB980780684',
    'XI980780684',
    'CHE123456788TVA',
  ])
    assert.equal(await check(id), 'unchecked', id)
  for (const id of ['DE136695970', 'FR40303265040', 'EL094259210', 'US123456789', 'DE', 'ZZ1'])
    assert.equal(await check(id), 'malformed', id)
})

test('outside of the union nobody is asked', async () => {
  const register = vatIdRegister({ isKnown: () => assert.fail('it was asked') })
  for (const id of ['GB980780684', 'CHE123456788']) assert.equal(await register.isKnown(id), null)
})
