import { glob, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { run, type TestsStream } from 'node:test'
import { parseArgs } from 'node:util'
import type { Engine } from '../src/db/database.ts'
import { createPostgresTemplate, createSqliteTemplate } from './database.ts'
import { createTestFolder } from './folder.ts'
import { startPostgres } from './postgres.ts'
import { ENGINES as engines, enginesOf, laneOf } from './plan.ts'
import { isWholeFile, report, sum, summaryLine, type FileTime, type Tally } from './reporter.ts'

/** How many other files share a process: starting one costs as much as half of a file's tests. */
const batchSize = 24

/** How many jobs run at a time that work, and that wait. */
const workers = 2
const waiters = 1

const batchFile = join(import.meta.dirname, 'batch.ts')

/** A whole run of a tree that has it is held to the fields of the contract. */
const contractTest = 'test/contract.test.ts'

/** Compiled modules are kept from file to file: a third of the time of most. */
const compileCache = join(import.meta.dirname, '../node_modules/.cache/keywright-tests')

/** Milliseconds: for one test, without news while one runs, and without news while none does. */
const limits = { test: 180_000, silence: 240_000, idle: 30_000 }
const longLimits = { ...limits, test: 1_800_000, silence: 1_860_000 }

interface Job {
  /** One, or several that share a process. */
  readonly files: readonly string[]
  /** What the tests run on, null where they need no database. */
  readonly engine: Engine | null
}

interface Result extends Tally {
  readonly engine: Engine | null
  readonly times: readonly FileTime[]
}

/** Where the databases are: given to the tests as environment. */
interface Databases {
  readonly template: string
  readonly postgres: string | undefined
  /** Where each process of a whole run writes what replies held (`test/contract/seen.ts`). */
  readonly seen: string | undefined
}

interface Arguments {
  readonly long: boolean
  readonly times: boolean
  readonly engines: readonly Engine[]
  readonly filters: readonly string[]
}

async function main(): Promise<void> {
  const options = readArguments()
  const files = await findFiles(options)
  const jobs = planJobs(files, options.engines)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())
  const isWhole = options.filters.length === 0
  const isPromised = isWhole && files.includes(contractTest)
  const { results, faults } = await withDatabases(jobs, isPromised, async (databases) => ({
    results: await inParallel(jobs, stopping.signal, (job, stop) =>
      runJob(job, databases, { long: options.long, stop }),
    ),
    faults: databases.seen === undefined ? [] : await faultsOfPromises(databases.seen),
  }))
  const owed = isWhole ? options.engines : []
  const groups = [...new Set<Engine | null>([...owed, ...jobs.map(({ engine }) => engine)])]
  const isComplete = groups.map((engine) => printGroup(engine, results)).every(Boolean)
  if (options.times) printTimes(results)
  for (const fault of faults) print(`✖ ${fault}`)
  const total = sum(results)
  print(summaryLine(total))
  const isGreen =
    total.passed > 0 && total.failed === 0 && faults.length === 0 && isComplete && !stopping.signal.aborted
  process.exitCode = isGreen ? 0 : 1
}

/** What the contract promises of fields and no reply held; where `docs/events.md` differs from what was recorded. */
async function faultsOfPromises(seen: string): Promise<string[]> {
  const { fieldFaults } = await import('./contract/unseen.ts')
  const { eventFaults } = await import('./contract/told.ts')
  return [...(await fieldFaults(seen)), ...(await eventFaults(seen))]
}

/** One line for an engine; false when it executed no test, which is a failure of the run. */
function printGroup(engine: Engine | null, results: readonly Result[]): boolean {
  const group = results.filter((result) => result.engine === engine)
  const { passed, failed } = sum(group)
  const name = engine ?? 'without a database'
  print(passed + failed > 0 ? `${name}: ${passed + failed} executed` : `${name}: no test was executed`)
  return passed + failed > 0
}

/** How long each file took, the longest last. */
function printTimes(results: readonly Result[]): void {
  const times = results.flatMap((result) => result.times)
  for (const { title, seconds } of times.toSorted((a, b) => a.seconds - b.seconds)) {
    print(`${seconds.toFixed(1).padStart(6)} s  ${title}`)
  }
}

/** `npm test -- [--long] [--times] [--engine=sqlite|postgres] [part of a file's name …]` */
function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      long: { type: 'boolean', default: false },
      times: { type: 'boolean', default: false },
      engine: { type: 'string' },
    },
  })
  const chosen = engines.filter((engine) => values.engine === undefined || values.engine === engine)
  if (chosen.length === 0) throw new Error(`--engine is sqlite or postgres, got '${values.engine}'`)
  return { long: values.long, times: values.times, engines: chosen, filters: positionals }
}

async function findFiles({ long, filters }: Arguments): Promise<string[]> {
  const files = await Array.fromAsync(glob('{src,test,tools}/**/*.test.ts'))
  return files
    .filter((file) => long || !file.endsWith('.long.test.ts'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .toSorted()
}

function planJobs(files: readonly string[], chosen: readonly Engine[]): Job[] {
  const isAlone = (file: string) => laneOf(file) !== 'shared'
  return [...chosen, null].flatMap((engine) => {
    const own = files.filter((file) => enginesOf(file).includes(engine))
    const batches = inBatches(own.filter((file) => !isAlone(file)))
    return [...own.filter(isAlone).map((file) => [file]), ...batches].map((files) => ({ files, engine }))
  })
}

const inBatches = (files: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / batchSize) }, (_, batch) =>
    files.slice(batch * batchSize, (batch + 1) * batchSize),
  )

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
    const seen = isPromised ? join(folder, 'seen') : undefined
    if (seen !== undefined) await mkdir(seen)
    return await work({ template, postgres: server?.url, seen })
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true })
  }
}

async function inParallel(
  jobs: readonly Job[],
  stop: AbortSignal,
  work: (job: Job, stop: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const waits = ({ files }: Job) => files.some((file) => laneOf(file) === 'beside others')
  const results: Result[] = []
  const lane = async (own: Iterable<Job>) => {
    for (const job of own) {
      if (!stop.aborted) results.push(await work(job, stop))
    }
  }
  const lanes = (count: number, own: readonly Job[]) => {
    const left = own.values()
    return Array.from({ length: count }, () => lane(left))
  }
  await Promise.all([
    ...lanes(
      workers,
      jobs.filter((job) => !waits(job)),
    ),
    ...lanes(waiters, jobs.filter(waits)),
  ])
  return results
}

async function runJob(
  { files, engine }: Job,
  databases: Databases,
  { long, stop }: { long: boolean; stop: AbortSignal },
): Promise<Result> {
  const patience = long ? longLimits : limits
  const stuck = new AbortController()
  const stream = run({
    files: [batchFile],
    timeout: patience.test,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...testEnvironment(engine, databases),
      KEYWRIGHT_TEST_FILES: JSON.stringify(files.map((file) => resolve(file))),
    },
    signal: AbortSignal.any([stop, stuck.signal]),
  })
  onSilence(stream, patience, () => stuck.abort())
  const { lines, ...result } = await report(stream, files, engine)
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
function testEnvironment(engine: Engine | null, { template, postgres, seen }: Databases): NodeJS.ProcessEnv {
  const foreign = /^(NODE_ENV|NODE_TEST_CONTEXT|DATABASE_URL|KEYWRIGHT_.*)$/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return {
    ...Object.fromEntries(own),
    NODE_COMPILE_CACHE: compileCache,
    ...(seen !== undefined && { KEYWRIGHT_TEST_SEEN: seen }),
    ...(engine && { KEYWRIGHT_TEST_ENGINE: engine }),
    ...(engine === 'sqlite' && { KEYWRIGHT_TEST_TEMPLATE: template }),
    ...(engine === 'postgres' && { KEYWRIGHT_TEST_POSTGRES: postgres }),
  }
}

const print = (text: string) => console.log(text)

await main()
