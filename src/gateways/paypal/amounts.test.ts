// Runs beside others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES } from '../../lib/money.ts'
import { feeOf, minorOf, moneyOf } from './amounts.ts'

const eur = (value: string) => ({ currency_code: 'EUR', value })

test('an amount is the same again after it was written and read, in every currency', () => {
  for (const currency of CURRENCIES)
    for (const minor of [1, 9, 10, 99, 100, 101, 1_005, 1_999, 11_880, 1_000_000_000, 2 ** 53 - 1]) {
      const money = moneyOf({ minor, currency })
      assert.deepEqual([minorOf(money), money.currency_code], [minor, currency.toUpperCase()])
    }
})

test('an amount is read however many decimals it is written with, and what is none is refused', () => {
  for (const [value, minor] of [
    ['118', 11_800],
    ['118.8', 11_880],
    ['.05', 5],
    ['-1.50', -150],
    ['1.5000', 150],
    ['0', 0],
  ] as const)
    assert.equal(minorOf(eur(value)), minor, value)
  for (const value of ['', '.', '-', '1.005', '1e3', '1,00', ' 1', '99999999999999999', 'NaN'])
    assert.throws(() => minorOf(eur(value)), /an amount that is none/, value)
})

test('a fee is within what was paid, and of its currency', () => {
  const capture = { id: 'C', status: 'COMPLETED', amount: eur('0.10') }
  const feeWith = (paypal_fee: { currency_code: string; value: string }) =>
    feeOf({ ...capture, seller_receivable_breakdown: { paypal_fee } })
  assert.deepEqual(
    [feeOf(capture), feeWith(eur('0.03')), feeWith(eur('0.30')), feeWith(eur('-0.30'))],
    [0, 3, 10, 0],
  )
  assert.equal(feeWith({ currency_code: 'USD', value: '0.03' }), 0)
})
