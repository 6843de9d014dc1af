import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import type { Scope } from '../access/scope.ts'
import { advanceSandboxes } from '../jobs/advance-sandboxes.ts'
import { runDue } from '../jobs/worker.ts'
import { parseDuration } from '../lib/duration.ts'
import { SETTLE_MS } from '../catalogue/sandbox/sandbox-times.ts'
import type { SandboxClock } from '../catalogue/sandbox/schema.ts'
import { advanceClock, getClock } from '../catalogue/sandbox/service.ts'
import { idArgument, timeArgument } from './arguments.ts'
import { databaseCommand, type Answer, type Group } from './command.ts'
import { scopeOf } from './product-scope.ts'
import { fields } from './text.ts'

const OF_PRODUCT = {
  '--product <id>': { describe: 'product whose sandbox it is', parse: idArgument, required: true },
} as const

const show = databaseCommand({
  describe: 'show what time it is in the sandbox',
  options: OF_PRODUCT,
  handler: async (ctx, { product }) => answerOf(await getClock(ctx, await scopeOf(ctx, product))),
})

const advance = databaseCommand({
  describe: 'move the clock forward, and let everything happen that is due until then',
  options: {
    ...OF_PRODUCT,
    '--to <time>': {
      describe: 'where to, in UTC, such as "2027-01-31 10:00:00"',
      parse: timeArgument,
      conflicts: ['by'],
    },
    '--by <duration>': { describe: 'how far, such as P1M or P1Y', parse: durationArgument },
  },
  needs: [['by', 'to']],
  handler: async (ctx, { product, to, by }) => {
    const move = { ...(to !== undefined && { target: to }), ...(by !== undefined && { duration: by }) }
    const scope = await scopeOf(ctx, product)
    await transaction(ctx, async (tx) => {
      await advanceClock(tx, scope, move)
      await auditCommand(tx, { command: 'clock-advance', productId: product, details: move })
    })
    return answerOf(await untilReady(ctx, scope))
  },
})

export const command: Group = {
  describe: 'the clock of a product’s sandbox',
  docs: 'docs/sandbox.md',
  commands: { show, advance },
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

const answerOf = ({ status, now, target }: SandboxClock): Answer => ({
  value: { status, now, target },
  text: fields({ status, now: `${now} UTC`, ...(target !== null && { target: `${target} UTC` }) }),
})

function durationArgument(text: string): string {
  if (parseDuration(text) !== null) return text
  throw new InvalidArgumentError('It must be a duration, such as P1M.')
}
