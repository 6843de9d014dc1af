import { EVENT_STATES } from '../db/tables/event-types.ts'
import { resend, sendTest } from '../events/listeners/resend.ts'
import type { Resend } from '../events/listeners/schema.ts'
import { idArgument, oneOf, timeArgument } from './arguments.ts'
import { databaseCommand } from './command.ts'
import { LISTENER, OF_PRODUCT, write } from './webhook-place.ts'

const stateArgument = oneOf(EVENT_STATES)

/** An event by hand. */
export const test = databaseCommand({
  describe: 'send a listener an event to try it',
  arguments: LISTENER,
  options: OF_PRODUCT,
  handler: async (ctx, { id, product }) => {
    const sent = await write(ctx, { command: 'webhook-test', product, id }, (tx, scope) =>
      sendTest(tx, scope, id),
    )
    return { value: sent, text: `Event ${sent.event_id} is on its way to listener ${id}.` }
  },
})

export const replay = databaseCommand({
  describe: 'send a listener again what it did not get, unless told otherwise',
  arguments: LISTENER,
  options: {
    ...OF_PRODUCT,
    '--event <id>': { describe: 'one event', parse: idArgument },
    '--from <time>': {
      describe: 'events from this time on, in UTC, such as "2027-01-31 10:00:00"',
      parse: timeArgument,
    },
    '--to <time>': { describe: 'events up to this time', parse: timeArgument },
    '--state <state>': {
      describe: 'events that stand so for it: processed, pending, canceled or error',
      parse: stateArgument,
    },
  },
  handler: async (ctx, { id, product, event, from, to, state }) => {
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
    return { value: { count }, text: `${count} events are on their way to listener ${id}.` }
  },
})
