import type { Command, Setting } from './command.ts'

type Needing = Pick<Command, 'options' | 'needs' | 'filledBy'>

/** As the handler has it: `--redirect-host <host>` → `redirectHost`, and `--no-jobs` → `jobs`. */
export const nameOf = (flags: string): string =>
  (flags.split(' ')[0] ?? '')
    .replace(/^--(no-)?/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What must be given: of each list one, by the flags of the options. A required option is a list of itself. */
export function needsOf({ options = {}, needs = [] }: Needing): readonly (readonly string[])[] {
  const all = Object.entries(options)
  const flagsOf = (name: string) =>
    all.flatMap(([flags, { isHidden }]) => (nameOf(flags) === name && !isHidden ? flags : []))
  const required = all.flatMap(([flags, { required: isRequired }]) => (isRequired ? [[flags]] : []))
  return [...required, ...needs.map((names) => names.flatMap(flagsOf))]
}

/** How an option is described, with whether it must be given, or what may be in its place: `(required, or --name)`. */
export function marked(flags: string, { describe }: Setting, command: Needing): string {
  const lists = needsOf(command).filter((list) => list.includes(flags))
  if (lists.length === 0) return describe
  const others = lists.map((list) => list.flatMap((one) => (one === flags ? [] : flagIn(one))).join(' or '))
  const instead = others.filter(Boolean).join(' and ')
  return `${describe} (required${instead === '' ? '' : `, or ${instead}`})`
}

/** `--uid <text>` → `--uid`. */
const flagIn = (flags: string) => flags.split(' ')[0] ?? ''

/**
 * Lists that begin with the same option, as ways of which one is gone: `[[name, first], [name, last]]` is the name, or the
 * first and the last.
 */
export function alternatives(lists: readonly (readonly string[])[]): string[][][] {
  const ways = new Map<string, string[][]>()
  for (const [first = '', ...others] of lists) {
    const known = ways.get(first)
    if (known) for (const [n, flags] of others.entries()) known[n + 1]?.push(flags)
    else ways.set(first, [[first], ...others.map((flags) => [flags])])
  }
  return [...ways.values()]
}

/** What is said of a command line that leaves out what must be given; null: nothing is missing. */
export function missingIn(command: Needing, given: Readonly<Record<string, unknown>>): string | null {
  const { filledBy } = command
  if (filledBy !== undefined && given[filledBy] !== undefined) return null
  const missing = needsOf(command).filter((list) => list.every((flags) => given[nameOf(flags)] === undefined))
  if (missing.length === 0) return null
  const named = alternatives(missing).map((one) =>
    one.map((flags) => flags.map((flag) => `'${flag}'`).join(' and ')).join(' or '),
  )
  return `required ${missing.length > 1 ? 'options' : 'option'} ${named.join(', ')} not specified`
}
