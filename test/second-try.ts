import type { Engine } from '../src/db/database.ts'
import type { Job } from './jobs.ts'
import { laneOf } from './plan.ts'
import type { Tally } from './reporter.ts'

/** Where more files fail than this, it is not the machine. */
const MOST_FILES = 5

interface Result extends Tally {
  readonly engine: Engine | null
  /** The file of each failure, where it is known. */
  readonly failedIn: readonly (string | null)[]
}

/**
 * Runs the files once more, one after another, in which a run failed, if all of them are in a browser and few: what a
 * browser does late on a machine with other work must not hide what the run found. Returns each that passes then, with
 * how many of its tests had failed. The run says so in its last line, as such a test is to be mended.
 */
export async function tryAgain<R extends Result>(
  results: readonly R[],
  work: (job: Job) => Promise<R>,
): Promise<{ file: string; tests: number }[]> {
  const failures = results.flatMap(({ engine, failedIn }) => failedIn.map((file) => ({ file, engine })))
  const files = [...new Set(failures.map(({ file }) => file))]
  if (files.length > MOST_FILES || !files.every((file) => file !== null && laneOf(file) === 'in a browser'))
    return []
  const passed = []
  for (const file of files) {
    const own = failures.filter((failure) => failure.file === file)
    const again = await work({ files: [file ?? ''], engine: own[0]?.engine ?? null, waits: false })
    if (again.failed === 0 && again.passed > 0) passed.push({ file: file ?? '', tests: own.length })
  }
  return passed
}
