import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { table, type Table } from './cases.ts'
import { inBrowser, inNode, type Run } from './in-javascript.ts'
import { CLIENTS, verify, type Options } from './verify.ts'

const written = JSON.parse(await readFile(join(CLIENTS, 'cases.json'), 'utf8')) as Table

/** Other languages take seconds to start: `interpreters.long.test.ts`. */
const verifiers: readonly { readonly name: string; readonly run: Run }[] = [
  { name: 'JavaScript in Node', run: inNode },
  { name: 'JavaScript with what browsers have', run: inBrowser },
]

test('the table in clients/ is the one that node tools/license-file-cases.ts writes', () => {
  assert.deepEqual(written, table())
})

test('the table has every code', () => {
  assert.deepEqual([...new Set(written.cases.map(({ result }) => result.code))].toSorted(), [
    'clock_rolled_back',
    'expired',
    'invalid_signature',
    'malformed',
    'unknown_algorithm',
    'unknown_key',
    'valid',
    'wrong_machine',
    'wrong_product',
  ])
})

for (const { name, run } of verifiers) {
  test(`R15: ${name} answers every case of the table as it stands there`, async () => {
    const found = await run(written)
    assert.equal(found.length, written.cases.length)
    for (const [index, { name: title, result }] of written.cases.entries()) {
      assert.deepEqual(found[index], result, title)
    }
  })
}

describe('S15: a file that is not as it was signed', () => {
  const [{ file, given } = assert.fail()] = written.cases
  const options = { ...given, publicKeys: written.publicKeys.current } as unknown as Options
  const verdict = async (text: string) => (await verify(text, options)).valid

  test('is bad wherever it is cut', async () => {
    for (let length = 0; length < file.length - 1; length++) {
      assert.equal(await verdict(file.slice(0, length)), false, `after ${length} characters`)
    }
  })

  test('is bad whichever of its characters is another one', async () => {
    for (let at = 0; at < file.length; at++) {
      if (file[at] === '\n') continue
      const text = file.slice(0, at) + (file[at] === 'A' ? 'B' : 'A') + file.slice(at + 1)
      assert.equal(await verdict(text), false, `character ${at}`)
    }
  })

  test('is bad at a time that is no number', async () => {
    for (const now of [NaN, 'soon', {}]) {
      const { valid } = await verify(file, { ...options, now: now as number })
      assert.equal(valid, false)
      assert.equal((await verify(file, { ...options, lastSeen: now as number })).valid, false)
    }
  })

  test('is bad when it is no text, or very long', async () => {
    for (const text of [undefined, null, 7, {}, [file]]) assert.equal(await verdict(text as string), false)
    assert.equal(await verdict(file + '\n'.repeat(300_000)), false)
  })
})
