import { Command as Parser, CommanderError, Option, type ErrorOptions } from 'commander'
import { VERSION } from '../lib/version.ts'
import type { Cli } from './cli.ts'
import type { Command, Group, Setting } from './command.ts'

export type Commands = Readonly<Record<string, () => Promise<{ readonly command: Command | Group }>>>

/** Help that says which options are required, and an error that names each that is missing. */
class FullParser extends Parser {
  override createCommand(name?: string): Parser {
    return new FullParser(name)
  }

  override error(message: string, options?: ErrorOptions): never {
    if (options?.code !== 'commander.missingMandatoryOptionValue') super.error(message, options)
    const missing = this.options.filter(
      (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
    )
    const named = missing.map(({ flags }) => `'${flags}'`).join(', ')
    return super.error(
      `error: required ${missing.length > 1 ? 'options' : 'option'} ${named} not specified`,
      options,
    )
  }
}

const describeOption = ({ description, mandatory }: Option): string =>
  mandatory ? `${description} (required)` : description

/** Runs one command line → 0 done, 1 failed, 2 wrong usage. */
export async function run(commands: Commands, argv: readonly string[], cli: Cli): Promise<0 | 1 | 2> {
  const program = new FullParser('keywright')
    .description('A self-hosted licensing and commerce server.')
    .version(VERSION)
    .configureOutput({ writeOut: (text) => cli.output.log(text.trimEnd()), outputError: () => {} })
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
  const [called = ''] = argv
  const named = Object.hasOwn(commands, called) ? [called] : Object.keys(commands)
  for (const name of named) {
    const loaded = await commands[name]?.()
    if (loaded) addCommand(program, name, loaded.command, cli)
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return cli.hasFailed ? 1 : 0
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      cli.fail(error)
      return 1
    }
    if (error.exitCode === 0) return 0
    if (error.code !== 'commander.help') cli.refuse(error.message)
    return 2
  }
}

/** Adds a command, or a group of them, to what the parser knows. */
export function addCommand(parent: Parser, name: string, added: Command | Group, cli: Cli): void {
  const parser = parent.command(name).description(added.describe)
  if ('commands' in added) {
    for (const [word, command] of Object.entries(added.commands)) addCommand(parser, word, command, cli)
    return
  }
  for (const [written, { describe, parse }] of Object.entries(added.arguments ?? {}))
    parser.argument(written, describe, (text) => (parse ? parse(text, cli) : text))
  for (const [flags, option] of Object.entries(added.options ?? {}))
    parser.addOption(optionOf(flags, option, cli))
  parser.option('--json', added.json ?? 'print one JSON object')
  if (added.more !== undefined) parser.addHelpText('after', `\n${added.more}`)
  parser.action(() => {
    const names = parser.registeredArguments.map((argument) => argument.name())
    const given = names.map((argument, place) => [argument, parser.processedArgs[place]])
    return added.run(cli, { ...Object.fromEntries(given), ...parser.opts() })
  })
}

function optionOf(flags: string, setting: Setting, cli: Cli): Option {
  const { describe, parse, many, default: usual, required = false, conflicts = [] } = setting
  const option = new Option(flags, describe).default(many ? [] : usual).conflicts([...conflicts])
  const read = (text: string) => (parse ? parse(text, cli) : text)
  if (many) option.argParser((text, before: readonly unknown[]) => [...before, read(text)])
  else if (parse) option.argParser(read)
  return option.makeOptionMandatory(required)
}
