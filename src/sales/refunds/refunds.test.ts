import assert from 'node:assert/strict'
import { test } from 'node:test'
import { split } from '../../lib/portions.ts'
import { leftOf, splitRefund } from './refunds.ts'

const refusal = (code: string) => ({ name: 'ApiError', status: 400, code })

test('a refund is made up of gross and tax in the shares of what is left', () => {
  assert.deepEqual(splitRefund({ gross: 10_000, tax: 2_000 }, 6_000), { gross: 5_000, tax: 1_000 })
  assert.deepEqual(splitRefund({ gross: 2, tax: 1 }, 1), { gross: 1, tax: 0 })
  assert.deepEqual(splitRefund({ gross: 10_000, tax: 0 }, 1), { gross: 1, tax: 0 })
})

test('after the tax alone was given back, the rest is without tax', () => {
  const left = leftOf({ gross: 10_000, tax: 2_000 }, [{ gross: 0, tax: 2_000 }])
  assert.deepEqual(splitRefund(left, 2_500), { gross: 2_500, tax: 0 })
})

test('a refund of nothing, or of more than is left, is refused', () => {
  const left = leftOf({ gross: 100, tax: 20 }, [{ gross: 50, tax: 10 }])
  assert.throws(() => splitRefund(left, 0), refusal('invalid_refund_amount'))
  assert.throws(() => splitRefund(left, 61), refusal('refund_exceeds_payment'))
  assert.deepEqual(splitRefund(left, 60), left)
})

test('a split hands out what is left over, first to those who lost most', () => {
  assert.deepEqual(split(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(split(10, [1, 0, 3]), [3, 0, 7])
  assert.deepEqual(split(5, [1, 2, 4]), [1, 1, 3])
  assert.deepEqual(split(0, [0, 0]), [0, 0])
  assert.throws(() => split(1, [0, 0]), RangeError)
})
