import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { checkTotal, getTotal } from './service.ts'
import { Total, TotalOf } from './schema.ts'

export const totalOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-list-total',
    summary: 'Say how many rows a list of the product has, as far as 10,000',
    method: 'GET',
    path: '/list_total.json',
    scopes: ['developer'],
    access: 'everybody',
    query: TotalOf,
    status: 200,
    response: Total,
    check: checkTotal,
    handle: (ctx, request) => getTotal(ctx, request),
  }),
]
