import { Type } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import type { Scope } from '../../access/scope.ts'
import { Arguments, Fields, IdText } from '../../http/wire.ts'
import { isRefused } from '../delivery/guard.ts'
import {
  Attempt,
  AttemptFilter,
  Delivery,
  DeliveryFilter,
  NewWebhook,
  Resend,
  Resent,
  Rotation,
  Webhook,
  WebhookChange,
  WebhookId,
  WebhookInput,
  WebhookPage,
} from './schema.ts'
import { checkRange, resend, sendTest } from './resend.ts'
import {
  changeWebhook,
  createWebhook,
  getAttempts,
  getDeliveries,
  getWebhook,
  getWebhooks,
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
    problems.malformed.push({ field: 'url', message: 'must be an address of the internet' })
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

const deliveries: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-webhook-deliveries',
    summary: 'List what a listener is sent, newest first',
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries.json',
    scopes,
    access: 'events.read',
    params: WebhookId,
    query: DeliveryFilter,
    status: 200,
    response: Type.Object({ deliveries: Type.Array(Delivery) }),
    items: 'deliveries',
    handle: async (ctx, { scope, params, query }) => ({
      deliveries: await getDeliveries(ctx, scope, params.webhook_id, query),
    }),
  }),
  readOperation({
    id: 'keywright/list-webhook-attempts',
    summary: 'List the attempts to reach a listener, newest first',
    method: 'GET',
    path: '/webhooks/{webhook_id}/attempts.json',
    scopes,
    access: 'events.read',
    params: WebhookId,
    query: AttemptFilter,
    status: 200,
    response: Type.Object({ attempts: Type.Array(Attempt) }),
    items: 'attempts',
    handle: async (ctx, { scope, params, query }) => ({
      attempts: await getAttempts(ctx, scope, params.webhook_id, query),
    }),
  }),
  writeOperation({
    id: 'keywright/resend-events',
    summary: 'Send events to a listener again: one, or those of a range of time and of a state',
    method: 'POST',
    path: '/webhooks/{webhook_id}/resend.json',
    scopes,
    access: 'events.write',
    params: WebhookId,
    body: Resend,
    status: 200,
    response: Resent,
    emits: [],
    refuses: ['webhook_inactive'],
    check: (_, { body }, problems) => checkRange(body, problems),
    handle: (ctx, { scope, params, body }) => resend(ctx, scope, params.webhook_id, body),
  }),
  writeOperation({
    id: 'keywright/test-webhook',
    summary: 'Send a listener an event to try it',
    method: 'POST',
    path: '/webhooks/{webhook_id}/test.json',
    scopes,
    access: 'events.write',
    params: WebhookId,
    status: 200,
    response: Type.Object({ event_id: IdText() }),
    emits: ['webhook.updated'],
    refuses: ['webhook_inactive'],
    handle: (ctx, { scope, params }) => sendTest(ctx, scope, params.webhook_id),
  }),
]

export const webhookOperations: readonly AnyOperation[] = [...listeners, ...deliveries]
