import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { checkTotal, getTotal } from './service.ts'
import { Total, TotalOf } from './schema.ts'

const shared = {
  method: 'GET',
  path: '/list_total.json',
  access: 'everybody',
  query: TotalOf,
  status: 200,
  response: Total,
} as const

export const totalOperations: readonly AnyOperation[] = [
  readOperation({
    ...shared,
    id: 'keywright/retrieve-list-total',
    summary: 'Say how many rows a list of the product has, as far as 10,000',
    scopes: ['developer'],
    check: checkTotal,
    handle: (ctx, request) => getTotal(ctx, request),
  }),
  readOperation({
    ...shared,
    id: 'keywright/retrieve-account-list-total',
    summary: 'Say how many rows a list of the account has, or one of all its products, as far as 10,000',
    scopes: ['account'],
    isForNarrowed: true,
    check: checkTotal,
    handle: (ctx, request) => getTotal(ctx, request),
  }),
]
