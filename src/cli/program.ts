import { Command, CommanderError, type ErrorOptions, type Option } from 'commander'
import { VERSION } from '../lib/version.ts'
import type { Cli } from './cli.ts'

export interface CommandModule {
  /** Adds the command, with its options and what it does. */
  register(program: Command, cli: Cli): void
}

export type Commands = Readonly<Record<string, () => Promise<CommandModule>>>

/** A command whose help says which options are required, and whose error names each that is missing. */
class FullCommand extends Command {
  override createCommand(name?: string): Command {
    return new FullCommand(name)
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
  const program = new FullCommand('keywright')
    .description('A self-hosted licensing and commerce server.')
    .version(VERSION)
    .configureOutput({ writeOut: (text) => cli.output.log(text.trimEnd()), outputError: () => {} })
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
  const [name = ''] = argv
  const named = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands)
  for (const load of named) (await load?.())?.register(program, cli)
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
