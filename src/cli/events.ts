import { numberArgument, oneOf } from './arguments.ts'
import { headersOf } from './client/call.ts'
import { connect, PROFILE_OPTION } from './client/connection.ts'
import { follow } from './client/follow.ts'
import { nounCommand } from './client/noun-command.ts'
import { queryOf, withQuery } from './client/given-fields.ts'
import { addressOf } from './client/places.ts'
import { harmless } from './client/refusal.ts'
import { localTime } from './client/times.ts'
import { plainCommand } from './command.ts'
import { stopSignal } from './stop-signal.ts'

/** What an event says of itself. */
interface Told {
  readonly id: string
  readonly created: string
  readonly type: string
  readonly plugin_id?: string | null
  readonly user_id?: string | null
}

const STREAM = {
  method: 'GET',
  path: '/events/stream',
  summary: '',
  params: {},
  args: [],
} as const

const tail = plainCommand({
  describe:
    'show events as they happen, until it is stopped; none is left out when the server goes away meanwhile',
  docs: 'docs/events.md',
  options: {
    '--product <id>': { describe: 'of this product alone; all: of the whole account' },
    '--after <id>': {
      describe: 'begin after this place of the stream; 0: from the first',
      parse: numberArgument,
    },
    '--environment <number>': {
      describe: 'only what is live (0), or of the sandbox (1)',
      parse: (text: string) => Number(oneOf(['0', '1'])(text)),
    },
    ...PROFILE_OPTION,
  },
  json: 'print one JSON object for each event',
  isShowing: true,
  examples: ['keywright events tail', 'keywright events tail --product 7 --json'],
  handler: async ({ product: named, after, environment, profile }, cli) => {
    const { server, ...opened } = await connect(cli, profile)
    const product = named ?? opened.product
    const isOfAll = opened.opens === null && (named === 'all' || product === null)
    const operation = { ...STREAM, scope: isOfAll ? 'account' : 'product', isOfToken: true } as const
    const path = addressOf(operation, [], { ...opened, product: isOfAll ? null : product })
    const query = environment === undefined ? '' : queryOf({ environment })
    const stopping = new AbortController()
    void stopSignal(() => {}, { asParentEnds: cli.env['npm_lifecycle_event'] !== undefined }).then(() =>
      stopping.abort(),
    )
    cli.note(`Events of ${isOfAll ? `account ${opened.account}` : `product ${product}`}; Ctrl-C ends it.`)
    await follow(cli, {
      address: async () => withQuery(server.url + path, query),
      headers: headersOf(server.token),
      after: after === undefined ? null : String(after),
      stopping: stopping.signal,
      each: async ({ id, data }) => {
        const event = JSON.parse(data) as Told
        const of = [`product ${event.plugin_id ?? '–'}`, `customer ${event.user_id ?? '–'}`].join('  ')
        cli.result(
          event,
          `${cli.style('dim', localTime(event.created) ?? event.created)}  ${cli.style('bold', harmless(event.type))}  ${event.id}  ${of}`,
        )
        return id ?? null
      },
    })
  },
})

export const command = nounCommand('events', { tail })
