import { InvalidArgumentError, type Command } from 'commander'
import type { Context } from '../context.ts'
import { EVENT_STATES } from '../db/tables/event-types.ts'
import { parseTimeText } from '../lib/time-text.ts'
import { resend, sendTest } from '../events/listeners/resend.ts'
import type { Resend } from '../events/listeners/schema.ts'
import type { Cli } from './cli.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'
import { about, write, type Place } from './webhook-place.ts'

type State = (typeof EVENT_STATES)[number]

interface Replayed extends Place {
  readonly event?: number
  readonly from?: string
  readonly to?: string
  readonly state?: State
}

/** What is sent to a listener by hand. */
export function registerSending(webhook: Command, cli: Cli): void {
  about(webhook, 'test', 'send a listener an event to try it').action((id: number, { product }: Place) =>
    withContext(cli, (ctx) => tryIt(cli, ctx, { id, product })),
  )
  about(webhook, 'replay', 'send a listener again what it did not get, unless told otherwise')
    .option('--event <id>', 'one event', idArgument)
    .option('--from <time>', 'events from this time on, in UTC, such as "2027-01-31 10:00:00"', timeArgument)
    .option('--to <time>', 'events up to this time', timeArgument)
    .option(
      '--state <state>',
      'events that stand so for it: processed, pending, canceled or error',
      stateArgument,
    )
    .action((id: number, options: Replayed) => withContext(cli, (ctx) => replay(cli, ctx, id, options)))
}

async function tryIt(
  cli: Cli,
  ctx: Context,
  { id, product }: Place & { readonly id: number },
): Promise<void> {
  const sent = await write(ctx, { command: 'webhook-test', product, id }, (tx, scope) =>
    sendTest(tx, scope, id),
  )
  cli.result(sent, `Event ${sent.event_id} is on its way to listener ${id}.`)
}

async function replay(cli: Cli, ctx: Context, id: number, options: Replayed): Promise<void> {
  const { product, event, from, to, state } = options
  const range: Resend = {
    ...(event !== undefined && { event_id: event }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(state !== undefined && { state }),
  }
  let count = 0
  let after: Pick<Resend, 'after_id'> = {}
  for (;;) {
    const part = await write(ctx, { command: 'webhook-replay', product, id }, (tx, scope) =>
      resend(tx, scope, id, { ...range, ...after }),
    )
    count += part.count
    if (!part.more) break
    after = { after_id: Number(part.last_id) }
  }
  cli.result({ count }, `${count} events are on their way to listener ${id}.`)
}

function timeArgument(text: string): string {
  if (parseTimeText(text, 'first second') !== null) return text
  throw new InvalidArgumentError('It must be a time, such as "2027-01-31 10:00:00".')
}

function stateArgument(text: string): State {
  const state = EVENT_STATES.find((known) => known === text)
  if (state !== undefined) return state
  throw new InvalidArgumentError(`It must be one of ${EVENT_STATES.join(', ')}.`)
}
