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
    '4242/4242/4242/4242',
    '2026/4242/4242/4242/4242',
    '12/2027/4242/4242/4242/4242',
    'card 4242 | 4242 | 4242 | 4242.',
    '4242----4242----4242----4242',
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
    '4242,4242,4242,4242',
    '2001:4242:4242:4242:4248::1',
    '94242/4242/4242/4242',
    '4242/4242-4242/4242',
    'test_succeeds',
    '9223372036854775807',
  ])
    assert.equal(hasCardNumber(text), false, text)
})

test('is found as by trying every group with those behind it', () => {
  const luhn = (digits: string) =>
    [...digits].toReversed().reduce((sum, digit, index) => {
      const value = Number(digit) * (1 + (index % 2))
      return sum + (value > 9 ? value - 9 : value)
    }, 0) % 10
  const isOne = (groups: readonly string[]) =>
    groups.some((_, first) =>
      groups.some((__, last) => {
        const digits = groups.slice(first, last + 1).join('')
        return /^[2-6]\d{12,18}$/.test(digits) && luhn(digits) === 0
      }),
    )
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const found = { true: 0, false: 0 }
  for (let round = 0; round < 5_000; round++) {
    const groups = Array.from({ length: 1 + random(9) }, () =>
      Array.from({ length: 1 + random(6) }, () => random(10)).join(''),
    )
    const isCard = isOne(groups)
    found[`${isCard}`] += 1
    assert.equal(hasCardNumber(groups.join(' ')), isCard, groups.join(' '))
  }
  assert.ok(found.true > 500 && found.false > 500, JSON.stringify(found))
})

test('50,000 characters are searched in less than 10 ms', () => {
  const spent = () => process.threadCpuUsage().user / 1_000
  for (const unit of [
    '4',
    '4 ',
    '4-',
    '40 ',
    '1.',
    '0-',
    '2 ',
    '4242/',
    '4242/4242/4242-',
    '4242 4242 4242 4241 ',
    '\u0663\u0661 ',
  ]) {
    const text = unit.repeat(50_000 / unit.length)
    const times = Array.from({ length: 7 }, () => {
      const start = spent()
      hasCardNumber(text)
      return spent() - start
    })
    assert.ok(Math.min(...times) < 10, `${unit}: ${Math.min(...times)} ms`)
  }
})
