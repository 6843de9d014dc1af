// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { passing, project, runTests, runTestsIn, startRunner } from './runner.ts'

/** What opens a database, as a test imports it that wants one on each engine. */
const database = { 'test/database.ts': 'export {}', 'test/app.ts': "import './database.ts'" }
const onEngines = `import '../../test/app.ts'\n${passing}`

test('passed, failed and skipped tests are counted over all files in the last line, and a failure is exit code 1', async (t) => {
  const { code, lastLine, output } = await runTests(t, ['src/lib/'], {
    'src/lib/one.test.ts': passing,
    'src/lib/two.test.ts': `
      import { test } from 'node:test'
      test('outer', async (t) => {
        await t.test('passes', () => {})
        await t.test('breaks', () => { console.log('what it printed'); throw new Error('the reason') })
      })
      test('left out', { skip: true }, () => {})
      test('wanted one day', { todo: true }, () => { throw new Error('not yet') })`,
  })
  assert.equal(lastLine, '2 passed, 1 failed, 2 skipped')
  assert.equal(code, 1)
  assert.match(output, /src\/lib\/two\.test\.ts › outer › breaks\n +Error: the reason/)
  assert.match(output, /two\.test\.ts printed:\n +what it printed/)
})

test('a run whose tests all pass prints no more than its counts and is exit code 0', async (t) => {
  const { code, output } = await runTests(t, ['src/lib/'], { 'src/lib/one.test.ts': passing })
  assert.equal(output, 'without a database: 1 executed\n1 passed, 0 failed\n')
  assert.equal(code, 0)
})

const brokenFiles = {
  'cannot be loaded': "import './missing.ts'",
  'has no test': 'export {}',
  'exits before its tests end': `${passing}; test('exits', () => process.exit(0))`,
  'throws after its last test': `${passing}; setTimeout(() => { throw new Error('late') }, 50)`,
}
for (const [what, source] of Object.entries(brokenFiles)) {
  for (const others of [{}, { 'src/lib/other.test.ts': passing }]) {
    const beside = Object.keys(others).length > 0 ? ' beside another file' : ''
    test(`a file that ${what} is a failure${beside}`, async (t) => {
      const files = { 'src/lib/broken.test.ts': source, ...others }
      const { code, lastLine, output } = await runTests(t, ['src/lib/'], files)
      assert.match(lastLine, / 1 failed$/)
      assert.match(output, /✖ src\/lib\/broken\.test\.ts/)
      assert.equal(code, 1)
    })
  }
}

test('a run that selects no file is exit code 1', async (t) => {
  const { code, lastLine } = await runTests(t, ['nothing-like-it'], { 'src/lib/one.test.ts': passing })
  assert.equal(lastLine, '0 passed, 0 failed')
  assert.equal(code, 1)
})

test('a full run in which an engine executed no test is exit code 1 and says which', async (t) => {
  const { code, output, lastLine } = await runTests(t, [], { 'src/lib/one.test.ts': passing })
  assert.match(output, /sqlite: no test was executed\npostgres: no test was executed\n/)
  assert.equal(lastLine, '1 passed, 0 failed')
  assert.equal(code, 1)
})

test('a whole run in which the document of events says what no test recorded is exit code 1', async (t) => {
  const { code, output } = await runTests(t, ['--engine=sqlite'], {
    'test/contract.test.ts': passing,
    'src/http/one.test.ts': onEngines,
    ...database,
  })
  assert.match(output, /✖ cart\.updated was recorded by no test\n/)
  assert.match(output, /\n2 passed, 0 failed\n$/)
  assert.equal(code, 1)
})

test('a test that imports what opens a database, by whatever way, runs once per engine and knows which it is on', async (t) => {
  const source = (engine: string) => `
import '../../test/app.ts'
    import { test } from 'node:test'; import assert from 'node:assert'
    test('engine', () => assert.ok(${engine}))`
  const { lastLine } = await runTests(t, [], {
    'src/http/any.test.ts': source("['sqlite', 'postgres'].includes(process.env.KEYWRIGHT_TEST_ENGINE)"),
    'src/http/copy.test.ts': source(
      'process.env.KEYWRIGHT_TEST_TEMPLATE || process.env.KEYWRIGHT_TEST_POSTGRES',
    ),
    'src/http/shell.test.ts': source('process.env.NODE_ENV === undefined && !process.env.DATABASE_URL'),
    ...database,
  })
  assert.equal(lastLine, '6 passed, 0 failed')
})

test('a test that only takes types of what opens a database runs once, and one that says so on one engine', async (t) => {
  const { output } = await runTests(t, ['src/'], {
    'src/http/types.test.ts': `import type { A } from '../../test/app.ts'\n${passing}`,
    'src/http/said.test.ts': `// Runs on sqlite, beside others.\n${onEngines}`,
    'src/http/named.postgres.test.ts': onEngines,
    ...database,
  })
  const groups = ['sqlite', 'postgres', 'without a database'].map((name) => `${name}: 1 executed\n`)
  assert.equal(output, `${groups.join('')}3 passed, 0 failed\n`)
})

test('files in a browser share as many processes as run at a time, whose ends do what they were told', async (t) => {
  const source = `// Runs in a browser.
    import { appendFileSync } from 'node:fs'; import { test } from 'node:test'
    import { atEnd } from '${import.meta.resolve('./ends.ts')}'
    const note = (what) => appendFileSync('noted', what + process.pid + '\\n')
    test('notes', () => { note('ran '); const open = setInterval(() => {}, 100)
      atEnd(async () => { clearInterval(open); note('ended ') }) })`
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => [`src/lib/${name}.test.ts`, source] as const)
  const folder = await project(t, Object.fromEntries(files))
  const { lastLine } = await runTestsIn(folder, ['src/'])
  assert.equal(lastLine, '5 passed, 0 failed')
  const lines = (await readFile(join(folder, 'noted'), 'utf8')).trimEnd().split('\n')
  assert.deepEqual([lines.length, new Set(lines).size], [10, 8])
})

test('a test that says of itself what nobody knows is exit code 1', async (t) => {
  const { code, lastLine } = await runTests(t, ['src/'], {
    'src/lib/one.test.ts': `// Runs aloen.\n${passing}`,
  })
  assert.equal(code, 1)
  assert.doesNotMatch(lastLine, /passed/)
})

test('--engine leaves out the other engine', async (t) => {
  const { output } = await runTests(t, ['--engine=sqlite'], {
    'src/http/one.test.ts': onEngines,
    ...database,
  })
  assert.equal(output, 'sqlite: 1 executed\n1 passed, 0 failed\n')
})

test('--name runs the tests that have it in their names, in every file, and no file fails for having none', async (t) => {
  const { code, output } = await runTests(t, ['src/', '--name', 'a Cart (of two)'], {
    'src/lib/one.test.ts': `
      import { describe, test } from 'node:test'
      test('a cart (of two) is kept', () => {})
      test('another', () => { throw new Error('not asked for') })
      describe('in a group', () => { test('a cart (of two) is lost', () => {}) })`,
    'src/lib/two.test.ts': passing,
    'src/lib/three.test.ts': "import { test } from 'node:test'; test('half of a cart (of two)', () => {})",
    'src/http/four.test.ts': onEngines,
    ...database,
  })
  assert.equal(output, 'without a database: 3 executed\n3 passed, 0 failed\n')
  assert.equal(code, 0)
})

test('a path is no name, no test of the name is exit code 1, and so is a file that cannot be loaded', async (t) => {
  const files = { 'src/lib/one.test.ts': passing, 'src/lib/two.test.ts': passing }
  const ofPath = await runTests(t, ['src/', '--name=one'], files)
  assert.deepEqual([ofPath.output, ofPath.code], ['0 passed, 0 failed\n', 1])
  const broken = { ...files, 'src/lib/broken.test.ts': brokenFiles['cannot be loaded'] }
  const { code, lastLine } = await runTests(t, ['src/', '--name=passes'], broken)
  assert.deepEqual([lastLine, code], ['2 passed, 1 failed', 1])
})

test('--quick is SQLite without files that run slowly and without long ones', async (t) => {
  const { code, output } = await runTests(t, ['--quick'], {
    'src/lib/one.test.ts': passing,
    'src/lib/wide.test.ts': `// Runs alone, slowly.\n${passing}`,
    'src/lib/two.long.test.ts': passing,
    'src/http/one.test.ts': onEngines,
    ...database,
  })
  assert.equal(output, 'sqlite: 1 executed\nwithout a database: 1 executed\n2 passed, 0 failed\n')
  assert.equal(code, 0)
})

const changeable = {
  'src/direct.ts': 'export const direct = 1',
  'src/far.ts': 'export const far = 1',
  'src/near.ts': "export { far } from './far.ts'",
  'src/program.ts': "import './far.ts'",
  'docs/prices.md': 'none',
  'src/by-import.test.ts': `import './near.ts'\n${passing}`,
  'src/by-program.test.ts': `const program = './program.ts'\n${passing}`,
  'src/by-path.test.ts': `const file = '../docs/prices.md'\n${passing}`,
  'src/by-pattern.test.ts': `const files = 'docs/*.md'\n${passing}`,
  'src/by-name.test.ts': `const test = './by-program.test.ts'\n${passing}`,
  'src/apart.test.ts': `import './direct.ts'\n${passing}`,
}
const reached: Record<string, readonly string[]> = {
  'src/far.ts': ['src/by-import', 'src/by-program'],
  'src/direct.ts': ['src/apart'],
  'docs/prices.md': ['src/by-path', 'src/by-pattern'],
  'src/apart.test.ts': ['src/apart'],
  'docs/others.md': ['src/by-pattern'],
}
for (const [file, tests] of Object.entries(reached)) {
  test(`--changed runs the tests that have to do with ${file}`, async (t) => {
    const folder = await project(t, changeable)
    commitAll(folder)
    await appendFile(join(folder, file), '\n// Changed.')
    const { code, output } = await runTestsIn(folder, ['--changed', '--times'])
    const titles = [...output.matchAll(/busy {2}(\S+)\.test\.ts$/gm)].map(([, title]) => title)
    assert.deepEqual(titles.toSorted(), tests)
    assert.equal(code, 0)
  })
}

test('--changed compares with origin/main, runs what imported a deleted file, and without a change nothing', async (t) => {
  const folder = await project(t, changeable)
  const none = 'No test has to do with what has changed.\n'
  commitAll(folder)
  assert.deepEqual(await runTestsIn(folder, ['--changed']), { code: 0, output: none, lastLine: none.trim() })
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  await rm(join(folder, 'src/far.ts'))
  commitAll(folder)
  const { output, code } = await runTestsIn(folder, ['--changed'])
  assert.match(output, /✖ src\/by-import\.test\.ts/)
  assert.match(output, /1 passed, 1 failed\n$/)
  assert.equal(code, 1)
})

test('long tests run only with --long', async (t) => {
  const files = { 'src/lib/one.test.ts': passing, 'src/lib/two.long.test.ts': passing }
  assert.equal((await runTests(t, ['src/lib/'], files)).lastLine, '1 passed, 0 failed')
  assert.equal((await runTests(t, ['src/lib/', '--long'], files)).lastLine, '2 passed, 0 failed')
})

test('an interrupted run takes its test files with it and is exit code 1', async (t) => {
  const folder = await project(t, {
    'src/lib/endless.test.ts': `
      import { test } from 'node:test'; import { writeFileSync } from 'node:fs'
      test('endless', () => { writeFileSync('pid', String(process.pid)); for (;;); })`,
  })
  const runner = startRunner(folder, ['src/lib/'])
  const pid = await eventually(() => readPid(join(folder, 'pid')))
  runner.kill('SIGTERM')
  const [code] = await once(runner, 'exit')
  assert.equal(code, 1)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

function commitAll(folder: string): void {
  git(folder, 'init', '-q')
  git(folder, 'add', '--all')
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'A commit')
}

const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd })

async function readPid(file: string): Promise<number> {
  const pid = Number(await readFile(file, 'utf8'))
  assert.ok(pid > 0)
  return pid
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await look()
    } catch {
      await wait(20)
    }
  }
}
