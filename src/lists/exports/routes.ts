import { Type } from '../../lib/type.ts'
import { notFound } from '../../lib/errors.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import type { FileOperation } from '../../http/other-replies.ts'
import { downloadExport } from './download-export.ts'
import { Export, ExportColumns, ExportId, ExportList, NewExport } from './schema.ts'
import { askForExport, checkExport, exportColumns, EXPORTS_PATH, getExport, getExports } from './service.ts'

export const exportOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/create-export',
    summary: 'Ask for a list to be written to a file, all that its filter leaves',
    method: 'POST',
    path: '/exports.json',
    scopes: ['account'],
    access: 'everybody',
    body: NewExport,
    status: 202,
    response: Export,
    emits: ['export.created'],
    refuses: ['too_many_waiting'],
    check: (ctx, { scope, body }, problems) => checkExport(ctx, scope, body, problems),
    handle: (ctx, { scope, body }) => askForExport(ctx, scope, body),
  }),
  readOperation({
    id: 'keywright/list-exports',
    summary: 'List the exports of the account that the caller may see, newest first',
    method: 'GET',
    path: '/exports.json',
    scopes: ['account'],
    access: 'everybody',
    query: ExportList,
    status: 200,
    response: Type.Object({ exports: Type.Array(Export) }),
    items: 'exports',
    handle: async (ctx, { scope, query }) => ({ exports: await getExports(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-export-columns',
    summary: 'List what the caller may export, with the columns and filters of each',
    method: 'GET',
    path: '/exports/columns.json',
    scopes: ['account'],
    access: 'everybody',
    status: 200,
    response: ExportColumns,
    handle: (ctx, { scope }) => exportColumns(ctx, scope),
  }),
  readOperation({
    id: 'keywright/retrieve-export',
    summary: 'Retrieve an export: how far it is, and the address of its file',
    method: 'GET',
    path: '/exports/{export_id}.json',
    scopes: ['account'],
    access: 'everybody',
    params: ExportId,
    status: 200,
    response: Export,
    handle: (ctx, { scope, params }) => getExport(ctx, scope, params.export_id),
  }),
]

/** The file, for who has an address that was made for it. */
export const exportFile: FileOperation = {
  reply: 'file',
  id: 'keywright/download-export',
  path: `${EXPORTS_PATH}{name}`,
  async handle(ctx, { params: { name = '' }, query: { token } }) {
    const [, id] = /^([1-9][0-9]{0,15})\.(?:csv|jsonl|zip)$/.exec(name) ?? []
    if (id === undefined || typeof token !== 'string') throw notFound('export')
    return downloadExport(ctx, Number(id), token)
  },
}
