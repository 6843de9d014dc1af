import type { Command } from 'commander'
import { renewalState, resumeRenewals } from '../work/renewal-watch.ts'
import type { Context } from '../context.ts'
import type { Cli } from './cli.ts'
import { withContext } from './open.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('renewals')
    .description('the renewals of subscriptions in production')
    .command('resume')
    .description(
      'let them go on, which wait when the server was away, or its clock jumped, by more than three days',
    )
    .option('--json', 'print one JSON object')
    .action(() => withContext(cli, (ctx) => resume(cli, ctx)))
}

async function resume(cli: Cli, ctx: Context): Promise<void> {
  const { due } = await renewalState(ctx.db, ctx.clock.real())
  const isResumed = await resumeRenewals(ctx)
  const text = isResumed
    ? `Renewals go on: ${due} subscriptions are due, each for at most one period.`
    : 'Renewals do not wait.'
  cli.result({ resumed: isResumed, due }, text)
}
