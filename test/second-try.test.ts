// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passing, runTests } from './runner.ts'

/** Fails in the first process that runs it, with another test that passes beside it. */
const failingOnce = (lane: string) => `${lane}
  import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'node:test'
  test('fails once', () => {
    const mark = import.meta.filename + '.ran'
    if (existsSync(mark)) return
    writeFileSync(mark, ''); throw new Error('too late')
  })
  test('passes', () => {})`

/** What a whole run has to hold, and more: a test on each engine. */
const whole = {
  'test/app.ts': "import './database.ts'",
  'test/database.ts': 'export {}',
  'src/lib/steady.test.ts': passing,
  'src/http/both.test.ts': `import '../../test/app.ts'\n${passing}`,
}

const inBrowser = '// Runs in a browser.'

test('a whole run tries what failed in a browser once more, and its last line says so', async (t) => {
  const { code, lastLine, output } = await runTests(t, [], {
    ...whole,
    'src/lib/late.test.ts': failingOnce(inBrowser),
  })
  assert.match(output, /✖ src\/lib\/late\.test\.ts › fails once\n +Error: too late/)
  assert.match(output, /src\/lib\/late\.test\.ts passed at a second try/)
  assert.equal(lastLine, '5 passed, 0 failed, 1 at a second try')
  assert.equal(code, 0)
})

test('what fails in a browser at the second try too is exit code 1', async (t) => {
  const failing = `${inBrowser}\nimport { test } from 'node:test'; test('fails', () => { throw new Error('no') })`
  const { code, lastLine } = await runTests(t, [], { ...whole, 'src/lib/late.test.ts': failing })
  assert.match(lastLine, /, 1 failed$/)
  assert.equal(code, 1)
})

const notTried = {
  'without a browser': { args: [], files: { 'src/lib/late.test.ts': failingOnce('') } },
  'in more than five files': {
    args: [],
    files: Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`src/lib/${name}.test.ts`, failingOnce(inBrowser)]),
    ),
  },
  'where files were chosen': { args: ['src/'], files: { 'src/lib/late.test.ts': failingOnce(inBrowser) } },
}
for (const [what, { args, files }] of Object.entries(notTried)) {
  test(`what fails ${what} is not tried again`, async (t) => {
    const { code, output } = await runTests(t, args, { ...whole, ...files })
    assert.doesNotMatch(output, /second try/)
    assert.equal(code, 1)
  })
}
