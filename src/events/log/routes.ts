import { Type } from 'typebox'
import {
  eventOfAccount,
  eventsOfAccount,
  eventsOfCart,
  eventsOfProduct,
  eventsOfUser,
  oneEvent,
} from './read-events.ts'
import { readOperation } from '../../http/operation.ts'
import { Arguments, Fields, Id } from '../../http/wire.ts'
import { CartEventPage, EventFilter, EventId, EventLog, EventPage } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const
const Events = Type.Object({ events: Type.Array(EventLog) })

export const eventOperations = [
  readOperation({
    id: 'events/list',
    summary: 'List the events of a product, newest first',
    method: 'GET',
    path: '/events.json',
    scopes,
    query: EventFilter,
    status: 200,
    response: Events,
    items: 'events',
    handle: (ctx, { scope, query }) => eventsOfProduct(ctx, scope, query),
  }),
  readOperation({
    id: 'events/retrieve',
    summary: 'Retrieve an event',
    method: 'GET',
    path: '/events/{event_id}.json',
    scopes,
    params: EventId,
    query: Arguments(Fields),
    status: 200,
    response: EventLog,
    handle: (ctx, { scope, params }) => oneEvent(ctx, scope, params.event_id),
  }),
  readOperation({
    id: 'users/list-events',
    summary: 'List the events of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/events.json',
    scopes,
    params: Arguments({ user_id: Id('ID of the user.') }),
    query: EventPage,
    status: 200,
    response: Events,
    items: 'events',
    handle: (ctx, { scope, params, query }) => eventsOfUser(ctx, scope, params.user_id, query),
  }),
  readOperation({
    id: 'carts/retrieve-events',
    summary: 'List the events of a cart, newest first',
    method: 'GET',
    path: '/carts/{cart_id}/events.json',
    scopes,
    params: Arguments({ cart_id: Id('ID of the cart.') }),
    query: CartEventPage,
    status: 200,
    response: Events,
    items: 'events',
    handle: (ctx, { scope, params, query }) => eventsOfCart(ctx, scope, params.cart_id, query),
  }),
  readOperation({
    id: 'keywright/list-account-events',
    summary:
      'List the events of an account that are about no product, as of its stores and team, newest first',
    method: 'GET',
    path: '/events.json',
    scopes: ['account'],
    query: EventFilter,
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
    params: EventId,
    query: Arguments(Fields),
    status: 200,
    response: EventLog,
    handle: (ctx, { scope, params }) => eventOfAccount(ctx, scope, params.event_id),
  }),
]
