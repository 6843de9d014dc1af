import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refusals } from '../src/app.ts'
import { TABLE_FILE } from '../src/cli/client/operation-table.ts'
import { HELPS_FILE } from '../src/cli/client/refusal.ts'
import type { Command, Group, Section } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'
import { alternatives, needsOf } from '../src/cli/needs.ts'
import { SUMMARIES_FILE, type Summaries } from '../src/cli/summaries.ts'
import type { Refusal } from '../src/lib/errors.ts'
import { operationTable } from './operation-table.ts'
import { keepTable, row } from './table.ts'

type Loaded = readonly (readonly [name: string, command: Command | Group])[]

const loadAll = (): Promise<Loaded> =>
  Promise.all(Object.entries(commands).map(async ([name, load]) => [name, (await load()).command] as const))

/** Every command of some sections with what it takes, and what it does. */
export async function commandTable(sections: readonly Section[]): Promise<string> {
  const shown = (await loadAll()).filter(([, { section = 'server' }]) => sections.includes(section))
  const rows = shown.flatMap(([name, command]) => linesOf(name, command))
  return [row(['command', 'what it does']), row(['---', '---']), ...rows].join('')
}

const linesOf = (name: string, command: Command | Group): string[] =>
  'commands' in command
    ? Object.entries(command.commands).map(([word, one], place) =>
        lineOf(`${name} ${word}`, one, place === 0 && command.section !== 'noun' ? command.docs : undefined),
      )
    : [lineOf(name, command)]

/** What most commands that call a server take, which is told once. */
const OF_MOST = new Set([
  '--profile <name>',
  '--get <path>',
  '--fields <text>',
  '--input <file>',
  '--output <file>',
  '--jsonl',
])
/** A line names so many options at most, beside those that are required. */
const LONG = 8

/** The document of a group stands in its first line. */
function lineOf(name: string, command: Command, ofGroup?: string): string {
  const needed = needsOf(command)
  const options = Object.entries(command.options ?? {})
    .filter(([flags, { isHidden }]) => isHidden === undefined && !OF_MOST.has(flags))
    .filter(([flags]) => !needed.some((list) => list.includes(flags)))
    .map(([flags, { many }]) => `[${flags}]${many ? '…' : ''}`)
  const required = alternatives(needed).map((ways) => {
    const written = ways.map((flags) => flags.join(' ')).join(' \\| ')
    return ways.length > 1 ? `(${written})` : written
  })
  const all = options.length > LONG ? ['[options]'] : options
  const written = [name, ...Object.keys(command.arguments ?? {}), ...required, ...all].join(' ')
  const docs = command.docs ?? ofGroup
  return row([`\`${written}\``, command.describe + (docs === undefined ? '' : ` ([${docs}](${docs}))`)])
}

const summariesText = async (): Promise<string> => {
  const said = (await loadAll()).map(([name, { describe, section }]) => [
    name,
    { describe, ...(section && { section }) },
  ])
  return `${JSON.stringify(Object.fromEntries(said) satisfies Summaries, null, 2)}\n`
}

/** What to do about each code, in the order of the codes. */
function helpsText(): string {
  const all: Readonly<Record<string, Refusal>> = refusals
  const said = Object.entries(all).flatMap(([code, { help }]) => (help === undefined ? [] : [[code, help]]))
  const sorted = said.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}

/** Links as a document of `docs/` has them. */
export const fromDocs = (table: string): string => table.replaceAll('](docs/', '](')

/** Writes a file; with `--check` it only fails where it is not as it would be. */
function keepFile(file: URL, text: string): void {
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.log(`${fileURLToPath(file)} is not of today: npm run commands`)
    process.exitCode = 1
  }
}

if (process.argv[1] === import.meta.filename) {
  keepFile(TABLE_FILE, operationTable())
  keepFile(HELPS_FILE, helpsText())
  keepFile(SUMMARIES_FILE, await summariesText())
  keepTable({ name: 'commands', document: 'README.md' }, await commandTable(['server', 'client']))
  keepTable({ name: 'commands', document: 'docs/command-line.md' }, fromDocs(await commandTable(['noun'])))
}
