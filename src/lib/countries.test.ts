import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOfCountry, isCountry, isCountryText, isState, isStateCode } from './countries.ts'

test('a country is a code of ISO 3166-1 in any case, or that of Kosovo', () => {
  for (const code of ['DE', 'us', 'gB', 'JP', 'xk']) assert.ok(isCountry(code), code)
  for (const code of ['XX', 'UK', 'EU', 'ZZ', 'AA', 'DEU', 'D', '', 'Ÿ1']) assert.ok(!isCountry(code), code)
})

test('the country of an address is a name or a code of one that there is, in several languages', () => {
  for (const text of [
    'Germany',
    'deutschland',
    'DE',
    'deu',
    'Côte d’Ivoire',
    "Cote d'Ivoire",
    'United States',
    'United States of America',
    'U.S.A.',
    'UK',
    'Republic of Korea',
    'South Korea',
    'Allemagne',
    'España',
    'Türkiye',
    'Turkey',
    'The Netherlands',
    'Republic of Ireland',
    'UAE',
    'Kosovo',
    '日本',
    '',
  ])
    assert.ok(isCountryText(text), text)
  for (const text of ['Narnia', 'ZZ', 'ZZZ', 'Germanyy', 'x', '1', 'Berlin'])
    assert.ok(!isCountryText(text), text)
})

test('a name of a country gives its code, and the likelier one where two have it', () => {
  const names =
    'DE Germany,DE allemagne,DE DEU,DE de,NL The Netherlands,GB UK,KR Korea,KR Republic of Korea,KP North Korea,CG Congo,CD DR Congo,VI Virgin Islands,VG British Virgin Islands,XK Kosovo,NE Niger,NG Nigeria'
  for (const text of names.split(',')) assert.equal(codeOfCountry(text.slice(3)), text.slice(0, 2), text)
  for (const name of ['Narnia', '', '日本', 'x']) assert.equal(codeOfCountry(name), null, name)
})

test('the code of a state belongs to its country', () => {
  assert.ok(isStateCode('US', 'CA') && isStateCode('us', 'ca') && isStateCode('FR', 'IDF'))
  assert.ok(isStateCode(null, 'IDF'))
  for (const [country, code] of [
    ['US', 'XX'],
    ['DE', 'CA'],
    ['US', 'California'],
    ['US', 'US-CA'],
    ['GI', 'CA'],
    [null, 'ZZZZ'],
  ] as const)
    assert.ok(!isStateCode(country, code), `${country} ${code}`)
})

test('the state of an address is a code or a name, with or without accents', () => {
  for (const [country, text] of [
    ['US', 'CA'],
    ['us', 'us-ca'],
    ['US', 'new york'],
    ['DE', 'Baden-Wurttemberg'],
    ['ES', 'Madrid'],
    ['JP', '東京都'],
    ['HK', 'Kowloon'],
    ['DE', ''],
    [null, 'Ontario'],
    [null, 'CA-ON'],
  ] as const)
    assert.ok(isState(country, text), `${country} ${text}`)
  for (const [country, text] of [
    ['US', 'Atlantis'],
    ['US', 'ZZ'],
    ['US', '99'],
    ['DE', 'California'],
    ['DE', 'US-CA'],
    [null, 'Atlantis'],
    ['US', 'US-CA-1'],
  ] as const)
    assert.ok(!isState(country, text), `${country} ${text}`)
})
