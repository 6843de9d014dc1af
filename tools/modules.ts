import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importsIn } from '../test/plan.ts'
import { isNoun, moduleOf, MODULES, type Module } from './lint/layers.ts'
import { keepTable, row } from './table.ts'

/** How many imports lead from a module into another one: `sales licensing` → 120. */
function countImports(root: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const from = moduleOf(file)
    if (file.endsWith('.test.ts') || from === undefined) continue
    for (const { path } of importsIn(file, readFileSync(join(root, file), 'utf8'))) {
      const to = moduleOf(path)
      if (to === undefined || to === from) continue
      const pair = `${from} ${to}`
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  return counts
}

/** The modules that are folders of nouns, or stand between them: a row imports from its columns. `npm run modules`. */
function moduleTable(root: string): string {
  const counts = countImports(root)
  const shown = MODULES.filter((module) => isFolder(root, module))
  const cell = (from: Module, to: Module) => (from === to ? '·' : (counts.get(`${from} ${to}`) ?? ''))
  return [
    row(['', ...shown]),
    row(['---', ...shown.map(() => '--:')]),
    ...shown.map((from) => row([isNoun(from) ? `**${from}**` : from, ...shown.map((to) => cell(from, to))])),
  ].join('')
}

const isFolder = (root: string, module: Module) => globSync(`src/${module}/`, { cwd: root }).length > 0

keepTable({ name: 'modules', document: 'ARCHITECTURE.md' }, moduleTable(dirname(import.meta.dirname)))
