import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { overview } from './overview.ts'
import { Overview, OverviewQuery } from './schema.ts'

const shared = {
  method: 'GET',
  path: '/overview.json',
  access: 'catalogue.read',
  query: OverviewQuery,
  status: 200,
  response: Overview,
} as const

/** Ours: what a seller looks at first. */
export const overviewOperations: readonly AnyOperation[] = [
  readOperation({
    ...shared,
    id: 'keywright/retrieve-overview',
    summary: 'Count what there is of a product; a role is told what it may read',
    scopes: ['product', 'developer', 'store'],
    handle: (ctx, { scope, query }) => overview(ctx, scope, query),
  }),
  readOperation({
    ...shared,
    id: 'keywright/retrieve-account-overview',
    summary: 'Count what there is of all products of an account; a role is told what it may read',
    scopes: ['account'],
    handle: (ctx, { scope, query }) => overview(ctx, scope, query),
  }),
]
