import { eventsOfUser } from '../../events/log/read-events.ts'
import { EventPage, Events } from '../../events/log/schema.ts'
import { readOperation } from '../../http/operation.ts'
import { UserId } from './schema.ts'
import { getUser } from './service.ts'

/** What has happened to a user. */
export const userEventOperations = [
  readOperation({
    id: 'users/list-events',
    summary: 'List the events of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/events.json',
    scopes: ['product', 'developer', 'store'],
    access: 'events.read',
    params: UserId,
    query: EventPage,
    status: 200,
    response: Events,
    items: 'events',
    handle: async (ctx, { scope, params, query }) => {
      await getUser(ctx, scope, params.user_id)
      return eventsOfUser(ctx, scope, params.user_id, query)
    },
  }),
]
