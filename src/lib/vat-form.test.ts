import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMalformedVatId } from './vat-form.ts'

test('a VAT id has length and check digit of its country, however it is printed', () => {
  for (const id of ['DE136695976', 'de 136.695-976', 'FR40303265045', 'XI980780684', 'CHE-123.456.788'])
    assert.equal(isMalformedVatId(id), false, id)
  for (const id of [
    'DE136695970',
    'DE1',
    'FR123',
    'GB12',
    'EL1',
    'XI1',
    'ATU1',
    'CHE010101123',
    'FRAB010101A23',
  ])
    assert.equal(isMalformedVatId(id), true, id)
})

test('a tax id of another kind is no VAT id, also where it begins with the letters of a country', () => {
  const others = ['', 'NO 974 760 673 MVA', 'NO974760673', '12/345/67890', 'JP123', '27AAPFU0939F1ZV']
  // Of Rossi in Italy, of Rodríguez and of a company in Mexico, of a person in India.
  for (const id of [...others, 'RSSMRA85T10A562S', 'ROGE800101AB1', 'DEL800101XY2', 'SKPDA1234F'])
    assert.equal(isMalformedVatId(id), false, id)
})
