import { OwnPassword } from '../../accounts/developers/schema.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { addressOfAccount, askForAccount, checkOwner } from './account.ts'
import { Export, ExportAddress, ExportId, NewAccountExport } from './schema.ts'

/** All that an account has, with its secrets in clear: for its owner alone, with the password once more. */
export const accountExportOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/export-account',
    summary: 'Ask for all that the account has to be written to a ZIP file, which its owner alone may',
    method: 'POST',
    path: '/exports/account.json',
    scopes: ['account'],
    caller: 'session',
    access: 'tokens.write',
    body: NewAccountExport,
    status: 202,
    response: Export,
    emits: ['export.created'],
    refuses: ['invalid_credentials', 'export_under_way'],
    prepare: (ctx, asked) => checkOwner(ctx, asked),
    handle: (ctx, { scope, body }, password) => askForAccount(ctx, scope, body.format, password),
  }),
  writeOperation({
    id: 'keywright/show-export-address',
    summary: 'Show an address of the file of the account to its owner, who gives the password again',
    method: 'POST',
    path: '/exports/{export_id}/address.json',
    scopes: ['account'],
    caller: 'session',
    access: 'tokens.write',
    params: ExportId,
    body: OwnPassword,
    status: 200,
    response: ExportAddress,
    emits: [],
    refuses: ['invalid_credentials'],
    prepare: (ctx, asked) => checkOwner(ctx, asked),
    handle: (ctx, { scope, params }, password) => addressOfAccount(ctx, scope, params.export_id, password),
  }),
]
