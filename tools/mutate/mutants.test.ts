import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { EQUIVALENT } from './equivalent.ts'
import { mutantsOf } from './mutants.ts'

const cases: readonly (readonly [name: string, source: string, mutated: readonly string[]])[] = [
  ['a comparison moves by one value', 'x = a < b', ['x = a <= b']],
  ['an amount changes its sign', 'x = paid - tax', ['x = paid + tax']],
  ['a text is not added up', "x = 'a' + b", []],
  ['a condition holds always and never', 'if (isPaid) x = 1', ['if (true) x = 1', 'if (false) x = 1']],
  ['a step is left out', 'await record(x)', [';']],
  ['a log line is no rule', 'ctx.log.info(x)', []],
  [
    'a statement loses what narrows it',
    "x = db.where('id', '=', id).execute()",
    ['x = db.execute()', "x = db.where('id', '!=', id).execute()"],
  ],
  [
    'raw SQL compares otherwise',
    'x = sql`a < b and c = d`',
    ['x = sql`a <= b and c = d`', 'x = sql`a < b and c != d`'],
  ],
  ['a limit is one more', 'const LIMIT = 20', ['const LIMIT = 21']],
  ['a flag is turned', 'x = { isFree: true }', ['x = { isFree: false }']],
  ['what stands for nothing goes', 'x = a ?? b', ['x = a']],
  ['a negation goes', 'x = !a', ['x = (a)']],
]

for (const [name, source, mutated] of cases) {
  test(`of rule lines: ${name}`, () => {
    const found = mutantsOf('rule.ts', source).map(
      ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
    )
    assert.deepEqual(found.toSorted(), mutated.toSorted())
  })
}

test('what is listed as equivalent is there still', async () => {
  for (const { file, before } of EQUIVALENT) {
    const lines = (await readFile(join(import.meta.dirname, '../..', file), 'utf8')).split('\n')
    assert.ok(
      lines.some((line) => line.trim() === before),
      `${file}: ${before}`,
    )
  }
})
