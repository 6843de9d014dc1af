import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { LicenseId } from '../../licensing/licenses/schema.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { UserId } from '../../people/users/schema.ts'
import { getUser } from '../../people/users/service.ts'
import { Timeline, TimelineQuery } from './schema.ts'
import { checkPosition, readTimeline } from './timeline.ts'

const listed = {
  method: 'GET',
  scopes: ['product', 'developer', 'store'],
  query: TimelineQuery,
  status: 200,
  response: Timeline,
  items: 'entries',
} as const

/** Ours: all that has to do with a customer, or with a license. */
export const timelineOperations: readonly AnyOperation[] = [
  readOperation({
    ...listed,
    id: 'keywright/timeline-of-user',
    summary: 'List what happened to a user, was mailed, refused, noted and done by whom, newest first',
    path: '/users/{user_id}/timeline.json',
    access: 'customers.read',
    params: UserId,
    check: (_, { query }, problems) => checkPosition(query, problems),
    handle: async (ctx, { scope, params: { user_id: id }, query }) => {
      await getUser(ctx, scope, id)
      return readTimeline(ctx, scope, { of: 'user', id }, query)
    },
  }),
  readOperation({
    ...listed,
    id: 'keywright/timeline-of-license',
    summary:
      'List what happened to a license, was mailed about it, refused, noted and done by whom, newest first',
    path: '/licenses/{license_id}/timeline.json',
    access: 'licenses.read',
    params: LicenseId,
    check: (_, { query }, problems) => checkPosition(query, problems),
    handle: async (ctx, { scope, params: { license_id: id }, query }) => {
      await getLicense(ctx, scope, id)
      return readTimeline(ctx, scope, { of: 'license', id }, query)
    },
  }),
]
