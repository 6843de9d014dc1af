import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveLedger } from '../../../test/ledger-properties.ts'
import { postingsOf, type Entry } from './ledger.ts'

const NOTHING_LOST = { lostGross: 0, lostTax: 0 }

proveLedger(20_000)

test('a sale of 49.99 with 10.00 tax and a fee of 1.75 lies where it belongs', () => {
  const sale: Entry = {
    type: 'payment',
    gateway: 'stripe',
    gross: 4999,
    tax: 1000,
    fee: 175,
    ...NOTHING_LOST,
  }
  assert.deepEqual(postingsOf(sale), [
    { account: 'gateway:stripe', amount: 5824 },
    { account: 'gateway_fees', amount: 175 },
    { account: 'revenue', amount: -4999 },
    { account: 'tax', amount: -1000 },
  ])
})

test('what was paid elsewhere lies elsewhere, and what moves nothing has no postings', () => {
  const elsewhere: Entry = { type: 'payment', gateway: null, gross: 100, tax: 0, fee: 0, ...NOTHING_LOST }
  assert.deepEqual(postingsOf(elsewhere), [
    { account: 'elsewhere', amount: 100 },
    { account: 'revenue', amount: -100 },
  ])
  assert.deepEqual(postingsOf({ ...elsewhere, gross: 0 }), [])
})
