import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalVatId } from '../../lib/vat-form.ts'
import { checkVatId } from './vat-id.ts'

/** A tax office that knows one id, has no clerk for GB and does not answer for FR; and what it was asked. */
function office() {
  const asked: string[] = []
  const isKnown = async (id: string) => {
    asked.push(id)
    if (id.startsWith('FR')) throw new Error('no answer')
    return id.startsWith('GB') ? null : id === 'DE136695976'
  }
  return { asked, isKnown, isWellFormed: (id: string) => !id.endsWith('0') }
}

const check = (text: string) => checkVatId(text, office())

test('a VAT id is checked as it is registered, however it is printed', async () => {
  assert.equal(normalVatId(' de 136.695-976 '), 'DE136695976')
  assert.deepEqual(await check(' de 136.695-976 '), { country: 'DE', check: 'valid' })
  assert.deepEqual(await check('DE136695971'), { country: 'DE', check: 'invalid' })
})

test('what has not the form of one is malformed, and nobody is asked', async () => {
  const register = office()
  for (const [text, country] of [
    ['DE136695970', 'DE'],
    ['136695976', ''],
    ['D', ''],
    ['DE1366959761234567', ''],
    ['DE13669<976', ''],
    ['ДЕ136695976', ''],
  ] as const)
    assert.deepEqual(await checkVatId(text, register), { country, check: 'malformed' }, text)
  assert.deepEqual(register.asked, [])
})

test('one that nobody can be asked about, or nobody answers for, is unchecked', async () => {
  assert.deepEqual(await check('GB980780684'), { country: 'GB', check: 'unchecked' })
  assert.deepEqual(await check('FR40303265045'), { country: 'FR', check: 'unchecked' })
})

test('an empty one is none', async () => {
  assert.equal(await check(' '), null)
})
