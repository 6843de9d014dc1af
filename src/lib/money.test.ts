import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMinorAmount, MAX_PRICE, toDecimal, toMinor } from './money.ts'

test('every amount with two decimals survives the way to minor units and back', () => {
  const minor = fc.integer({ min: 0, max: MAX_PRICE * 100 })
  fc.assert(
    fc.property(minor, (units) => {
      const amount = Number(`${Math.trunc(units / 100)}.${String(units % 100).padStart(2, '0')}`)
      assert.equal(isMinorAmount(amount), true)
      assert.equal(toMinor(amount), units)
      assert.equal(toDecimal(units), amount)
    }),
  )
})

test('an amount with more than two decimals is none', () => {
  for (const amount of [0.001, 19.999, 1.005, 9_999_999.995, 1e-9, 0.1 + 0.2])
    assert.equal(isMinorAmount(amount), false, String(amount))
})
