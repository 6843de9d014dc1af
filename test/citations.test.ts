import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Documents whose parts are cited by number, each with how such a part begins. */
const NUMBERED = {
  'docs/decisions.md': /^### (\d+\.\d+) /gm,
  'docs/interface.md': /^### (\d+\.\d+) /gm,
  'docs/security-checks.md': /^\| ([SR]\d+) \|/gm,
} as const

const NUMBER = String.raw`(?:\d+\.\d+|[SR]\d+)`
const CITATION = new RegExp(
  String.raw`(docs/[\w-]+\.md)\W{1,2}(${NUMBER}(?:(?:,|\sto|\sand)\s(?:\*\s)?${NUMBER})*)`,
  'g',
)

const files = await Array.fromAsync(
  glob(['{src,test,tools,bench}/**/*.ts', '{*,docs/**/*}.md'], { cwd: root }),
)

/** What is cited by number, with where. */
async function citations(): Promise<{ document: string; number: string; file: string }[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(join(root, file), 'utf8')).replaceAll(/\n *(?:\*|\/\/) /g, ' ')
      return [...text.matchAll(CITATION)].flatMap(([, document = '', numbers = '']) =>
        [...numbers.matchAll(new RegExp(NUMBER, 'g'))].map(([number]) => ({ document, number, file })),
      )
    }),
  )
  return found.flat()
}

test('what is cited by its number stands in its document', async () => {
  const cited = await citations()
  for (const [document, heading] of Object.entries(NUMBERED)) {
    const text = await readFile(join(root, document), 'utf8')
    const numbers = new Set([...text.matchAll(heading)].map(([, number]) => number))
    const ofIt = cited.filter((one) => one.document === document)
    assert.ok(ofIt.length > 0, document)
    assert.deepEqual(
      ofIt.filter(({ number }) => !numbers.has(number)),
      [],
    )
  }
})

test('numbered parts stand in their order, each once', async () => {
  for (const document of ['docs/decisions.md', 'docs/interface.md'] as const) {
    const text = await readFile(join(root, document), 'utf8')
    const numbers = [...text.matchAll(NUMBERED[document])].map(([, number = '']) => number)
    const places = numbers
      .map((number) => number.split('.').map(Number))
      .map(([a = 0, b = 0]) => a * 1000 + b)
    assert.deepEqual(
      places,
      [...new Set(places)].toSorted((a, b) => a - b),
      document,
    )
  }
})
