import type { Cli } from './cli.ts'
import { ask } from './client/call.ts'
import { connect, PROFILE_OPTION, type Connection } from './client/connection.ts'
import { pagesOf } from './client/paging.ts'
import { addressOf } from './client/places.ts'
import { plainCommand } from './command.ts'
import { counted } from '../lib/counted.ts'
import { Failure } from './failure.ts'
import { idArgument } from './arguments.ts'

interface Listener {
  readonly id: string
  readonly is_active: boolean
  readonly types: readonly string[] | null
}

/** The event that says only that it is a test. */
const TEST = 'test'

export const command = plainCommand({
  describe:
    'send the listeners of a product the latest event of a type once more, or one that is only a test',
  docs: 'docs/webhooks.md',
  section: 'client',
  arguments: { '<event>': { describe: 'type of the event, such as license.created, or "test"' } },
  options: {
    '--product <id>': { describe: 'product that it is about, unless it is that of the profile' },
    '--listener <id>': {
      describe: 'only this listener; without it all that are on and told of the type',
      parse: idArgument,
    },
    ...PROFILE_OPTION,
  },
  examples: ['keywright trigger test', 'keywright trigger license.created --listener 7'],
  handler: async ({ event, product, listener, profile }, cli) => {
    const connection = await connect(cli, profile)
    const at = { ...connection, ...(product !== undefined && { product }) }
    const event_id = event === TEST ? null : await latest(cli, at, event)
    const ids = listener === undefined ? await listening(cli, at, event) : [String(listener)]
    if (ids.length === 0)
      throw new Failure(
        'no_listener',
        `No listener is on${event === TEST ? '' : ` that is told of ${event}`}: "keywright listener create --url https://shop.example.com/hook" adds one.`,
      )
    for (const id of ids) {
      const what = event_id === null ? 'test' : 'resend'
      await ask(cli, at.server, {
        method: 'POST',
        path: pathOf(at, `/webhooks/${id}/${what}.json`),
        ...(event_id !== null && { body: { event_id: Number(event_id) } }),
      })
    }
    const which = event_id === null ? 'A test' : `Event ${event_id}`
    return {
      value: { event, event_id, listeners: ids },
      text: `${which} is on its way to ${counted(ids.length, 'listener')}: keywright listener attempts ${ids[0]} says what came of it.`,
    }
  },
})

const pathOf = (at: Connection, path: string): string =>
  addressOf(
    { scope: 'product', isOfToken: true, method: 'GET', path, summary: '', params: {}, args: [] },
    [],
    at,
  )

async function latest(cli: Cli, at: Connection, type: string): Promise<string> {
  const path = pathOf(at, `/events.json?count=1&type=${encodeURIComponent(type)}`)
  const { json } = await ask(cli, at.server, { method: 'GET', path })
  const [event] = (json as { readonly events: readonly { readonly id: string }[] }).events
  if (event) return event.id
  throw new Failure(
    'no_event',
    `No ${type} has happened yet; "keywright trigger test" sends an event that is only a test.`,
  )
}

async function listening(cli: Cli, at: Connection, type: string): Promise<string[]> {
  const call = { method: 'GET', path: pathOf(at, '/webhooks.json') }
  const pages = await Array.fromAsync(pagesOf(cli, at.server, { call, pagedBy: 'offset', key: 'webhooks' }))
  return pages
    .flatMap(({ items }) => items as readonly Listener[])
    .filter(({ is_active: isOn, types }) => isOn && (type === TEST || types === null || types.includes(type)))
    .map(({ id }) => id)
}
