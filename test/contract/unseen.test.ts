import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createTestFolder } from '../folder.ts'
import { documentedFields, fieldFaults } from './unseen.ts'

/** The faults of a run whose processes would have noted this; what is listed is left out. */
async function faultsOf(t: TestContext, ...lists: readonly (readonly string[])[]): Promise<string[]> {
  const folder = await createTestFolder('unseen')
  t.after(() => rm(folder, { recursive: true }))
  for (const [n, list] of lists.entries()) await writeFile(join(folder, `${n}.json`), JSON.stringify(list))
  return (await fieldFaults(folder)).filter((fault) => !fault.includes('is listed as'))
}

const EVERY = [...documentedFields().keys()].flatMap((field) => [`${field} 1`, `${field} 2`])
const without = (...lines: readonly string[]) => EVERY.filter((line) => !lines.includes(line))

test('of a figure and of a flag one value is none, also when it comes often; of a text it is enough', async (t) => {
  assert.deepEqual(await faultsOf(t, EVERY), [])
  const once = without('User.gross 2', 'User.is_beta 1', 'User.email 2')
  const told = ['User.is_beta', 'User.gross'].map(
    (field) => `${field} had fewer than 2 values in the replies of all tests`,
  )
  assert.deepEqual((await faultsOf(t, once, once)).toSorted(), told.toSorted())
  assert.deepEqual(await faultsOf(t, once, ['User.gross 3', 'User.is_beta 1']), [], 'of two processes')
})

test('a text without a value, and what is listed as the same or empty and is not, are told', async (t) => {
  assert.deepEqual(await faultsOf(t, without('User.email 1', 'User.email 2')), [
    'User.email had fewer than 1 values in the replies of all tests',
  ])
  const folder = await createTestFolder('unseen')
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, '0.json'), JSON.stringify(EVERY))
  const faults = await fieldFaults(folder)
  assert.ok(faults.includes('Coupon.source is listed as always the same and was not'))
  assert.ok(faults.includes('Discount.updated is listed as always empty and had a value'))
})
