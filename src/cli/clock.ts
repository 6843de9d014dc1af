import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { findProductOwner } from '../access/credential-rows.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { advanceSandboxes } from '../jobs/advance-sandboxes.ts'
import { runDue } from '../jobs/worker.ts'
import { ApiError } from '../lib/errors.ts'
import { parseDuration } from '../lib/duration.ts'
import { parseTimeText } from '../lib/time-text.ts'
import { SETTLE_MS } from '../catalogue/sandbox/sandbox-times.ts'
import type { ClockMove, SandboxClock } from '../catalogue/sandbox/schema.ts'
import { advanceClock, getClock } from '../catalogue/sandbox/service.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'
import { fields } from './text.ts'

interface Place {
  readonly product: number
}

export function register(program: Command, cli: Cli): void {
  const clock = program.command('clock').description('the clock of a product’s sandbox')
  clock
    .command('show')
    .description('show what time it is in the sandbox')
    .requiredOption('--product <id>', 'product whose sandbox it is', idArgument)
    .option('--json', 'print one JSON object')
    .action(({ product }: Place) => withContext(cli, (ctx) => show(cli, ctx, product)))
  clock
    .command('advance')
    .description('move it forward, and let everything happen that is due until then')
    .requiredOption('--product <id>', 'product whose sandbox it is', idArgument)
    .option('--to <time>', 'where to, in UTC, such as "2027-01-31 10:00:00"', timeArgument)
    .option('--by <duration>', 'or how far, such as P1M or P1Y', durationArgument)
    .option('--json', 'print one JSON object')
    .action(({ product, to, by }: Place & { to?: string; by?: string }) => {
      const move = { ...(to !== undefined && { target: to }), ...(by !== undefined && { duration: by }) }
      return withContext(cli, (ctx) => advance(cli, ctx, { product, move }))
    })
}

async function show(cli: Cli, ctx: Context, product: number): Promise<void> {
  print(cli, await getClock(ctx, await scopeOf(ctx, product)))
}

async function advance(
  cli: Cli,
  ctx: Context,
  { product, move }: { readonly product: number; readonly move: ClockMove },
): Promise<void> {
  if ((move.target === undefined) === (move.duration === undefined)) {
    throw new Failure('bad_argument', 'Give one of --to and --by.')
  }
  const scope = await scopeOf(ctx, product)
  await transaction(ctx, async (tx) => {
    await advanceClock(tx, scope, move)
    await auditCommand(tx, { command: 'clock-advance', productId: product, details: move })
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new Failure(error.code, error.message) : error
  })
  print(cli, await untilReady(ctx, scope))
}

/** Moves it here, unless a worker does. */
async function untilReady(ctx: Context, scope: Scope): Promise<SandboxClock> {
  for (;;) {
    await runDue(ctx, [advanceSandboxes])
    const clock = await getClock(ctx, scope)
    if (clock.status === 'ready') return clock
    await sleep(SETTLE_MS / 4)
  }
}

const print = (cli: Cli, { status, now, target }: SandboxClock): void =>
  cli.result(
    { status, now, target },
    fields({ status, now: `${now} UTC`, ...(target !== null && { target: `${target} UTC` }) }),
  )

async function scopeOf(ctx: Context, productId: number): Promise<Scope> {
  const [product] = await findProductOwner(ctx.db, { id: productId })
  if (!product) throw new Failure('not_found', `There is no product ${productId}.`)
  return systemScope({ developerId: product.developer_id, productId })
}

function timeArgument(text: string): string {
  if (parseTimeText(text, 'first second') !== null) return text
  throw new InvalidArgumentError('It must be a time, such as "2027-01-31 10:00:00".')
}

function durationArgument(text: string): string {
  if (parseDuration(text) !== null) return text
  throw new InvalidArgumentError('It must be a duration, such as P1M.')
}
