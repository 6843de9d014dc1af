import { Command, CommanderError } from 'commander'
import { VERSION } from '../lib/version.ts'
import type { Cli } from './cli.ts'

export interface CommandModule {
  /** Adds the command, with its options and what it does. */
  register(program: Command, cli: Cli): void
}

export type Commands = Readonly<Record<string, () => Promise<CommandModule>>>

/** Runs one command line → 0 done, 1 failed, 2 wrong usage. */
export async function run(commands: Commands, argv: readonly string[], cli: Cli): Promise<0 | 1 | 2> {
  const program = new Command('keywright')
    .description('A self-hosted licensing and commerce server.')
    .version(VERSION)
    .configureOutput({ writeOut: (text) => cli.output.log(text.trimEnd()), outputError: () => {} })
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
