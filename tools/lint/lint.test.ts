// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { ownCases, type Case } from './own-cases.ts'

const root = dirname(dirname(import.meta.dirname))

const lines = (count: number, line = 'void 0') => Array.from({ length: count }, () => line).join('\n')

const cases: readonly Case[] = [
  {
    rule: 'a file has at most 300 lines',
    code: 'eslint(max-lines)',
    bad: { 'src/lib/long.ts': lines(301) },
    good: { 'src/lib/long.ts': lines(300) },
  },
  {
    rule: 'a function has at most 60 lines',
    code: 'eslint(max-lines-per-function)',
    bad: { 'src/lib/body.ts': `export function f() {\n${lines(59)}\n}` },
    good: { 'src/lib/body.ts': `export function f() {\n${lines(58)}\n}` },
  },
  {
    rule: 'a function has at most 4 parameters',
    code: 'eslint(max-params)',
    bad: { 'src/lib/params.ts': 'export const f = (a, b, c, d, e) => [a, b, c, d, e]' },
    good: { 'src/lib/params.ts': 'export const f = (a, b, c, d) => [a, b, c, d]' },
  },
  {
    rule: 'blocks are nested at most 3 deep',
    code: 'eslint(max-depth)',
    bad: {
      'src/lib/deep.ts': 'export function f(a) { if (a) { if (a) { if (a) { if (a) return 1 } } } return 0 }',
    },
    good: { 'src/lib/deep.ts': 'export function f(a) { if (a) { if (a) { if (a) return 1 } } return 0 }' },
  },
  {
    rule: 'a function has at most 12 ways through it',
    code: 'eslint(complexity)',
    bad: { 'src/lib/ways.ts': `export const f = (a) => ${Array(13).fill('a').join(' || ')}` },
    good: { 'src/lib/ways.ts': `export const f = (a) => ${Array(12).fill('a').join(' || ')}` },
  },
  {
    rule: 'only the command line, the tools, the benchmarks and the test runner write to the console',
    code: 'eslint(no-console)',
    bad: { 'src/http/say.ts': 'console.log(1)', 'src/http/say.test.ts': 'console.log(1)' },
    good: Object.fromEntries(
      ['src/cli/a.ts', 'tools/a.ts', 'bench/a.ts', 'test/run.ts'].map((path) => [path, 'console.log(1)']),
    ),
  },
  {
    rule: 'no cycle of imports',
    code: 'import(no-cycle)',
    bad: {
      'src/lib/one.ts': "import { two } from './two.ts'\nexport const one = () => two",
      'src/lib/two.ts': "import { one } from './one.ts'\nexport const two = () => one",
    },
    good: {
      'src/lib/one.ts': "import { two } from './two.ts'\nexport const one = () => two",
      'src/lib/two.ts': 'export const two = 2',
    },
  },
  {
    rule: 'no default export',
    code: 'import(no-default-export)',
    bad: { 'src/lib/default.ts': 'export default 1' },
    good: { 'src/lib/default.ts': 'export const one = 1' },
  },
  {
    rule: 'no any',
    code: 'typescript(no-explicit-any)',
    bad: { 'src/lib/any.ts': 'export const f = (a: any) => a' },
    good: { 'src/lib/any.ts': 'export const f = (a: unknown) => a' },
  },
  {
    rule: 'no non-null assertion',
    code: 'typescript(no-non-null-assertion)',
    bad: { 'src/lib/bang.ts': 'export const f = (a: number | null) => a!.toFixed()' },
    good: { 'src/lib/bang.ts': 'export const f = (a: number | null) => a?.toFixed()' },
  },
  {
    rule: 'what is used as a type only is imported as one',
    code: 'typescript(consistent-type-imports)',
    bad: { 'src/lib/type.ts': "import { A } from './a.ts'\nexport type B = A" },
    good: { 'src/lib/type.ts': "import type { A } from './a.ts'\nexport type B = A" },
  },
  {
    rule: 'nothing is left to be done',
    code: 'eslint(no-warning-comments)',
    bad: { 'src/lib/left.ts': '// TODO later\nexport const one = 1' },
    good: { 'src/lib/left.ts': '// One, because nobody asked for two.\nexport const one = 1' },
  },
  {
    rule: 'the environment is read in src/config.ts alone',
    code: 'node(no-process-env)',
    bad: { 'src/http/env.ts': 'export const port = process.env.PORT' },
    good: Object.fromEntries(
      ['src/config.ts', 'src/http/env.test.ts', 'test/a.ts', 'tools/a.ts', 'bench/a.ts'].map((path) => [
        path,
        'export const port = process.env.PORT',
      ]),
    ),
  },
  {
    rule: 'time comes from a clock',
    code: 'keywright(no-system-time)',
    bad: {
      'src/http/new.ts': 'export const now = new Date()',
      'src/http/now.ts': 'export const now = Date.now()',
      'src/http/call.ts': 'export const now = Date()',
    },
    good: {
      'src/main.ts': 'export const now = new Date()',
      'src/lib/clock.ts': 'export const now = Date.now()',
      'src/http/now.test.ts': 'export const now = Date.now()',
      'src/http/parse.ts': 'export const parsed = [new Date(0), Date.UTC(2026, 0), Date.parse("2026-01-31")]',
    },
  },
  ...ownCases,
]

for (const { rule, code, bad, good } of cases) {
  test(rule, async (t) => {
    const [refused, accepted] = await Promise.all([lint(t, code, bad), lint(t, code, good)])
    assert.deepEqual(refused, Object.keys(bad).toSorted())
    assert.deepEqual(accepted, [])
  })
}

/** The files that the project's own configuration refuses by the rule `code`, in a project of these files alone. */
async function lint(t: TestContext, code: string, files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-lint-'))
  t.after(() => rm(folder, { recursive: true }))
  const config = await readFile(join(root, '.oxlintrc.json'), 'utf8')
  await writeFile(join(folder, '.oxlintrc.json'), config.replaceAll('"./tools/', `"${root}/tools/`))
  for (const [path, source] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), source)
  }
  const { diagnostics } = await runOxlint(folder)
  const found = diagnostics.filter((diagnostic) => diagnostic.code === code)
  return [...new Set(found.map(({ filename }) => filename))].toSorted()
}

interface Output {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

async function runOxlint(cwd: string): Promise<Output> {
  const oxlint = spawn(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await json(oxlint.stdout)) as Output
}
