import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { AccountDisputeList, Dispute, DisputeList } from './schema.ts'
import { disputesOfAccount, disputesOfProduct, totalOfDisputes } from './service.ts'

const shared = {
  method: 'GET',
  path: '/disputes.json',
  access: 'sales.read',
  status: 200,
  response: Type.Object({ disputes: Type.Array(Dispute) }),
  items: 'disputes',
} as const

/** Ours: what buyers' banks dispute, with how it ended. */
export const disputeOperations: readonly AnyOperation[] = [
  readOperation({
    ...shared,
    id: 'keywright/list-disputes',
    summary: 'List the disputes of a product with how they ended, newest first',
    scopes: ['product', 'developer', 'store'],
    query: DisputeList,
    total: (ctx, { scope, query }) => totalOfDisputes(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ disputes: await disputesOfProduct(ctx, scope, query) }),
  }),
  readOperation({
    ...shared,
    id: 'keywright/list-account-disputes',
    summary: 'List the disputes of all products of an account with how they ended, newest first',
    scopes: ['account'],
    isForNarrowed: true,
    query: AccountDisputeList,
    handle: async (ctx, { scope, query }) => ({ disputes: await disputesOfAccount(ctx, scope, query) }),
  }),
]
