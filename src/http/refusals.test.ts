import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { operations, refusals } from '../app.ts'
import type { RefusalCode } from '../lib/errors.ts'
import { undeclaredIn } from '../../test/contract/refused.ts'
import { ERRORS_FILE, errorsDocument } from '../../tools/errors.ts'
import { HTTP_REFUSALS, isCommon, refusalsOf } from './refusals.ts'

const codes = Object.keys(refusals) as RefusalCode[]

test('docs/errors.md is what the codes and operations say (`npm run errors` writes it)', async () => {
  assert.equal(await readFile(ERRORS_FILE, 'utf8'), errorsDocument())
})

test('every code is answered by an operation, or says where else', () => {
  const answered = new Set(operations.flatMap(refusalsOf))
  assert.deepEqual(
    codes.filter((code) => answered.has(code) === (refusals[code].elsewhere !== undefined)),
    [],
  )
})

test('every code says in one sentence when it is answered', () => {
  for (const code of codes) assert.match(refusals[code].says, /^[A-Z][^|]*\.$/, code)
})

/** The lists of a license are of sites, whatever its product is. */
const OF_SITES = new Set(['license_sites_full'])
/** Says of sites that they are one of several things that are counted. */
const UNITS = /sites, devices, seats/

test('the words of a code fit products of every type: none counts in sites alone', () => {
  const ofSites = codes.filter((code) => {
    const { says, help = '' } = refusals[code]
    return /\b(sites?|production)\b/.test(`${says} ${help}`.replace(UNITS, ''))
  })
  assert.deepEqual(new Set(ofSites), OF_SITES)
})

test('no operation repeats what follows from what it is, nor names a code twice', () => {
  for (const { id, refuses = [] } of operations) {
    assert.deepEqual(refuses.filter(isCommon), [], id)
    assert.equal(new Set(refuses).size, refuses.length, id)
  }
})

test('what is common follows from what an operation is', () => {
  const of = (id: string) => refusalsOf(operations.find((op) => op.id === id) ?? assert.fail(id))
  const [read, write, pay] = ['users/list', 'users/create', 'keywright/pay-checkout'].map(of)
  assert.ok(read?.includes('not_found') && write?.includes('not_found'))
  assert.ok(write?.includes('idempotency_in_flight') && !read?.includes('idempotency_in_flight'))
  assert.ok(pay?.includes('card_number_refused') && !write?.includes('card_number_refused'))
  assert.equal(HTTP_REFUSALS.method_not_allowed.elsewhere, 'a path that has other methods')
})

test('a code that an operation does not declare is a fault of a test, and so is another status', () => {
  const answer = (operation: string, code: string, status: number) => ({ operation, code, status })
  assert.deepEqual(
    undeclaredIn([
      answer('licenses/assign', 'license_owned', 400),
      answer('users/list', 'not_found', 404),
      answer('none', 'method_not_allowed', 405),
    ]),
    [],
  )
  assert.deepEqual(
    undeclaredIn([
      answer('users/list', 'license_owned', 400),
      answer('users/list', 'license_owned', 400),
      answer('none', 'webhook_inactive', 400),
    ]),
    [
      'users/list answers license_owned, which it does not declare',
      'webhook_inactive is listed with 409 and came with 400',
    ],
  )
})
