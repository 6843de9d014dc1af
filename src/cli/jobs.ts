import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { retryFailedRows } from '../db/failed-rows.ts'
import type { Cli } from './cli.ts'
import { withContext } from './open.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('jobs')
    .description('what the server does by itself')
    .command('retry')
    .description('try again what a fault has kept from being done, and what is left alone for it')
    .option('--json', 'print one JSON object')
    .action(() => withContext(cli, (ctx) => retry(cli, ctx)))
}

async function retry(cli: Cli, { database }: Context): Promise<void> {
  const retried = await database.transaction(retryFailedRows)
  cli.result({ retried }, `${retried} rows that were left alone are tried again.`)
}
