import { argv, env } from 'node:process'
import { Cli } from './cli/cli.ts'
import { commands } from './cli/commands.ts'
import { run } from './cli/program.ts'

const line = argv.slice(2)
process.exitCode = await run(commands, line, new Cli(line, env))
