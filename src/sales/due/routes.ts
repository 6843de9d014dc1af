import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { dueInSandbox } from './due.ts'
import { Due, DueQuery } from './schema.ts'

/** Ours: what is seen before the clock of a sandbox is moved. */
export const dueOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-sandbox-due',
    summary: 'List what falls due next in the sandbox, soonest first',
    method: 'GET',
    path: '/sandbox/due.json',
    scopes: ['product', 'developer', 'store'],
    access: 'catalogue.read',
    query: DueQuery,
    status: 200,
    response: Type.Object({ due: Type.Array(Due) }),
    items: 'due',
    handle: async (ctx, { scope, query }) => ({ due: await dueInSandbox(ctx, scope, query.count) }),
  }),
]
