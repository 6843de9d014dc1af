import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Engine } from '../src/db/database.ts'

export const ENGINES = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** What opens the databases of tests: who imports it, by whatever way, runs on each engine. */
const DATABASES = 'test/database.ts'

/**
 * What a test file says of itself in its first line: `// Runs on sqlite, alone, slowly.` One that runs slowly is wide or
 * starts processes, and is left out of `npm run test:quick`.
 */
const SAID = /^\/\/ Runs ([a-z, ]+)\.\n/

/**
 * How a file shares the machine: with others in one process; `alone` in its own, as it is long or about a process;
 * `beside others`, which is alone too, as it waits for processes, connections and clocks more than it works; or
 * `in a browser`, with others that are, as starting it and all that such a test loads takes longer than most of them.
 */
type Lane = 'shared' | 'alone' | 'beside others' | 'in a browser'

const LANES = ['alone', 'beside others', 'in a browser'] as const satisfies readonly Lane[]

interface Said {
  readonly lane: Lane
  readonly engine: Engine | undefined
  readonly isSlow: boolean
}

/** What a file says of how it runs; an unknown word fails, so that none is misspelt. */
function saidBy(file: string): Said {
  const [, said] = SAID.exec(readFileSync(file, 'utf8')) ?? []
  const words = said?.split(', ') ?? []
  const engine = ENGINES.find((one) => words.includes(`on ${one}`))
  const lane = LANES.find((one) => words.includes(one))
  const isSlow = words.includes('slowly')
  const known = [engine !== undefined, lane !== undefined, isSlow].filter(Boolean).length
  if (known !== words.length) throw new Error(`${file} says of itself what nobody knows: ${said}`)
  return { lane: lane ?? (file.endsWith('.long.test.ts') ? 'alone' : 'shared'), engine, isSlow }
}

export const laneOf = (file: string): Lane => saidBy(file).lane

export const isSlow = (file: string): boolean => saidBy(file).isSlow

/**
 * The engines a file runs on: those that its name or its first line says, as it is about what only this one does, or is
 * decided before the database is asked; else both where it opens one, and null, once, where it opens none.
 */
export function enginesOf(file: string): readonly (Engine | null)[] {
  const own = ENGINES.find((engine) => file.endsWith(`.${engine}.test.ts`)) ?? saidBy(file).engine
  if (own) return [own]
  return reachedFrom(file, importsOf).has(DATABASES) ? ENGINES : [null]
}

/** Imports and exports of a module of the tree, as they are formatted. */
const IMPORT =
  /^(?:import|export)( type)?\b[^'";]*? from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

const known = new Map<string, readonly string[]>()

/** What a module imports of the tree when it runs, paths from the root; what takes types alone does nothing then. */
export function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? (existsSync(file) ? read(file) : [])
  known.set(file, found)
  return found
}

const read = (file: string): readonly string[] =>
  importsIn(file, readFileSync(file, 'utf8')).flatMap(({ path, isTypeOnly }) => (isTypeOnly ? [] : [path]))

/** The imports of a module of this path and text: which module each names, as a path from the same root. */
export const importsIn = (file: string, text: string): { path: string; isTypeOnly: boolean }[] =>
  [...text.matchAll(IMPORT)].map(([, type, from, alone, later]) => ({
    path: normalize(join(dirname(file), from ?? alone ?? later ?? '')),
    isTypeOnly: type !== undefined,
  }))

/** Every module of the tree that a file comes to, by whatever way of `steps`, itself among them. */
export function reachedFrom(file: string, steps: (module: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const left = [normalize(file)]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    left.push(...steps(next))
  }
  return seen
}
