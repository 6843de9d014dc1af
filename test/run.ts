import { glob, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { run, type TestsStream } from 'node:test'
import type { Engine } from '../src/db/database.ts'
import { isWhole, namePattern, readArguments, type Arguments } from './arguments.ts'
import { changedFiles, changeReaches } from './changed.ts'
import { createPostgresTemplate, createSqliteTemplate } from './database.ts'
import { createDemoTemplate } from './demo-template.ts'
import { createTestFolder } from './folder.ts'
import { inParallel, planJobs, type Job } from './jobs.ts'
import { startPostgres } from './postgres.ts'
import { ENGINES, importsOf, isSlow, reachedFrom } from './plan.ts'
import { isWholeFile, report, sum, summaryLine, type BatchReport } from './reporter.ts'
import { tryAgain } from './second-try.ts'

const batchFile = join(import.meta.dirname, 'batch.ts')

/**
 * What a test makes is soon gone, and a batch ends before what is left fills a process: with this room for what is young
 * and for the rest, in megabytes, little is looked for. Work that V8 does ahead, in threads or when it seems idle, only
 * takes processors from the tests. Together a third of the processor time.
 */
const HEAP = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--initial-old-space-size=600',
  '--single-threaded-gc',
  '--no-incremental-marking',
  '--no-memory-reducer',
  '--no-minor-gc-task',
]

/** A process of tests loads hundreds of modules, which takes less time where each is found by its name. */
const LOADING = [`--import=${import.meta.resolve('../bin/quick-modules.js')}`]

/** What copies a demo: who imports it, by whatever way, finds one made. */
const demoPlaces = 'test/demo-place.ts'

/** A whole run of a tree that has it is held to the fields of the contract. */
const contractTest = 'test/contract.test.ts'

/** Compiled modules are kept from file to file: a third of the time of most. */
const compileCache = join(import.meta.dirname, '../node_modules/.cache/keywright-tests')

/** Milliseconds: for one test, without news while one runs, and without news while none does. */
const limits = { test: 180_000, silence: 240_000, idle: 30_000 }
const longLimits = { ...limits, test: 1_800_000, silence: 1_860_000 }

interface Result extends Omit<BatchReport, 'lines'> {
  readonly engine: Engine | null
}

/** Where the databases are: given to the tests as environment. */
interface Databases {
  readonly template: string
  /** The data folder of a demo on this engine, to be copied. */
  readonly demoOf: (engine: Engine) => string
  readonly postgres: string | undefined
  /** Where each process of a whole run writes what replies held (`test/contract/seen.ts`). */
  readonly seen: string | undefined
}

async function main(): Promise<void> {
  const options = readArguments()
  const files = await findFiles(options)
  if (options.changed && files.length === 0) return print('No test has to do with what has changed.')
  const jobs = planJobs(files, options.engines)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())
  const isPromised = isWhole(options) && files.includes(contractTest)
  const outcome = await withDatabases(jobs, isPromised, async (databases) => {
    const work = (job: Job) => runJob(job, databases, { options, stop: stopping.signal })
    const results = await inParallel(jobs, stopping.signal, work)
    const again = isWhole(options) && !stopping.signal.aborted ? await tryAgain(results, work) : []
    return {
      results,
      again,
      faults: databases.seen === undefined ? [] : await faultsOfPromises(databases.seen),
    }
  })
  const isGreen = conclude(options, jobs, outcome)
  process.exitCode = isGreen && !stopping.signal.aborted ? 0 : 1
}

interface Outcome {
  readonly results: readonly Result[]
  /** What failed in the run and passed when it was run again, with how many tests that are. */
  readonly again: readonly { file: string; tests: number }[]
  readonly faults: readonly string[]
}

/** Prints how a run went; false where it failed, or ran no test that it should have. */
function conclude(options: Arguments, jobs: readonly Job[], { results, again, faults }: Outcome): boolean {
  const owed = isWhole(options) ? options.engines : []
  const groups = [...new Set<Engine | null>([...owed, ...jobs.map(({ engine }) => engine)])]
  const isNamed = options.name !== undefined
  const isComplete = groups.map((engine) => printGroup(engine, results, isNamed)).every(Boolean)
  if (options.times) printTimes(results)
  for (const fault of faults) print(`✖ ${fault}`)
  for (const { file } of again) print(`${file} passed at a second try, by itself: what failed in it is above`)
  const total = sum(results)
  const steadied = again.reduce((count, { tests }) => count + tests, 0)
  print(summaryLine(total, steadied))
  return total.passed > 0 && total.failed === steadied && faults.length === 0 && isComplete
}

/** What the contract promises of fields and no reply held; where `docs/events.md` differs from what was recorded. */
async function faultsOfPromises(seen: string): Promise<string[]> {
  const { fieldFaults } = await import('./contract/unseen.ts')
  const { eventFaults } = await import('./contract/told.ts')
  return [...(await fieldFaults(seen)), ...(await eventFaults(seen))]
}

/** One line for an engine; false when it executed no test, which is a failure of a run that is not of names. */
function printGroup(engine: Engine | null, results: readonly Result[], isNamed: boolean): boolean {
  const { passed, failed } = sum(results.filter((result) => result.engine === engine))
  const isEmpty = passed + failed === 0
  if (isEmpty && isNamed) return true
  const name = engine ?? 'without a database'
  print(isEmpty ? `${name}: no test was executed` : `${name}: ${passed + failed} executed`)
  return !isEmpty
}

/** How long each file took, the longest last, and how long its process was busy in it on all cores together. */
function printTimes(results: readonly Result[]): void {
  const times = results.flatMap((result) => result.times)
  const inColumn = (seconds: number) => `${seconds.toFixed(1).padStart(6)} s`
  for (const { title, seconds, busy } of times.toSorted((a, b) => a.seconds - b.seconds)) {
    print(`${inColumn(seconds)} ${inColumn(busy)} busy  ${title}`)
  }
}

async function findFiles({ long, quick, changed, filters }: Arguments): Promise<string[]> {
  const files = await Array.fromAsync(glob('{src,test,tools,web}/**/*.test.ts', { exclude: ['web/dist/**'] }))
  const isReached = changed ? changeReaches(changedFiles()) : () => true
  return files
    .filter((file) => long || !file.endsWith('.long.test.ts'))
    .filter((file) => !quick || !isSlow(file))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .filter(isReached)
    .toSorted()
}

async function withDatabases<T>(
  jobs: readonly Job[],
  isPromised: boolean,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  const needs = (engine: Engine) => jobs.some((job) => job.engine === engine)
  const folder = await createTestFolder('run')
  const server = needs('postgres') ? await startPostgres() : null
  try {
    const template = join(folder, 'template.db')
    if (needs('sqlite')) await createSqliteTemplate(template)
    if (server) await createPostgresTemplate(server.url)
    const demoOf = (engine: Engine) => join(folder, `demo-${engine}`)
    const demos = ENGINES.filter((engine) => jobs.some((job) => job.engine === engine && copiesDemo(job)))
    await Promise.all(
      demos.map((engine) => createDemoTemplate({ engine, data: demoOf(engine), admin: server?.url })),
    )
    const seen = isPromised ? join(folder, 'seen') : undefined
    if (seen !== undefined) await mkdir(seen)
    return await work({ template, demoOf, postgres: server?.url, seen })
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true })
  }
}

const copiesDemo = ({ files }: Job) => files.some((file) => reachedFrom(file, importsOf).has(demoPlaces))

async function runJob(
  { files, engine }: Job,
  databases: Databases,
  { options, stop }: { options: Arguments; stop: AbortSignal },
): Promise<Result> {
  const { name } = options
  const patience = options.long ? longLimits : limits
  const stuck = new AbortController()
  const stream = run({
    files: [batchFile],
    timeout: patience.test,
    ...(name !== undefined && { testNamePatterns: [namePattern(name)] }),
    execArgv: ['--disable-warning=ExperimentalWarning', ...HEAP, ...LOADING],
    env: {
      ...testEnvironment(engine, databases),
      KEYWRIGHT_TEST_FILES: JSON.stringify(files.map((file) => resolve(file))),
      ...(name !== undefined && { KEYWRIGHT_TEST_NAMED: 'yes' }),
      ...(options.times && { KEYWRIGHT_TEST_TIMES: 'yes' }),
      ...(options.coverage !== undefined && { KEYWRIGHT_TEST_COVERAGE: resolve(options.coverage) }),
    },
    signal: AbortSignal.any([stop, stuck.signal]),
  })
  onSilence(stream, patience, () => stuck.abort())
  const { lines, ...result } = await report(stream, { files, engine, isNamed: name !== undefined })
  for (const line of lines) print(line)
  return { engine, ...result }
}

/** Calls `stop` once when a test hangs, or when none runs any more and the file still does not end. */
function onSilence(stream: TestsStream, patience: { silence: number; idle: number }, stop: () => void): void {
  let running = 0
  let timer = setTimeout(stop, patience.silence)
  const heard = (change: number) => {
    running += change
    clearTimeout(timer)
    timer = setTimeout(stop, running > 0 ? patience.silence : patience.idle)
  }
  stream.on('test:dequeue', (test) => isWholeFile(test) || heard(1))
  stream.on('test:complete', (test) => isWholeFile(test) || heard(-1))
  stream.on('end', () => clearTimeout(timer))
}

/** The shell's own settings stay out, so that a test sees the same everywhere. */
function testEnvironment(
  engine: Engine | null,
  { template, demoOf, postgres, seen }: Databases,
): NodeJS.ProcessEnv {
  const foreign = /^(NODE_ENV|NODE_TEST_CONTEXT|DATABASE_URL|KEYWRIGHT_.*)$/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return {
    ...Object.fromEntries(own),
    NODE_COMPILE_CACHE: compileCache,
    ...(seen !== undefined && { KEYWRIGHT_TEST_SEEN: seen }),
    ...(engine && { KEYWRIGHT_TEST_ENGINE: engine, KEYWRIGHT_TEST_DEMO: demoOf(engine) }),
    ...(engine === 'sqlite' && { KEYWRIGHT_TEST_TEMPLATE: template }),
    ...(engine === 'postgres' && { KEYWRIGHT_TEST_POSTGRES: postgres }),
  }
}

const print = (text: string) => console.log(text)

await main()
