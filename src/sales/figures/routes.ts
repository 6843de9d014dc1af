import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { Earnings, FigureRange, RecurringRevenue } from './schema.ts'
import { checkRange, getEarnings, getRecurringRevenue } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** Ours: what a product brings in. */
export const figureOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-earnings',
    summary: 'Tell what a product earned, by month and currency',
    method: 'GET',
    path: '/figures/earnings.json',
    scopes,
    access: 'sales.read',
    query: FigureRange,
    status: 200,
    response: Type.Object({ earnings: Type.Array(Earnings) }),
    items: 'earnings',
    check: (_, { query }, problems) => checkRange(query, problems),
    handle: async (ctx, { scope, query }) => ({ earnings: await getEarnings(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-mrr',
    summary: 'Tell the monthly recurring revenue of a product and its churn, by month and currency',
    method: 'GET',
    path: '/figures/mrr.json',
    scopes,
    access: 'sales.read',
    query: FigureRange,
    status: 200,
    response: Type.Object({ mrr: Type.Array(RecurringRevenue) }),
    items: 'mrr',
    check: (_, { query }, problems) => checkRange(query, problems),
    handle: async (ctx, { scope, query }) => ({ mrr: await getRecurringRevenue(ctx, scope, query) }),
  }),
]
