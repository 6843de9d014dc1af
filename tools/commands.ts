import type { Command, Group } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'
import { keepTable, row } from './table.ts'

/** Every command with what it takes, and what it does, for the README; `npm run commands` writes it. */
export async function commandTable(): Promise<string> {
  const rows: string[] = []
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    rows.push(...linesOf(name, command))
  }
  return [row(['command', 'what it does']), row(['---', '---']), ...rows].join('')
}

const linesOf = (name: string, command: Command | Group): string[] =>
  'commands' in command
    ? Object.entries(command.commands).map(([word, one], place) =>
        lineOf(`${name} ${word}`, one, place === 0 ? command.docs : undefined),
      )
    : [lineOf(name, command)]

/** The document of a group stands in its first line. */
function lineOf(name: string, command: Command, ofGroup?: string): string {
  const options = Object.entries(command.options ?? {}).map(([flags, { required, many }]) =>
    required ? flags : `[${flags}]${many ? '…' : ''}`,
  )
  const written = [name, ...Object.keys(command.arguments ?? {}), ...options].join(' ')
  const docs = command.docs ?? ofGroup
  return row([`\`${written}\``, command.describe + (docs === undefined ? '' : ` ([${docs}](${docs}))`)])
}

if (process.argv[1] === import.meta.filename)
  keepTable({ name: 'commands', document: 'README.md' }, await commandTable())
