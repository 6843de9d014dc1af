import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { casesOf } from '../../test/bad-moved-rows.ts'
import { ASIDE, FAULTS, KEPT, PLATFORM_FAULTS, STAYS } from './codes.ts'

const CODES = new Set([ASIDE, FAULTS, KEPT, PLATFORM_FAULTS, STAYS].flatMap((of) => Object.keys(of)))

/** The codes of the table in the documents. */
async function documented(): Promise<ReadonlySet<string>> {
  const text = await readFile(join(import.meta.dirname, '../../docs/moving.md'), 'utf8')
  const table = text.split('<!-- codes: npm run moving -->')[1]?.split('<!-- end of codes -->')[0] ?? ''
  return new Set([...table.matchAll(/^\| `([a-z0-9_]+)` \| .+ \|$/gm)].map(([, code = '']) => code))
}

/** What imports are made of, as text. */
async function sources(): Promise<string> {
  const names = await readdir(import.meta.dirname, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !/(\.test|^codes)\.ts$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  return texts.join('\n')
}

test('each code that a report can have stands in the documents, and no other', async () => {
  assert.deepEqual([...(await documented())].toSorted(), [...CODES].toSorted())
})

test('each code of the documents is one that something reports', async () => {
  const text = await sources()
  assert.deepEqual(
    [...CODES].filter((code) => !text.includes(`'${code}'`)),
    [],
  )
})

test('each code of a bad row in the tests stands in the documents', async () => {
  const known = await documented()
  const told = casesOf(() => ({ foreignProduct: 0, foreignStore: 0, usedProduct: 0 }))
  assert.deepEqual(
    told.map(({ reason }) => reason).filter((reason) => !known.has(reason)),
    [],
  )
})
