import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUtcTime } from './time.ts'
import { figureText, moneyText } from './words.ts'

/** What keeps an amount and its sign in one line is a space that does not break. */
const plain = (text: string) => text.replaceAll('\u00A0', ' ')

test('each language writes money, percent and time in its own way, and English as everybody can read it', () => {
  const time = toUtcTime(Date.UTC(2027, 0, 31, 9, 5))
  const figures = [
    { minor: 5950, currency: 'eur' },
    { minor: 123_456_700, currency: 'usd' },
    { minor: -1, currency: 'gbp' },
    { percent: 15 },
    { percent: 8.125 },
    { time },
  ]
  const inLanguage = (language: string) => figures.map((one) => plain(figureText(one, language)))
  assert.deepEqual(inLanguage('en'), [
    '59.50 EUR',
    '1234567.00 USD',
    '-0.01 GBP',
    '15 %',
    '8.125 %',
    '2027-01-31 09:05:00',
  ])
  assert.deepEqual(inLanguage('de'), [
    '59,50 €',
    '1.234.567,00 $',
    '-0,01 £',
    '15 %',
    '8,125 %',
    '31.01.2027, 09:05:00',
  ])
})

test('an amount has the decimals of its currency: yen none, dinars three', () => {
  const written = (currency: string, language: string) =>
    plain(moneyText({ minor: 12_345, currency }, language))
  assert.deepEqual([written('jpy', 'en'), written('kwd', 'en')], ['12345 JPY', '12.345 KWD'])
  assert.deepEqual([written('jpy', 'de'), written('kwd', 'de')], ['12.345 ¥', '12,345 KWD'])
})
