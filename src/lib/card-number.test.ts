import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasCardNumber } from './card-number.ts'

test('a card number is found in any text, in groups or not', () => {
  for (const text of [
    '4242424242424242',
    '4242 4242 4242 4242',
    'my card is 5555-5555-5555-4444, thanks',
    '378282246310005',
    '6011111111111117',
    '4222222222222',
    '{"number":"2223003122003222"}',
    'tok_4242424242424242',
    '4242424242424242 12/29 123',
    '1 4242 4242 4242 4242',
    '４２４２　４２４２　４２４２　４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '4242.4242.4242.4242',
    '4242\u200B4242\u00A04242\u20134242',
  ])
    assert.equal(hasCardNumber(text), true, text)
})

test('other numbers are none', () => {
  for (const text of [
    '',
    '4242424242424241',
    '424242424242',
    '42424242424242420065',
    '94242424242424242',
    '0.4242424242424242',
    '+49 30 901820',
    '1234567890123456',
    '2026-01-31 10:00:00',
    'test_succeeds',
    '9223372036854775807',
  ])
    assert.equal(hasCardNumber(text), false, text)
})

test('a long text takes no long time', () => {
  const started = performance.now()
  for (const text of ['4'.repeat(50_000), '4 '.repeat(25_000), '4-'.repeat(25_000), '40 '.repeat(17_000)]) {
    hasCardNumber(text)
  }
  assert.ok(performance.now() - started < 200)
})
