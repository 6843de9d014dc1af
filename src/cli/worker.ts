import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Cli } from './cli.ts'
import { openProcess, runJobs } from './process.ts'
import { dataPlace } from './data-place.ts'
import { settleStart } from './settle-start.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('worker')
    .description('run the jobs without answering requests')
    .option('--json', 'print one JSON object once it works, and log to standard error')
    .action(() => work(cli))
}

async function work(cli: Cli): Promise<void> {
  await using closing = new AsyncDisposableStack()
  const config = readConfig(cli.env)
  const opened = await openProcess(cli, config, closing)
  runJobs(opened)
  settleStart()
  const stopped = opened.untilStopped()
  if (cli.json) cli.result({ data: dataPlace(config) }, '')
  cli.note(`Keywright runs the jobs of ${dataPlace(config)}.`)
  await stopped
}
