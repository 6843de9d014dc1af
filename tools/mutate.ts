import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { FileCoverage } from '../test/coverage.ts'
import { createTestFolder } from '../test/folder.ts'
import { ENGINES } from '../test/plan.ts'
import { EQUIVALENT } from './mutate/equivalent.ts'
import type { Mutant } from './mutate/mutants.ts'
import { sampleOf } from './mutate/sample.ts'

/**
 * `npm run mutate -- [--seed 1] [--count 200] [--from 0] [--coverage folder] [file:line …]`: changes one rule line at a
 * time in a copy of the tree, runs the tests that came past it, the nearest first, and lists what no test notices. The
 * folder keeps what each test came past, for other seeds of the same tree; without it that is found out first.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    from: { type: 'string', default: '0' },
    coverage: { type: 'string' },
  },
})

const root = dirname(import.meta.dirname)

/** How many tests are run before it is asked whether one of them failed. */
const GROUPS = [4, 12, 40, 100, Infinity]

/** Milliseconds for a group: a mutant that hangs was noticed. */
const PATIENCE = 900_000

async function main(): Promise<void> {
  const folder = await createTestFolder('mutants')
  try {
    copyTree(folder)
    const coverage = await coverageIn(folder, values.coverage ?? join(folder, 'coverage'))
    const sample = sampleOf(folder, {
      seed: Number(values.seed),
      count: Number(values.count),
      only: positionals,
    }).slice(Number(values.from))
    if (sample.length === 0) throw new Error('No rule stands there.')
    const survivors: Mutant[] = []
    for (const [at, mutant] of sample.entries()) {
      const fate = await fateOf(folder, mutant, coverage)
      if (fate === 'SURVIVED') survivors.push(mutant)
      console.log(`${at + 1}/${sample.length} ${fate} ${mutant.file}:${mutant.line} ${changeOf(mutant)}`)
    }
    console.log(`${survivors.length} of ${sample.length} survived`)
    for (const mutant of survivors) console.log(`  ${mutant.file}:${mutant.line}\n    ${changeOf(mutant)}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What git knows and has not been deleted, with what was not committed yet. */
function copyTree(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** What each test file came past, on each database; the tests run once where that is not known yet. */
async function coverageIn(folder: string, kept: string): Promise<readonly FileCoverage[]> {
  if (!existsSync(kept)) {
    mkdirSync(kept, { recursive: true })
    const { code, output } = await runTests(folder, [`--coverage=${kept}`], Infinity)
    if (code !== 0) console.log(`Some tests fail without any mutant, which counts them out:\n${output}`)
  }
  return globSync('*.json', { cwd: kept }).map((name) => JSON.parse(readFileSync(join(kept, name), 'utf8')))
}

/** Runs the tests of a mutant until one fails. */
async function fateOf(
  folder: string,
  mutant: Mutant,
  coverage: readonly FileCoverage[],
): Promise<'noticed' | 'equivalent' | 'SURVIVED'> {
  if (isEquivalent(mutant)) return 'equivalent'
  const source = readFileSync(join(folder, mutant.file), 'utf8')
  writeFileSync(join(folder, mutant.file), mutated(source, mutant))
  try {
    for (const args of runsOf(testsOf(mutant, coverage))) {
      if ((await runTests(folder, args)).code !== 0) return 'noticed'
    }
    return 'SURVIVED'
  } finally {
    writeFileSync(join(folder, mutant.file), source)
  }
}

/** The arguments of each run of tests, the first ones of few files. */
function* runsOf(tests: readonly FileCoverage[]): Generator<readonly string[]> {
  let left = tests
  for (const size of GROUPS) {
    const group = left.slice(0, size)
    left = left.slice(size)
    for (const engine of ENGINES) {
      const files = group.filter((one) => (one.engine ?? 'sqlite') === engine).map(({ test }) => test)
      if (files.length > 0) yield [`--engine=${engine}`, ...files]
    }
  }
}

/**
 * The tests that came past the place, of the folders nearest to it first and the quick ones before the slow ones; on
 * PostgreSQL those that did not on SQLite. What runs as a module is loaded counts for the first test of a process
 * alone: past it came whoever runs anything of the module.
 */
function testsOf({ file, start }: Mutant, coverage: readonly FileCoverage[]): readonly FileCoverage[] {
  const isAtLoad = runsAtLoad(readFileSync(join(root, file), 'utf8'), start)
  const came = coverage.filter(({ ran }) =>
    ran[file]?.some(([from, to]) => isAtLoad || (from <= start && start < to)),
  )
  const onSqlite = new Set(came.filter(({ engine }) => engine !== 'postgres').map(({ test }) => test))
  const distance = ({ test }: FileCoverage) => {
    const [own, others] = [dirname(file).split('/'), dirname(test).split('/')]
    const common = own.findIndex((part, at) => part !== others[at])
    return own.length - (common === -1 ? own.length : common)
  }
  return came
    .filter(({ test, engine }) => engine !== 'postgres' || !onSqlite.has(test))
    .toSorted((a, b) => distance(a) - distance(b) || a.seconds - b.seconds)
}

/** Whether a place is in no function, as far as the layout of its statement says. */
function runsAtLoad(source: string, place: number): boolean {
  const lines = source.slice(0, place).split('\n')
  const statement = lines.slice(lines.findLastIndex((line) => /^\w/.test(line))).join('\n')
  return !/=>|\bfunction\b|^(?:export )?class\b/.test(statement)
}

async function runTests(
  folder: string,
  args: readonly string[],
  patience = PATIENCE,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['test/run.ts', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = patience < Infinity ? setTimeout(() => child.kill('SIGTERM'), patience) : undefined
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  clearTimeout(stop)
  return { code: code ?? 1, output }
}

const mutated = (source: string, { start, end, text }: Mutant) =>
  source.slice(0, start) + text + source.slice(end)

/** The lines that differ, before and after. */
function linesOf(mutant: Mutant): { before: string; after: string } {
  const source = readFileSync(join(root, mutant.file), 'utf8')
  const from = source.lastIndexOf('\n', mutant.start) + 1
  const to = source.indexOf('\n', mutant.end)
  const shown = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
  return {
    before: shown(source.slice(from, to)),
    after: shown(source.slice(from, mutant.start) + mutant.text + source.slice(mutant.end, to)),
  }
}

const changeOf = (mutant: Mutant) => {
  const { before, after } = linesOf(mutant)
  return `${before} → ${after}`
}

const isEquivalent = (mutant: Mutant) => {
  const { before, after } = linesOf(mutant)
  return EQUIVALENT.some((one) => one.file === mutant.file && one.before === before && one.after === after)
}

await main()
