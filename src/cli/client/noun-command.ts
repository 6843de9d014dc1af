import type { Command, Group } from '../command.ts'
import { nouns } from './nouns.ts'
import { entries } from './operation-table.ts'
import { verbCommand } from './verb.ts'

/** The command of a noun: a group of its verbs, with those that are no operation, or the operation that it is itself. */
export function nounCommand(noun: string, others: Readonly<Record<string, Command>> = {}): Command | Group {
  const own = entries().filter((entry) => entry.noun === noun)
  const itself = own.find(({ verb }) => verb === null)
  const shown = { describe: nouns[noun]?.describe ?? noun, section: 'noun' } as const
  if (itself) return { ...verbCommand(itself), ...shown }
  const verbs = own.flatMap((entry) =>
    entry.verb === null ? [] : [[entry.verb, verbCommand(entry)] as const],
  )
  return { ...shown, docs: 'docs/command-line.md', commands: { ...Object.fromEntries(verbs), ...others } }
}
