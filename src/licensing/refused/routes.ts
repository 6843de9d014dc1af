import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { listRefusals } from './queries.ts'
import { presentRefusal, Refusal, RefusalList } from './schema.ts'

export const refusalOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-refusals',
    summary: 'List what clients were refused in the last 30 days, newest first',
    method: 'GET',
    path: '/refusals.json',
    scopes: ['product', 'developer', 'store'],
    access: 'licenses.read',
    query: RefusalList,
    status: 200,
    response: Type.Object({ refusals: Type.Array(Refusal) }),
    items: 'refusals',
    handle: async (ctx, { scope, query }) => ({
      refusals: (await listRefusals(ctx.db, scope, query)).map(presentRefusal),
    }),
  }),
]
