import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { IdText } from '../../http/wire.ts'
import { Type } from '../../lib/type.ts'
import { FigureDays, WebhookFigures } from './figure-schema.ts'
import { checkFigureDays, getFigures } from './figures.ts'
import { checkRange, resend, sendTest } from './resend.ts'
import {
  Attempt,
  AttemptFilter,
  DeliveriesFilter,
  Delivery,
  DeliveryFilter,
  Resend,
  Resent,
  WebhookId,
} from './schema.ts'
import {
  checkDeliveries,
  getAllDeliveries,
  getAttempts,
  getDeliveries,
  totalOfDeliveries,
} from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** What listeners are sent, how they answer, and how that is done once more. */
export const deliveryOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-deliveries',
    summary: 'List what all listeners of a product are sent, newest first',
    method: 'GET',
    path: '/deliveries.json',
    scopes,
    access: 'events.read',
    query: DeliveriesFilter,
    status: 200,
    response: Type.Object({ deliveries: Type.Array(Delivery) }),
    items: 'deliveries',
    total: (ctx, { scope, query }) => totalOfDeliveries(ctx, scope, query),
    check: (_, { query }, problems) => checkDeliveries(query, problems),
    handle: async (ctx, { scope, query }) => ({ deliveries: await getAllDeliveries(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-webhook-figures',
    summary: 'Tell of each day how often a listener was tried, and how fast it answered',
    method: 'GET',
    path: '/webhooks/{webhook_id}/figures.json',
    scopes,
    access: 'events.read',
    params: WebhookId,
    query: FigureDays,
    status: 200,
    response: WebhookFigures,
    items: 'figures',
    check: (_, { query }, problems) => checkFigureDays(query, problems),
    handle: (ctx, { scope, params, query }) => getFigures(ctx, scope, params.webhook_id, query),
  }),
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
