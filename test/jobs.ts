import { statSync } from 'node:fs'
import type { Engine } from '../src/db/database.ts'
import { enginesOf, laneOf } from './plan.ts'

/** How many other files share a process: starting one costs as much as half of a file's tests. */
const batchSize = 24

/** How many jobs run at a time that work, and that wait. */
const workers = 2
const waiters = 2

export interface Job {
  /** One, or several that share a process. */
  readonly files: readonly string[]
  /** What the tests run on, null where they need no database. */
  readonly engine: Engine | null
  /** Whether it runs beside those that work. */
  readonly waits: boolean
}

/** What is run in which processes, on which of the engines that were chosen. */
export function planJobs(files: readonly string[], chosen: readonly Engine[]): Job[] {
  return [...chosen, null].flatMap((engine) => {
    const own = Object.groupBy(
      files.filter((file) => enginesOf(file).includes(engine)),
      laneOf,
    )
    const each = (files: readonly string[] = []) => files.map((file) => [file])
    const busy = [...each(own.alone), ...inBatches(own.shared ?? [])].map((files) => ({
      files,
      waits: false,
    }))
    const waiting = each(own['beside others']).map((files) => ({ files, waits: true }))
    return [...inHands(own['in a browser'] ?? []), ...busy, ...waiting].map((job) => ({ ...job, engine }))
  })
}

/** Files for as many jobs as run at a time, as one in a browser now works and now waits; the largest are dealt first. */
function inHands(files: readonly string[]): Omit<Job, 'engine'>[] {
  const hands = workers + waiters
  const largestFirst = files.toSorted((a, b) => statSync(b).size - statSync(a).size)
  return Array.from({ length: Math.min(hands, files.length) }, (_, hand) => ({
    files: largestFirst.filter((_file, at) => at % hands === hand),
    waits: hand >= workers,
  }))
}

const inBatches = (files: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / batchSize) }, (_, batch) =>
    files.slice(batch * batchSize, (batch + 1) * batchSize),
  )

/** Runs as many jobs at a time as work and wait, until all have been or `stop` says so. */
export async function inParallel<Result>(
  jobs: readonly Job[],
  stop: AbortSignal,
  work: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const lane = async (own: Iterable<Job>) => {
    for (const job of own) {
      if (!stop.aborted) results.push(await work(job))
    }
  }
  const lanes = (count: number, own: readonly Job[]) => {
    const left = own.values()
    return Array.from({ length: count }, () => lane(left))
  }
  await Promise.all([
    ...lanes(
      workers,
      jobs.filter(({ waits }) => !waits),
    ),
    ...lanes(
      waiters,
      jobs.filter(({ waits }) => waits),
    ),
  ])
  return results
}
