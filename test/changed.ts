import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { importsOf, reachedFrom } from './plan.ts'

/** A path or pattern of paths in quotes, with an ending: what a module reads, watches or starts. */
const NAMED = /'((?:[\w.@*{},-]+\/)*[\w.@*{},-]+\.\w+)'/g

/**
 * Files of the folder that are not as in the last commit of origin/main, or of HEAD where that is not known, as paths
 * from the folder: changed, deleted, and such as git does not know and does not ignore.
 */
export function changedFiles(): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] })
  const [main] = git('for-each-ref', '--format=%(objectname)', 'refs/remotes/origin/main').split('\n')
  const changed = git('diff', '--name-only', '--no-renames', '--relative', '-z', main || 'HEAD')
  return `${changed}${git('ls-files', '--others', '--exclude-standard', '-z')}`.split('\0').filter(Boolean)
}

/** The same answer for each module, looked for once. */
const onceEach = <T>(answer: (module: string) => T): ((module: string) => T) => {
  const known = new Map<string, T>()
  return (module) => {
    const found = known.get(module) ?? answer(module)
    known.set(module, found)
    return found
  }
}

/**
 * Whether a test file has to do with one of the changed files: it is one, imports one by whatever way, or what it
 * imports names one, or starts a program that imports one.
 */
export function changeReaches(changed: readonly string[]): (file: string) => boolean {
  const all = new Set(changed)
  const isNamed = (module: string) =>
    namedBy(module).some(({ name, paths }) =>
      name.includes('*')
        ? changed.some((path) => isMatch(module, name, path))
        : paths.some((path) => all.has(path)),
    )
  const isReached = onceEach((module) => all.has(module) || isNamed(module))
  return (file) => [...reachedFrom(file, stepsOf)].some(isReached)
}

interface Named {
  readonly name: string
  /** What it may mean: from the folder of who names it, or from the root. */
  readonly paths: readonly string[]
}

const namedBy = onceEach((module) => (existsSync(module) ? readNames(module) : []))

const readNames = (module: string): readonly Named[] =>
  [...readFileSync(module, 'utf8').matchAll(NAMED)].map(([, name = '']) => ({
    name,
    paths: [normalize(join(dirname(module), name)), normalize(name)],
  }))

const isMatch = (module: string, pattern: string, path: string) =>
  matchesGlob(path, pattern) || matchesGlob(path, join(dirname(module), pattern))

/** The modules that run when one does: its imports, and what it starts; another test that it names does not. */
const stepsOf = onceEach((module): readonly string[] => [
  ...importsOf(module),
  ...namedBy(module).flatMap(({ paths }) =>
    paths.filter((path) => /\.[jt]s$/.test(path) && !path.endsWith('.test.ts') && existsSync(path)),
  ),
])
