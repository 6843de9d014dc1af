import { eventOfAccount, eventsOfAccount, eventsOfProduct, oneEvent, totalOfEvents } from './read-events.ts'
import { readOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { eventTypes } from './event-types.ts'
import { AccountEventFilter, EventFilter, EventId, EventLog, Events, EventTypes } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const

export const eventOperations = [
  readOperation({
    id: 'keywright/list-event-types',
    summary: 'List the types of events that are recorded, and that listeners are sent, each with its meaning',
    method: 'GET',
    path: '/event_types.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    query: Arguments(Fields),
    status: 200,
    response: EventTypes,
    items: 'event_types',
    handle: async () => ({ event_types: eventTypes() }),
  }),
  readOperation({
    id: 'events/list',
    summary: 'List the events of a product, newest first',
    method: 'GET',
    path: '/events.json',
    scopes,
    access: 'events.read',
    query: EventFilter,
    status: 200,
    response: Events,
    items: 'events',
    total: (ctx, { scope, query }) => totalOfEvents(ctx, scope, query),
    handle: (ctx, { scope, query }) => eventsOfProduct(ctx, scope, query),
  }),
  readOperation({
    id: 'events/retrieve',
    summary: 'Retrieve an event',
    method: 'GET',
    path: '/events/{event_id}.json',
    scopes,
    access: 'events.read',
    params: EventId,
    query: Arguments(Fields),
    status: 200,
    response: EventLog,
    handle: (ctx, { scope, params }) => oneEvent(ctx, scope, params.event_id),
  }),
  readOperation({
    id: 'keywright/list-account-events',
    summary:
      'List the events of an account that are about no product, as of its stores and team, or those of the products that are named, newest first',
    method: 'GET',
    path: '/events.json',
    scopes: ['account'],
    access: 'events.read',
    isForNarrowed: true,
    query: AccountEventFilter,
    status: 200,
    response: Events,
    items: 'events',
    handle: (ctx, { scope, query }) => eventsOfAccount(ctx, scope, query),
  }),
  readOperation({
    id: 'keywright/retrieve-account-event',
    summary: 'Retrieve an event of an account that is about no product',
    method: 'GET',
    path: '/events/{event_id}.json',
    scopes: ['account'],
    access: 'events.read',
    params: EventId,
    query: Arguments(Fields),
    status: 200,
    response: EventLog,
    handle: (ctx, { scope, params }) => eventOfAccount(ctx, scope, params.event_id),
  }),
]
