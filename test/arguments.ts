import { parseArgs } from 'node:util'
import type { Engine } from '../src/db/database.ts'
import { ENGINES } from './plan.ts'

/** Which tests a run is asked for. */
export interface Arguments {
  /** Also the files `*.long.test.ts`. */
  readonly long: boolean
  /** On SQLite, and none that says of itself that it runs slowly. */
  readonly quick: boolean
  /** Only files that a change since the last commit of origin/main reaches. */
  readonly changed: boolean
  /** Also how long each file took. */
  readonly times: boolean
  /** The folder that gets what each file came past (`test/coverage.ts`). */
  readonly coverage: string | undefined
  readonly engines: readonly Engine[]
  /** What the name of a test must have in it. */
  readonly name: string | undefined
  /** What the path of a file must have in it, one of them. */
  readonly filters: readonly string[]
}

/**
 * `npm test -- [--long | --quick] [--changed] [--times] [--engine=sqlite|postgres] [--name "part of a test's name"]
 * [part of a file's path …]`
 */
export function readArguments(): Arguments {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      long: flag,
      quick: flag,
      changed: flag,
      times: flag,
      engine: text,
      name: text,
      coverage: text,
    },
  })
  const { engine, quick, long, changed, times, name, coverage } = values
  if (quick && (long || (engine ?? 'sqlite') !== 'sqlite')) {
    throw new Error('--quick is SQLite without long tests: it goes with neither --long nor another --engine')
  }
  if (name?.trim() === '') throw new Error('--name is part of the name of a test, and was empty')
  const engines = ENGINES.filter((one) => (quick ? one === 'sqlite' : (engine ?? one) === one))
  if (engines.length === 0) throw new Error(`--engine is sqlite or postgres, got '${engine}'`)
  return { long, quick, changed, times, coverage, engines, name, filters: positionals }
}

/** Whether a run is of every test: only of such a one is asked that it leaves nothing out. */
export const isWhole = ({ filters, name, changed, quick }: Arguments): boolean =>
  filters.length === 0 && name === undefined && !changed && !quick

/**
 * What `node:test` compares with the names of tests, and with the same after the names of the suites that they are in.
 * The outermost is called as the file, whose path is not meant.
 */
export const namePattern = (name: string): RegExp =>
  new RegExp(String.raw`^(?!\S+\.test\.ts(?: |$)).*${RegExp.escape(name)}`, 'is')
