import { Type } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import type { Scope } from '../../access/scope.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { isRefused } from '../delivery/guard.ts'
import {
  NewWebhook,
  Rotation,
  Webhook,
  WebhookChange,
  WebhookId,
  WebhookInput,
  WebhookPage,
} from './schema.ts'
import { deliveryOperations } from './delivery-routes.ts'
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  getWebhooks,
  totalOfWebhooks,
  removeWebhook,
  rotateSecret,
  wrongTypes,
} from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** What a name stands for is checked at each connection; an address that stands in the URL here too. */
async function checkInput(
  ctx: ReadContext,
  scope: Scope,
  { url, types }: WebhookChange,
  problems: Problems,
): Promise<void> {
  if (url !== undefined && !problems.has('url') && isRefused(url, ctx.config)) {
    problems.malformed.push({
      field: 'url',
      message: 'must be an address of the internet, or one that KEYWRIGHT_WEBHOOK_ALLOW lists',
    })
  }
  const message = types === undefined || problems.has('types') ? null : await wrongTypes(ctx, scope, types)
  if (message !== null) problems.malformed.push({ field: 'types', message })
}

const listeners: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-webhooks',
    summary: 'List the listeners of a product, newest first',
    method: 'GET',
    path: '/webhooks.json',
    scopes,
    access: 'events.read',
    query: WebhookPage,
    status: 200,
    response: Type.Object({ webhooks: Type.Array(Webhook) }),
    items: 'webhooks',
    total: (ctx, { scope, query }) => totalOfWebhooks(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ webhooks: await getWebhooks(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-webhook',
    summary: 'Add a listener; its secret is shown once',
    method: 'POST',
    path: '/webhooks.json',
    scopes,
    access: 'events.write',
    body: WebhookInput,
    status: 201,
    response: NewWebhook,
    emits: ['webhook.created'],
    check: (ctx, { scope, body }, problems) => checkInput(ctx, scope, body, problems),
    handle: (ctx, { scope, body }) => createWebhook(ctx, scope, body),
  }),
  readOperation({
    id: 'keywright/retrieve-webhook',
    summary: 'Retrieve a listener',
    method: 'GET',
    path: '/webhooks/{webhook_id}.json',
    scopes,
    access: 'events.read',
    params: WebhookId,
    query: Arguments(Fields),
    status: 200,
    response: Webhook,
    handle: (ctx, { scope, params }) => getWebhook(ctx, scope, params.webhook_id),
  }),
  writeOperation({
    id: 'keywright/update-webhook',
    summary: 'Change a listener, or switch it on or off',
    method: 'PUT',
    path: '/webhooks/{webhook_id}.json',
    scopes,
    access: 'events.write',
    params: WebhookId,
    body: WebhookChange,
    status: 200,
    response: Webhook,
    emits: ['webhook.updated'],
    check: (ctx, { scope, body }, problems) => checkInput(ctx, scope, body, problems),
    handle: (ctx, { scope, params, body }) => changeWebhook(ctx, scope, params.webhook_id, body),
  }),
  writeOperation({
    id: 'keywright/delete-webhook',
    summary: 'Remove a listener',
    method: 'DELETE',
    path: '/webhooks/{webhook_id}.json',
    scopes,
    access: 'events.write',
    params: WebhookId,
    status: 204,
    emits: ['webhook.deleted'],
    handle: (ctx, { scope, params }) => removeWebhook(ctx, scope, params.webhook_id),
  }),
  writeOperation({
    id: 'keywright/rotate-webhook-secret',
    summary: 'Give a listener another secret, shown once; the one so far signs too for some hours',
    method: 'POST',
    path: '/webhooks/{webhook_id}/secret.json',
    scopes,
    access: 'events.write',
    params: WebhookId,
    body: Rotation,
    status: 200,
    response: NewWebhook,
    emits: ['webhook.updated'],
    handle: (ctx, { scope, params, body }) => rotateSecret(ctx, scope, params.webhook_id, body.overlap_hours),
  }),
]

export const webhookOperations: readonly AnyOperation[] = [...listeners, ...deliveryOperations]
