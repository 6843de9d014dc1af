import { InvalidArgumentError, type Command } from 'commander'
import { transaction, type Context, type TxContext } from '../context.ts'
import { auditCommand } from '../flows/audit-command.ts'
import { findProductOwner } from '../http/credential-queries.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import { ApiError } from '../lib/errors.ts'
import { isTypeList } from '../lib/event-types.ts'
import { parseTimeText } from '../lib/time-text.ts'
import type { Resend } from '../resources/webhooks/schema.ts'
import { createWebhook, getWebhooks, resend, sendTest } from '../resources/webhooks/service.ts'
import { isRefused } from '../webhooks/post.ts'
import { addressArgument } from './address-argument.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'
import { table } from './text.ts'

interface Place {
  readonly product: number
}

interface Added extends Place {
  readonly url: string
  readonly types?: string
}

interface Replayed extends Place {
  readonly event?: number
  readonly from?: string
  readonly to?: string
  readonly state?: 'processed' | 'canceled' | 'error'
}

/** As many as a page of the interface has. */
const LISTED = 50

export function register(program: Command, cli: Cli): void {
  const webhook = program.command('webhook').description('who is told of a product’s events')
  webhook
    .command('add')
    .description('add a listener; its secret is shown once')
    .requiredOption('--product <id>', 'product whose events it is told of', idArgument)
    .requiredOption('--url <address>', 'where events are posted to', addressArgument)
    .option('--types <list>', 'types of events with commas between them; all without it', typesArgument)
    .option('--json', 'print one JSON object')
    .action((options: Added) => withContext(cli, (ctx) => add(cli, ctx, options)))
  webhook
    .command('list')
    .description('show the listeners of a product')
    .requiredOption('--product <id>', 'product whose listeners they are', idArgument)
    .option('--json', 'print one JSON object')
    .action(({ product }: Place) => withContext(cli, (ctx) => list(cli, ctx, product)))
  webhook
    .command('test')
    .description('send a listener an event to try it')
    .argument('<id>', 'id of the listener', idArgument)
    .requiredOption('--product <id>', 'product whose listener it is', idArgument)
    .option('--json', 'print one JSON object')
    .action((id: number, { product }: Place) => withContext(cli, (ctx) => tryIt(cli, ctx, { id, product })))
  webhook
    .command('replay')
    .description('send a listener again what ended, canceled and failed events unless told otherwise')
    .argument('<id>', 'id of the listener', idArgument)
    .requiredOption('--product <id>', 'product whose listener it is', idArgument)
    .option('--event <id>', 'one event', idArgument)
    .option('--from <time>', 'events from this time on, in UTC, such as "2027-01-31 10:00:00"', timeArgument)
    .option('--to <time>', 'events up to this time', timeArgument)
    .option('--state <state>', 'events in this state: processed, canceled or error', stateArgument)
    .option('--json', 'print one JSON object')
    .action((id: number, options: Replayed) => withContext(cli, (ctx) => replay(cli, ctx, id, options)))
}

async function add(cli: Cli, ctx: Context, { product, url, types }: Added): Promise<void> {
  if (isRefused(url, ctx.config)) {
    throw new Failure('bad_url', 'The address is none of the internet; see KEYWRIGHT_WEBHOOK_ALLOW.')
  }
  const input = { url, ...(types !== undefined && { types }) }
  const made = await write(ctx, { command: 'webhook-add', product }, (tx, scope) =>
    createWebhook(tx, scope, input),
  )
  const { id, secret } = made
  const value = { id, product_id: String(product), url, types: made.types, secret }
  cli.result(value, `Listener ${id} of product ${product}; its secret is not shown again:\n\n  ${secret}`)
}

async function list(cli: Cli, ctx: Context, product: number): Promise<void> {
  const scope = await scopeOf(ctx, product)
  const webhooks = await getWebhooks(ctx, scope, { count: LISTED, offset: 0 })
  const lines = webhooks.map(({ id, url, types, is_active: isActive, off_reason: reason, failures }) => [
    id,
    isActive ? 'on' : `off${reason === null ? '' : `, ${reason}`}`,
    String(failures),
    types?.join(',') ?? 'all',
    url,
  ])
  const text = table(['id', 'state', 'failures', 'types', 'address'], lines)
  cli.result({ webhooks }, lines.length > 0 ? text : `Product ${product} has no listener.`)
}

async function tryIt(
  cli: Cli,
  ctx: Context,
  { id, product }: Place & { readonly id: number },
): Promise<void> {
  const sent = await write(ctx, { command: 'webhook-test', product }, (tx, scope) => sendTest(tx, scope, id))
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
    const part = await write(ctx, { command: 'webhook-replay', product }, (tx, scope) =>
      resend(tx, scope, id, { ...range, ...after }),
    )
    count += part.count
    if (!part.more) break
    after = { after_id: Number(part.last_id) }
  }
  cli.result({ count }, `${count} events are on their way to listener ${id}.`)
}

/** In one transaction with its row in the audit log. */
async function write<T>(
  ctx: Context,
  { command, product }: Place & { readonly command: string },
  work: (tx: TxContext, scope: Scope) => Promise<T>,
): Promise<T> {
  const scope = await scopeOf(ctx, product)
  try {
    return await transaction(ctx, async (tx) => {
      await auditCommand(tx, { command, productId: product, details: {} })
      return work(tx, scope)
    })
  } catch (error) {
    throw error instanceof ApiError ? new Failure(error.code, error.message) : error
  }
}

async function scopeOf(ctx: Context, productId: number): Promise<Scope> {
  const [product] = await findProductOwner(ctx.db, { id: productId })
  if (!product) throw new Failure('not_found', `There is no product ${productId}.`)
  return systemScope({ developerId: product.developer_id, productId })
}

function typesArgument(text: string): string {
  if (isTypeList(text)) return text
  throw new InvalidArgumentError('It must be types of events, such as license.created,payment.created.')
}

function timeArgument(text: string): string {
  if (parseTimeText(text, 'first second') !== null) return text
  throw new InvalidArgumentError('It must be a time, such as "2027-01-31 10:00:00".')
}

function stateArgument(text: string): string {
  if (['processed', 'canceled', 'error'].includes(text)) return text
  throw new InvalidArgumentError('It must be processed, canceled or error.')
}
