import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Bulk, BulkId, BulkItem, BulkItemList, BulkList, NewBulk } from './schema.ts'
import { askForBulk, checkBulk, getBulk, getBulks, getItems, retryBulk } from './service.ts'

const scopes = ['developer'] as const

export const bulkOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/create-bulk',
    summary: 'Do something to many rows of a product, or be told what it would do to each',
    method: 'POST',
    path: '/bulk.json',
    scopes,
    access: 'everybody',
    body: NewBulk,
    status: 202,
    response: Bulk,
    emits: [],
    refuses: ['too_many_waiting'],
    check: async (ctx, { scope, body }, problems) => checkBulk(ctx, scope, body, problems),
    handle: (ctx, { scope, body }) => askForBulk(ctx, scope, body),
  }),
  readOperation({
    id: 'keywright/list-bulks',
    summary: 'List the bulk actions in a product that the caller could have asked for, newest first',
    method: 'GET',
    path: '/bulk.json',
    scopes,
    access: 'everybody',
    query: BulkList,
    status: 200,
    response: Type.Object({ bulks: Type.Array(Bulk) }),
    items: 'bulks',
    handle: async (ctx, { scope, query }) => ({ bulks: await getBulks(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/retrieve-bulk',
    summary: 'Retrieve a bulk action: how far it is',
    method: 'GET',
    path: '/bulk/{bulk_id}.json',
    scopes,
    access: 'everybody',
    params: BulkId,
    status: 200,
    response: Bulk,
    handle: (ctx, { scope, params }) => getBulk(ctx, scope, params.bulk_id),
  }),
  readOperation({
    id: 'keywright/list-bulk-items',
    summary: 'List what came of a bulk action for each row, the highest IDs first',
    method: 'GET',
    path: '/bulk/{bulk_id}/items.json',
    scopes,
    access: 'everybody',
    params: BulkId,
    query: BulkItemList,
    status: 200,
    response: Type.Object({ items: Type.Array(BulkItem) }),
    items: 'items',
    handle: async (ctx, { scope, params, query }) => ({
      items: await getItems(ctx, scope, params.bulk_id, query),
    }),
  }),
  writeOperation({
    id: 'keywright/retry-bulk',
    summary: 'Try again what was refused of a bulk action',
    method: 'POST',
    path: '/bulk/{bulk_id}/retry.json',
    scopes,
    access: 'everybody',
    params: BulkId,
    status: 202,
    response: Bulk,
    emits: [],
    refuses: ['bulk_not_done', 'too_many_waiting'],
    handle: (ctx, { scope, params }) => retryBulk(ctx, scope, params.bulk_id),
  }),
]
