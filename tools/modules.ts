import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { isNoun, moduleOf, MODULES, type Module } from './lint/layers.ts'

/** Where the table stands; `npm run modules` writes it, and the check fails where it is not what the imports say. */
export const ARCHITECTURE = join(import.meta.dirname, '../ARCHITECTURE.md')

const BEGIN = '<!-- modules: npm run modules -->\n'
const END = '<!-- end of modules -->\n'

/** Imports and exports of a file, as they are formatted. */
const IMPORT = /^(?:import|export)\b[^'";]*? from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** How many imports lead from a module into another one: `sales licensing` → 120. */
function countImports(root: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const from = moduleOf(file)
    if (file.endsWith('.test.ts') || from === undefined) continue
    for (const [, named, later] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const to = moduleOf(normalize(join(dirname(file), named ?? later ?? '')))
      if (to === undefined || to === from) continue
      const pair = `${from} ${to}`
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  return counts
}

/** The modules that are folders of nouns, or stand between them, as a table: a row imports from its columns. */
export function moduleTable(root: string): string {
  const counts = countImports(root)
  const shown = MODULES.filter((module) => isFolder(root, module))
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`
  const cell = (from: Module, to: Module) => (from === to ? '·' : (counts.get(`${from} ${to}`) ?? ''))
  return [
    row(['', ...shown]),
    row(['---', ...shown.map(() => '--:')]),
    ...shown.map((from) => row([isNoun(from) ? `**${from}**` : from, ...shown.map((to) => cell(from, to))])),
  ].join('')
}

const isFolder = (root: string, module: Module) => globSync(`src/${module}/`, { cwd: root }).length > 0

/** The document with the table in its place. */
export function withTable(text: string, table: string): string {
  const [before, rest] = text.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error('ARCHITECTURE.md has no place for the table.')
  return `${before}${BEGIN}\n${table}\n${END}${after}`
}

const root = dirname(import.meta.dirname)
if (process.argv[1] === import.meta.filename) {
  const text = readFileSync(ARCHITECTURE, 'utf8')
  const now = withTable(text, moduleTable(root))
  if (!process.argv.includes('--check')) writeFileSync(ARCHITECTURE, now)
  else if (now !== text) {
    console.log('ARCHITECTURE.md does not have the imports of today: npm run modules')
    process.exitCode = 1
  }
}
