import { InvalidArgumentError } from 'commander'
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
import { isRefused } from '../events/delivery/guard.ts'
import { addressArgument, hoursArgument, idArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'
import { scopeOf } from './product-scope.ts'
import { table } from './text.ts'
import { LISTENER, OF_PRODUCT, write } from './webhook-place.ts'
import { replay, test } from './webhook-sending.ts'

/** As many as a page of the interface has. */
const LISTED = 50
const OVERLAP_HOURS = 24
const MOST_HOURS = 168

const add = databaseCommand({
  describe: 'add a listener; its secret is shown once',
  options: {
    '--product <id>': { describe: 'product whose events it is told of', parse: idArgument, required: true },
    '--url <address>': {
      describe: 'where events are posted to',
      parse: addressArgument,
      required: true,
      example: 'https://shop.example.com/hook',
    },
    '--types <list>': {
      describe: 'types of events with commas between them; all without it',
      parse: typesArgument,
    },
  },
  handler: async (ctx, { product, url, types: told }) => {
    checkUrl(ctx, url)
    const input = { url, ...(told !== undefined && { types: told }) }
    const added = { command: 'webhook-add', product, id: (made: Webhook) => Number(made.id) }
    const { id, types, secret } = await write(ctx, added, async (tx, scope) => {
      await checkTypes(tx, scope, told)
      return createWebhook(tx, scope, input)
    })
    return {
      value: { id, product_id: String(product), url, types, secret },
      text: `Listener ${id} of product ${product}; its secret is not shown again:\n\n  ${secret}`,
    }
  },
})

const list = databaseCommand({
  describe: 'show the listeners of a product, and why the last attempt failed',
  options: {
    '--product <id>': { describe: 'product whose listeners they are', parse: idArgument, required: true },
  },
  handler: async (ctx, { product }) => {
    const scope = await scopeOf(ctx, product)
    const found = await getWebhooks(ctx, scope, { count: LISTED, offset: 0, sort: '-id' })
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
    return { value: { webhooks }, text: lines.length > 0 ? text : `Product ${product} has no listener.` }
  },
})

const update = databaseCommand({
  describe: 'change where a listener is, or what it is told of',
  arguments: LISTENER,
  options: {
    ...OF_PRODUCT,
    '--url <address>': {
      describe: 'where events are posted to',
      parse: addressArgument,
      example: 'https://shop.example.com/hook',
    },
    '--types <list>': {
      describe: 'types of events with commas between them; empty: all',
      parse: typesArgument,
    },
  },
  needs: [['url', 'types']],
  handler: async (ctx, { id, product, url, types }) => {
    if (url !== undefined) checkUrl(ctx, url)
    const change = { ...(url !== undefined && { url }), ...(types !== undefined && { types }) }
    const webhook = await write(ctx, { command: 'webhook-update', product, id }, async (tx, scope) => {
      await checkTypes(tx, scope, types)
      return changeWebhook(tx, scope, id, change)
    })
    const told = webhook.types?.join(', ') ?? 'all'
    return { value: webhook, text: `Listener ${id} is told of ${told} at ${webhook.url}.` }
  },
})

const switching = (name: 'enable' | 'disable', describe: string) =>
  databaseCommand({
    describe,
    arguments: LISTENER,
    options: OF_PRODUCT,
    handler: async (ctx, { id, product }) => {
      const isActive = name === 'enable'
      const webhook = await write(ctx, { command: `webhook-${name}`, product, id }, (tx, scope) =>
        changeWebhook(tx, scope, id, { is_active: isActive }),
      )
      return { value: webhook, text: `Listener ${id} is ${isActive ? 'on' : 'off'}.` }
    },
  })

const rotate = databaseCommand({
  describe: 'give a listener another secret, which is shown once; both sign for some hours',
  arguments: LISTENER,
  options: {
    ...OF_PRODUCT,
    '--overlap-hours <hours>': {
      describe: 'how long the secret so far signs too',
      parse: hoursArgument(MOST_HOURS),
      default: OVERLAP_HOURS,
    },
  },
  handler: async (ctx, { id, product, overlapHours }) => {
    const webhook = await write(ctx, { command: 'webhook-rotate', product, id }, (tx, scope) =>
      rotateSecret(tx, scope, id, overlapHours),
    )
    const { secret, previous_secret_until: until } = webhook
    const before = until === null ? '' : `\n\nThe one so far signs too until ${until} UTC.`
    return {
      value: { id: webhook.id, product_id: String(product), secret, previous_secret_until: until },
      text: `Listener ${id} has another secret, which is not shown again:\n\n  ${secret}${before}`,
    }
  },
})

const remove = databaseCommand({
  describe: 'remove a listener; what waits is not sent',
  arguments: LISTENER,
  options: OF_PRODUCT,
  handler: async (ctx, { id, product }) => {
    await write(ctx, { command: 'webhook-remove', product, id }, (tx, scope) => removeWebhook(tx, scope, id))
    return { value: { id: String(id), product_id: String(product) }, text: `Listener ${id} is removed.` }
  },
})

export const command: Group = {
  describe: 'who is told of a product’s events',
  docs: 'docs/webhooks.md',
  commands: {
    add,
    list,
    update,
    enable: switching('enable', 'switch a listener on'),
    disable: switching('disable', 'switch a listener off; what waits is not sent'),
    rotate,
    remove,
    test,
    replay,
  },
}

function checkUrl({ config }: Context, url: string): void {
  if (!isRefused(url, config)) return
  throw new Failure('bad_url', 'The address is none of the internet; see KEYWRIGHT_WEBHOOK_ALLOW.')
}

async function checkTypes(tx: TxContext, scope: Scope, types: string | undefined): Promise<void> {
  const wrong = types === undefined ? null : await wrongTypes(tx, scope, types)
  if (wrong !== null) throw new Failure('bad_types', `--types ${wrong}.`)
}

/** Null when the last attempt arrived, or there was none yet. */
async function lastErrorOf(ctx: Context, scope: Scope, { id, failures }: Webhook): Promise<string | null> {
  if (failures === 0) return null
  const [last] = await getAttempts(ctx, scope, Number(id), { count: 1, offset: 0, sort: '-id' })
  return last ? (last.error ?? `answered ${last.status}`) : null
}

function typesArgument(text: string): string {
  if (isTypeList(text)) return text
  throw new InvalidArgumentError('It must be types of events, such as license.created,payment.created.')
}
