import { issueLicenseFile } from './issue-license-file.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { LicenseId } from '../licenses/schema.ts'
import { LicenseFile, LicenseFileRequest, LicenseKeys } from './schema.ts'
import { getLicenseKeys, rotateLicenseKeys } from './service.ts'

const seller = ['product', 'developer', 'store'] as const

export const licenseFileOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-license-keys',
    summary: 'List the public keys that license files of a product are verified with',
    method: 'GET',
    path: '/license_keys.json',
    scopes: seller,
    caller: 'public',
    access: 'licenses.read',
    query: Arguments(Fields),
    status: 200,
    response: LicenseKeys,
    items: 'keys',
    handle: (ctx, { scope }) => getLicenseKeys(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/rotate-license-keys',
    summary: 'Sign license files with another key from now on',
    method: 'POST',
    path: '/license_keys/rotate.json',
    scopes: ['developer'],
    access: 'tokens.write',
    query: Arguments(Fields),
    status: 200,
    response: LicenseKeys,
    items: 'keys',
    emits: [],
    handle: (ctx, { scope }) => rotateLicenseKeys(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/create-license-file',
    summary: 'Create a signed file that proves a license without a network',
    method: 'POST',
    path: '/licenses/{license_id}/file.json',
    scopes: [...seller, 'user', 'install'],
    access: 'licenses.write',
    portal: ['offline_file'],
    params: LicenseId,
    query: Arguments(Fields),
    body: LicenseFileRequest,
    status: 200,
    response: LicenseFile,
    emits: [],
    refuses: ['invalid_uid', 'license_cancelled', 'license_expired'],
    handle: (ctx, { scope, params, body }) => issueLicenseFile(ctx, scope, params.license_id, body),
  }),
]
