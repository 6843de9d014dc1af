import { Command as Parser, CommanderError, Option, type Help } from 'commander'
import { VERSION } from '../lib/version.ts'
import type { Cli } from './cli.ts'
import { SECTIONS, type Command, type Group, type Setting } from './command.ts'
import { entries } from './client/operation-table.ts'
import { examplesOf } from './examples.ts'
import type { ExitCode } from './failure.ts'
import { marked, missingIn } from './needs.ts'
import { summaries } from './summaries.ts'

export type Commands = Readonly<Record<string, () => Promise<{ readonly command: Command | Group }>>>

/** How many commands are named that may be meant. */
const MOST_NAMED = 3

/** From nothing to a license. */
const FIRST_LINES = [
  'keywright serve',
  'keywright login --local',
  'keywright license find --filter active',
  'keywright license issue --help',
]

const EXIT_CODES = `Ends with 0 (done), 1 (failed, or refused), 2 (wrong usage) or 3 (no server, or not let in).`

/** Runs one command line → 0 done, 1 failed, 2 wrong usage, 3 no server or not let in. */
export async function run(commands: Commands, argv: readonly string[], cli: Cli): Promise<ExitCode> {
  const program = new Parser('keywright')
    .description('A self-hosted licensing and commerce server.')
    .version(VERSION)
    // `--version` after a command is an argument of that.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => cli.output.log(text.trimEnd()),
      outputError: () => {},
      // Whether there are is for the styles to know.
      getOutHasColors: () => true,
    })
    .configureHelp(helpOf(cli))
    .addHelpText('after', `${examplesText(FIRST_LINES, cli)}\n\n${EXIT_CODES}`)
    .exitOverride()
  const line = argv[0] === 'help' && argv[1] !== undefined ? [...argv.slice(1), '--help'] : argv
  const [called = ''] = line
  const loaded = Object.hasOwn(commands, called) ? await commands[called]?.() : undefined
  if (loaded) addLoaded(program, called, loaded.command, cli)
  else addSummaries(program, commands)
  try {
    await program.parseAsync(line, { from: 'user' })
    return cli.hasFailed ? 1 : 0
  } catch (error) {
    if (!(error instanceof CommanderError)) return cli.fail(error)
    if (error.exitCode === 0) return 0
    if (error.code !== 'commander.help') cli.refuse(saidOf(error, called))
    return 2
  }
}

const saidOf = ({ code, message }: CommanderError, called: string): string =>
  code === 'commander.unknownCommand' && nounsWith(called).length > 0 ? verbAlone(called) : message

/** The nouns that have a verb. */
const nounsWith = (verb: string): string[] =>
  entries().flatMap((entry) => (entry.verb === verb ? [entry.noun] : []))

/** A verb without its noun: which commands are meant by it. */
function verbAlone(verb: string): string {
  const lines = nounsWith(verb).map((noun) => `"keywright ${noun} ${verb}"`)
  const more = lines.length > MOST_NAMED ? ' and others' : ''
  return `unknown command '${verb}': there is ${lines.slice(0, MOST_NAMED).join(', ')}${more}`
}

/** What only reads and prints ends with its reader; what works on a database is left to its end. */
function addLoaded(program: Parser, called: string, command: Command | Group, cli: Cli): void {
  if (command.section === 'client' || command.section === 'noun') cli.endWithReader()
  addCommand(program, called, command, cli)
}

/** Every command by one line: for the help of all, and to find the name that was meant, none need be loaded. */
function addSummaries(program: Parser, commands: Commands): void {
  for (const name of Object.keys(commands)) {
    const { describe = '', section = 'server' } = summaries()[name] ?? {}
    program.command(name).description(describe).helpGroup(SECTIONS[section])
  }
}

const helpOf = (cli: Cli): Partial<Help> => ({
  helpWidth: (cli.stdout as { readonly columns?: number }).columns ?? 80,
  styleTitle: (text) => cli.style('bold', text),
  styleCommandText: (text) => cli.style('cyan', text),
  styleSubcommandText: (text) => cli.style('cyan', text),
  styleOptionText: (text) => cli.style('cyan', text),
  styleArgumentText: (text) => cli.style('cyan', text),
})

/** Adds a command, or a group of them, to what the parser knows. */
export function addCommand(parent: Parser, name: string, added: Command | Group, cli: Cli): void {
  const parser = parent.command(name).description(added.describe)
  if (parent.parent === null) parser.helpGroup(SECTIONS[added.section ?? 'server'])
  if ('commands' in added) {
    for (const [word, command] of Object.entries(added.commands)) addCommand(parser, word, command, cli)
    const [[word = '', first] = []] = Object.entries(added.commands)
    if (first) addExamples(parser, `${name} ${word}`, first, cli)
    return
  }
  const called = parent.parent === null ? name : `${parent.name()} ${name}`
  addOne(parser, called, added, cli)
}

function addOne(parser: Parser, called: string, added: Command, cli: Cli): void {
  for (const [written, { describe, parse }] of Object.entries(added.arguments ?? {}))
    parser.argument(written, describe, (text) => (parse ? parse(text, cli) : text))
  for (const [flags, option] of Object.entries(added.options ?? {}))
    parser.addOption(optionOf(flags, { ...option, describe: marked(flags, option, added) }, cli))
  parser.option('--json', added.json ?? 'print one JSON object')
  if (added.more !== undefined) parser.addHelpText('after', `\n${added.more}`)
  addExamples(parser, called, added, cli)
  parser.action(() => {
    const missing = missingIn(added, parser.opts())
    if (missing !== null) parser.error(`error: ${missing}`, { code: 'commander.missingMandatoryOptionValue' })
    const words = parser.registeredArguments.map((argument) => argument.name())
    const given = words.map((argument, place) => [argument, parser.processedArgs[place]])
    const runIt = () => added.run(cli, { ...Object.fromEntries(given), ...parser.opts() })
    return added.isShowing ? runIt() : cli.waitFor(called, runIt)
  })
}

function addExamples(parser: Parser, called: string, command: Command, cli: Cli): void {
  parser.addHelpText('after', examplesText(examplesOf(called, command), cli))
}

const examplesText = (lines: readonly string[], cli: Cli): string =>
  `\n${cli.style('bold', 'Examples:')}\n${lines.map((line) => `  ${line}`).join('\n')}`

function optionOf(flags: string, setting: Setting, cli: Cli): Option {
  const { describe, parse, many, default: usual, conflicts = [], short } = setting
  const written = short === undefined ? flags : `-${short}, ${flags}`
  const option = new Option(written, describe).default(many ? [] : usual).conflicts([...conflicts])
  const read = (text: string) => (parse ? parse(text, cli) : text)
  if (many) option.argParser((text, before: readonly unknown[]) => [...before, read(text)])
  else if (parse) option.argParser(read)
  if (setting.isHidden) option.hideHelp()
  // An opposite alone would make the switch one that is on.
  if (flags.startsWith('--no-') && setting.isHidden) option.default(undefined)
  return option
}
