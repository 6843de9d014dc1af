import { relative } from 'node:path'
import type { Engine } from '../src/db/database.ts'
import { startCoverage, writeCoverage } from './coverage.ts'
import { endAll } from './ends.ts'
import { stopTracking } from './untracked.ts'

const { after, before, suite } = await import('node:test')

/** Runs the test files of `KEYWRIGHT_TEST_FILES` (a JSON list of absolute paths) one after another, a suite for each. */
const files = JSON.parse(process.env['KEYWRIGHT_TEST_FILES'] ?? '[]') as string[]

/** Says how long this process was busy from the start of the suite that is being made to its end. */
function tellTime(file: string): void {
  let start: NodeJS.CpuUsage | undefined
  before(() => (start = process.cpuUsage()))
  after(() => {
    const { user, system } = process.cpuUsage(start)
    process.stdout.write(`busy ${(user + system) / 1e6} s in ${file}\n`)
  })
}

/** Writes what ran from the start of the suite that is being made to its end. */
function tellCoverage(test: string, folder: string): void {
  let start = 0
  before(async () => {
    await startCoverage()
    start = performance.now()
  })
  after(() => {
    const engine = (process.env['KEYWRIGHT_TEST_ENGINE'] as Engine | undefined) ?? null
    return writeCoverage(folder, { test, engine, seconds: (performance.now() - start) / 1000 })
  })
}

// A suite that starts while its file loads knows none of its tests, and is left out if they are chosen by name.
const all = Promise.withResolvers<void>()
if (process.env['KEYWRIGHT_TEST_NAMED'] !== undefined) void suite('all.test.ts', () => all.promise)

/** One import at a time: of two at once, the tests of one could become part of the other one's suite. */
for (const file of files) {
  const loaded = Promise.withResolvers<void>()
  void suite(relative(process.cwd(), file), async () => {
    if (process.env['KEYWRIGHT_TEST_TIMES'] !== undefined) tellTime(relative(process.cwd(), file))
    const coverage = process.env['KEYWRIGHT_TEST_COVERAGE']
    if (coverage !== undefined) tellCoverage(relative(process.cwd(), file), coverage)
    await import(file).finally(loaded.resolve)
  })
  await loaded.promise
}
all.resolve()
after(endAll)
stopTracking()
