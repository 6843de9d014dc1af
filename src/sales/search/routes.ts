import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { Search, SearchResult } from './schema.ts'
import { search } from './search.ts'

/** Ours: whatever of an account a text may be. */
export const searchOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/search',
    summary: 'Find whatever of an account a text may be; a role finds what it may read',
    method: 'GET',
    path: '/search.json',
    scopes: ['account'],
    access: 'catalogue.read',
    query: Search,
    status: 200,
    response: Type.Object({ results: Type.Array(SearchResult) }),
    items: 'results',
    handle: async (ctx, { scope, query }) => ({ results: await search(ctx, scope, query) }),
  }),
]
