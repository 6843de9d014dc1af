import { InvalidArgumentError, type Command } from 'commander'
import type { Context, TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import { isTypeList } from '../db/tables/event-types.ts'
import type { Webhook } from '../events/listeners/schema.ts'
import {
  changeWebhook,
  createWebhook,
  getAttempts,
  getWebhooks,
  removeWebhook,
  rotateSecret,
  wrongTypes,
} from '../events/listeners/service.ts'
import { isRefused } from '../events/delivery/post.ts'
import { addressArgument } from './address-argument.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { hoursArgument } from './hours-argument.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'
import { table } from './text.ts'
import { about, scopeOf, write, type Place } from './webhook-place.ts'
import { registerSending } from './webhook-sending.ts'

interface Added extends Place {
  readonly url: string
  readonly types?: string
}

type Changed = Place & Partial<Added>

interface Rotated extends Place {
  readonly overlapHours: number
}

/** As many as a page of the interface has. */
const LISTED = 50
const OVERLAP_HOURS = 24
const MOST_HOURS = 168

export function register(program: Command, cli: Cli): void {
  const webhook = program.command('webhook').description('who is told of a product’s events')
  registerListeners(webhook, cli)
  registerChanges(webhook, cli)
  registerSending(webhook, cli)
}

function registerListeners(webhook: Command, cli: Cli): void {
  webhook
    .command('add')
    .description('add a listener; its secret is shown once')
    .requiredOption('--product <id>', 'product whose events it is told of', idArgument)
    .requiredOption('--url <address>', 'where events are posted to', addressArgument)
    .option('--types <list>', TYPES, typesArgument)
    .option('--json', 'print one JSON object')
    .action((options: Added) => withContext(cli, (ctx) => add(cli, ctx, options)))
  webhook
    .command('list')
    .description('show the listeners of a product, and why the last attempt failed')
    .requiredOption('--product <id>', 'product whose listeners they are', idArgument)
    .option('--json', 'print one JSON object')
    .action(({ product }: Place) => withContext(cli, (ctx) => list(cli, ctx, product)))
}

const TYPES = 'types of events with commas between them; all without it'

function registerChanges(webhook: Command, cli: Cli): void {
  about(webhook, 'update', 'change where a listener is, or what it is told of')
    .option('--url <address>', 'where events are posted to', addressArgument)
    .option('--types <list>', 'types of events with commas between them; empty: all', typesArgument)
    .action((id: number, options: Changed) => withContext(cli, (ctx) => update(cli, ctx, id, options)))
  for (const [name, description, isActive] of [
    ['enable', 'switch a listener on', true],
    ['disable', 'switch a listener off; what waits is not sent', false],
  ] as const) {
    about(webhook, name, description).action((id: number, { product }: Place) =>
      withContext(cli, (ctx) => turn(cli, ctx, { id, product, isActive })),
    )
  }
  about(webhook, 'rotate', 'give a listener another secret, which is shown once; both sign for some hours')
    .option(
      '--overlap-hours <hours>',
      'how long the secret so far signs too',
      hoursArgument(MOST_HOURS),
      OVERLAP_HOURS,
    )
    .action((id: number, options: Rotated) => withContext(cli, (ctx) => rotate(cli, ctx, id, options)))
  about(webhook, 'remove', 'remove a listener; what waits is not sent').action(
    (id: number, { product }: Place) => withContext(cli, (ctx) => remove(cli, ctx, { id, product })),
  )
}

async function add(cli: Cli, ctx: Context, { product, url, types }: Added): Promise<void> {
  checkUrl(ctx, url)
  const input = { url, ...(types !== undefined && { types }) }
  const added = { command: 'webhook-add', product, id: (made: Webhook) => Number(made.id) }
  const made = await write(ctx, added, async (tx, scope) => {
    await checkTypes(tx, scope, types)
    return createWebhook(tx, scope, input)
  })
  const { id, secret } = made
  const value = { id, product_id: String(product), url, types: made.types, secret }
  cli.result(value, `Listener ${id} of product ${product}; its secret is not shown again:\n\n  ${secret}`)
}

function checkUrl({ config }: Context, url: string): void {
  if (!isRefused(url, config)) return
  throw new Failure('bad_url', 'The address is none of the internet; see KEYWRIGHT_WEBHOOK_ALLOW.')
}

async function checkTypes(tx: TxContext, scope: Scope, types: string | undefined): Promise<void> {
  const wrong = types === undefined ? null : await wrongTypes(tx, scope, types)
  if (wrong !== null) throw new Failure('bad_types', `--types ${wrong}.`)
}

async function list(cli: Cli, ctx: Context, product: number): Promise<void> {
  const scope = await scopeOf(ctx, product)
  const found = await getWebhooks(ctx, scope, { count: LISTED, offset: 0 })
  const webhooks = await Promise.all(
    found.map(async (one) => ({ ...one, last_error: await lastErrorOf(ctx, scope, one) })),
  )
  const lines = webhooks.map(({ id, url, types, failures, ...how }) => [
    id,
    how.is_active ? 'on' : `off${how.off_reason === null ? '' : `, ${how.off_reason}`}`,
    String(failures),
    types?.join(',') ?? 'all',
    url,
    how.last_error ?? '',
  ])
  const text = table(['id', 'state', 'failures', 'types', 'address', 'last error'], lines)
  cli.result({ webhooks }, lines.length > 0 ? text : `Product ${product} has no listener.`)
}

/** Null when the last attempt arrived, or there was none yet. */
async function lastErrorOf(ctx: Context, scope: Scope, { id, failures }: Webhook): Promise<string | null> {
  if (failures === 0) return null
  const [last] = await getAttempts(ctx, scope, Number(id), { count: 1, offset: 0 })
  return last ? (last.error ?? `answered ${last.status}`) : null
}

async function update(cli: Cli, ctx: Context, id: number, { product, url, types }: Changed): Promise<void> {
  if (url === undefined && types === undefined) {
    throw new Failure('no_change', 'Say what changes: --url or --types.')
  }
  if (url !== undefined) checkUrl(ctx, url)
  const change = { ...(url !== undefined && { url }), ...(types !== undefined && { types }) }
  const webhook = await write(ctx, { command: 'webhook-update', product, id }, async (tx, scope) => {
    await checkTypes(tx, scope, types)
    return changeWebhook(tx, scope, id, change)
  })
  cli.result(webhook, `Listener ${id} is told of ${webhook.types?.join(', ') ?? 'all'} at ${webhook.url}.`)
}

async function turn(
  cli: Cli,
  ctx: Context,
  { id, product, isActive }: Place & { readonly id: number; readonly isActive: boolean },
): Promise<void> {
  const command = isActive ? 'webhook-enable' : 'webhook-disable'
  const webhook = await write(ctx, { command, product, id }, (tx, scope) =>
    changeWebhook(tx, scope, id, { is_active: isActive }),
  )
  cli.result(webhook, `Listener ${id} is ${isActive ? 'on' : 'off'}.`)
}

async function rotate(cli: Cli, ctx: Context, id: number, options: Rotated): Promise<void> {
  const { product, overlapHours } = options
  const webhook = await write(ctx, { command: 'webhook-rotate', product, id }, (tx, scope) =>
    rotateSecret(tx, scope, id, overlapHours),
  )
  const { secret, previous_secret_until: until } = webhook
  const before = until === null ? '' : ` The one so far signs too until ${until} UTC.`
  cli.result(
    { id: webhook.id, product_id: String(product), secret, previous_secret_until: until },
    `Listener ${id} has another secret, which is not shown again:\n\n  ${secret}\n\n${before.trim()}`.trimEnd(),
  )
}

async function remove(cli: Cli, ctx: Context, { id, product }: Place & { readonly id: number }) {
  await write(ctx, { command: 'webhook-remove', product, id }, (tx, scope) => removeWebhook(tx, scope, id))
  cli.result({ id: String(id), product_id: String(product) }, `Listener ${id} is removed.`)
}

function typesArgument(text: string): string {
  if (isTypeList(text)) return text
  throw new InvalidArgumentError('It must be types of events, such as license.created,payment.created.')
}
